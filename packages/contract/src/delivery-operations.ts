import { Type } from 'typebox';
import {
  DeadLetter,
  Delivery,
  DeliveryStatus,
  Recovery,
  RecoveryStarted,
  Replay,
  ReplayStarted,
  TestDelivery,
} from './delivery.ts';
import { idOf } from './identifiers.ts';
import { operation } from './operation.ts';
import { pageOf, pageQuery, tenantQuery } from './page.ts';

const WEBHOOK_ID = 'whk_06ays3w8jrv2k7d1m5q9x4t0zb';
const DELIVERY_ID = 'dlv_06ays3w8jrv2k7d1m5q9x4t0zc';
const ENTRY_ID = 'dlq_06ays3w8jrv2k7d1m5q9x4t0zc';

const event = {
  event_id: 'evt_01hzy7q0x3',
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

const delivery = {
  delivery_id: DELIVERY_ID,
  tenant_id: 'tnt_example',
  webhook_id: WEBHOOK_ID,
  event_id: event.event_id,
  kind: 'event',
  status: 'delivered',
  attempts: 1,
  created_at: '2026-03-02T09:15:04.120Z',
  next_attempt_at: null,
  last_attempt_at: '2026-03-02T09:15:04.131Z',
  last_status: 204,
  last_error: null,
  last_response: '',
  last_duration_ms: 9,
};

const deadLetter = {
  entry_id: ENTRY_ID,
  tenant_id: 'tnt_example',
  webhook_id: WEBHOOK_ID,
  event_id: event.event_id,
  delivery_id: DELIVERY_ID,
  failed_at: '2026-03-02T09:15:08.311Z',
  expires_at: '2026-03-09T09:15:08.311Z',
  attempts: 3,
  last_status: 503,
  last_error: 'The receiver answered 503',
  event,
};

const byId = { id: 'webhook', tag: 'webhooks' } as const;

export const testWebhook = operation({
  ...byId,
  operationId: 'testWebhook',
  method: 'POST',
  path: '/webhooks/{id}/test',
  summary: 'Send a made-up event to a webhook',
  description:
    'One attempt, signed like any other; its event has `metadata.test` set. Read how it went among the deliveries of the webhook.',
  scope: 'webhooks:write',
  body: Type.Object(tenantQuery, { additionalProperties: false }),
  bodyOptional: true,
  bodyExample: {},
  answers: {
    202: {
      description: 'On its way.',
      schema: TestDelivery,
      example: { delivery_id: DELIVERY_ID, webhook_id: WEBHOOK_ID, event_id: 'evt_test_06ays3w8jrv2' },
    },
  },
  errors: ['invalid_state_transition'],
});

export const listDeliveries = operation({
  ...byId,
  operationId: 'listDeliveries',
  method: 'GET',
  path: '/webhooks/{id}/deliveries',
  summary: 'List the deliveries of a webhook',
  description: 'Newest first, of the last 7 days.',
  scope: 'webhooks:read',
  query: pageQuery({ status: Type.Optional(DeliveryStatus) }),
  answers: {
    200: {
      description: 'A page of deliveries.',
      schema: pageOf('DeliveryPage', Delivery, {}),
      example: { data: [delivery], has_more: false, next_cursor: null },
    },
  },
});

export const recoverWebhook = operation({
  ...byId,
  operationId: 'recoverWebhook',
  method: 'POST',
  path: '/webhooks/{id}/recover',
  summary: 'Deliver the events that a webhook has missed',
  description:
    'Every event accepted since then that matches the webhook and was not delivered to it gets a delivery, also those that came while it was disabled.',
  scope: 'webhooks:write',
  body: Recovery,
  bodyExample: { since: '2026-03-01T00:00:00Z' },
  answers: {
    202: {
      description: 'Under way.',
      schema: RecoveryStarted,
      example: { webhook_id: WEBHOOK_ID, since: '2026-03-01T00:00:00.000Z', events: 1204 },
    },
  },
  errors: ['invalid_state_transition'],
});

export const listDeadLetters = operation({
  operationId: 'listDeadLetters',
  method: 'GET',
  path: '/webhooks/dlq',
  tag: 'webhooks',
  summary: 'List failed webhook deliveries',
  description: 'Newest first. Each is kept for 7 days after its last failure.',
  scope: 'webhooks:read',
  query: pageQuery({ webhook_id: Type.Optional(idOf('webhook')) }),
  answers: {
    200: {
      description: 'A page of dead letters.',
      schema: pageOf('DeadLetterPage', DeadLetter, {}),
      example: { data: [deadLetter], has_more: false, next_cursor: null },
    },
  },
});

export const replayDeadLetter = operation({
  operationId: 'replayDeadLetter',
  method: 'POST',
  path: '/webhooks/dlq',
  tag: 'webhooks',
  summary: 'Deliver a dead letter again',
  description: 'With three attempts, as at first. Success removes the dead letter, failure keeps it.',
  scope: 'webhooks:write',
  body: Replay,
  bodyExample: { entry_id: ENTRY_ID },
  answers: {
    202: {
      description: 'On its way.',
      schema: ReplayStarted,
      example: { entry_id: ENTRY_ID, delivery_id: DELIVERY_ID },
    },
  },
  errors: ['invalid_state_transition'],
});

export const deleteDeadLetter = operation({
  operationId: 'deleteDeadLetter',
  method: 'DELETE',
  path: '/webhooks/dlq',
  tag: 'webhooks',
  summary: 'Acknowledge and delete a dead letter',
  scope: 'webhooks:write',
  query: Type.Object({ ...tenantQuery, entry_id: idOf('dead_letter') }, { additionalProperties: false }),
  answers: { 204: { description: 'Deleted.' } },
});

export const deliveryOperations = [
  listDeadLetters,
  replayDeadLetter,
  deleteDeadLetter,
  testWebhook,
  listDeliveries,
  recoverWebhook,
] as const;
