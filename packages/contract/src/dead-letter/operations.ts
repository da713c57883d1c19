import { Type } from 'typebox';
import { deliveryExample } from '../delivery/operations.ts';
import { operation } from '../openapi/operation.ts';
import { countsOperation } from '../schema/counts.ts';
import { anyOfIds } from '../schema/filters.ts';
import { idOf } from '../schema/identifiers.ts';
import { pageOf, pageQuery, tenantQuery } from '../schema/page.ts';
import { timestampOf } from '../schema/values.ts';
import { DeadLetter, Replay, ReplayStarted } from './schema.ts';

const ENTRY_ID = 'dlq_06ays3w8jrv2k7d1m5q9x4t0zc';

const event = {
  event_id: deliveryExample.event_id,
  type: 'risk.event.created',
  timestamp: '2026-03-02T09:15:04.000Z',
  tenant_id: 'tnt_example',
  device_id: 'dev_pixel-7',
  threat_category: 'phishing',
  confidence: 0.93,
  action_taken: 'block',
  policy_id: 'pol_default-phishing',
  severity: 'high',
};

const deadLetter = {
  entry_id: ENTRY_ID,
  tenant_id: 'tnt_example',
  webhook_id: deliveryExample.webhook_id,
  event_id: event.event_id,
  delivery_id: deliveryExample.delivery_id,
  failed_at: '2026-03-02T09:15:08.311Z',
  expires_at: '2026-03-09T09:15:08.311Z',
  attempts: 3,
  last_status: 503,
  last_error: 'The receiver responded with 503',
  event,
};

const filters = {
  webhook_id: anyOfIds('webhook'),
  event_id: anyOfIds('event'),
  since: Type.Optional(timestampOf('Only deliveries that failed at this time or later.')),
  until: Type.Optional(timestampOf('Only deliveries that failed before this time.')),
};

export const listDeadLetters = operation({
  operationId: 'listDeadLetters',
  method: 'GET',
  path: '/webhooks/dlq',
  tag: 'webhooks',
  summary: 'List failed webhook deliveries',
  description: 'Newest first. A dead letter is kept for 7 days after its last failure.',
  scope: 'webhooks:read',
  query: pageQuery(filters),
  responses: {
    200: {
      description: 'A page of dead letters.',
      schema: pageOf('DeadLetterPage', DeadLetter, {}),
      example: { data: [deadLetter], has_more: false, next_cursor: null },
    },
  },
});

export const countDeadLetters = countsOperation({
  list: listDeadLetters,
  operationId: 'countDeadLetters',
  noun: 'failed webhook deliveries',
  filters,
  time: 'time of the failure',
});

export const replayDeadLetter = operation({
  operationId: 'replayDeadLetter',
  method: 'POST',
  path: '/webhooks/dlq',
  tag: 'webhooks',
  summary: 'Deliver a dead letter again',
  description:
    'Makes up to three attempts. Success removes the dead letter; failure keeps it for another 7 days. While a replay is under way, repeating the request returns the same delivery.',
  scope: 'webhooks:write',
  body: Replay,
  bodyExample: { entry_id: ENTRY_ID },
  responses: {
    202: {
      description: 'The delivery is queued.',
      schema: ReplayStarted,
      example: { entry_id: ENTRY_ID, delivery_id: deliveryExample.delivery_id },
    },
  },
  errors: ['invalid_state_transition'],
});

export const deleteDeadLetter = operation({
  operationId: 'deleteDeadLetter',
  method: 'DELETE',
  path: '/webhooks/dlq',
  tag: 'webhooks',
  summary: 'Delete a dead letter',
  description: 'Its event is not delivered any more. A repeat is 404.',
  scope: 'webhooks:write',
  query: Type.Object({ ...tenantQuery, entry_id: idOf('dead_letter') }, { additionalProperties: false }),
  responses: { 204: { description: 'Deleted.' } },
});

export const deadLetterOperations = [
  listDeadLetters,
  countDeadLetters,
  replayDeadLetter,
  deleteDeadLetter,
] as const;
