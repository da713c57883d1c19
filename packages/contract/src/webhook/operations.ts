import { Type } from 'typebox';
import { deliveryExample } from '../delivery/operations.ts';
import { operation } from '../openapi/operation.ts';
import { anyOf, createdWithin } from '../schema/filters.ts';
import { pageOf, pageQuery, tenantQuery } from '../schema/page.ts';
import {
  NewWebhook,
  Recovery,
  RecoveryStarted,
  SecretRotation,
  TestDelivery,
  Webhook,
  WebhookChange,
  WebhookStatus,
} from './schema.ts';

const webhook = {
  webhook_id: deliveryExample.webhook_id,
  tenant_id: 'tnt_example',
  url: 'https://siem.example.com/tps',
  severity_filter: ['high', 'critical'],
  auto_replay: true,
  status: 'active',
  disabled_reason: null,
  created_at: '2026-03-02T09:00:00.000Z',
  updated_at: '2026-03-02T09:00:00.000Z',
  previous_secret_until: null,
  circuit: 'closed',
  next_probe_at: null,
  last_delivery_status: 'delivered',
  last_delivery_error: null,
  last_delivery_at: '2026-03-02T09:15:04.131Z',
  last_delivery_attempts: 1,
};
const fresh = {
  ...webhook,
  last_delivery_status: null,
  last_delivery_at: null,
  last_delivery_attempts: null,
};
/** An example must not look like a real secret. */
const exampleSecret = '<16-to-256-characters>';

const byId = { id: 'webhook', tag: 'webhooks' } as const;
const oneTenant = Type.Object(tenantQuery, { additionalProperties: false });

export const listWebhooks = operation({
  operationId: 'listWebhooks',
  method: 'GET',
  path: '/webhooks',
  tag: 'webhooks',
  summary: 'List webhooks',
  description: 'Newest first, each with the outcome of its last delivery.',
  scope: 'webhooks:read',
  query: pageQuery({ status: anyOf(WebhookStatus), ...createdWithin }),
  responses: {
    200: {
      description: 'A page of webhooks.',
      schema: pageOf('WebhookPage', Webhook, {}),
      example: { data: [webhook], has_more: false, next_cursor: null },
    },
  },
});

export const createWebhook = operation({
  operationId: 'createWebhook',
  method: 'POST',
  path: '/webhooks',
  tag: 'webhooks',
  summary: 'Create a webhook',
  description:
    'Every `warn` and `block` event that is accepted from now on, corrections included, is posted to the URL once, in the form in which it is stored. The secret is stored encrypted and never shown. A tenant can have 100 webhooks.',
  scope: 'webhooks:write',
  recentSignIn: true,
  body: NewWebhook,
  bodyExample: { url: webhook.url, secret: exampleSecret, severity_filter: webhook.severity_filter },
  headers: ['Idempotency-Key'],
  responses: {
    201: { description: 'Created.', schema: Webhook, example: fresh, headers: ['Location'] },
  },
  errors: ['webhook_url_rejected', 'webhook_limit_reached', 'idempotency_conflict'],
});

export const getWebhook = operation({
  ...byId,
  operationId: 'getWebhook',
  method: 'GET',
  path: '/webhooks/{id}',
  summary: 'Read one webhook',
  scope: 'webhooks:read',
  query: oneTenant,
  responses: { 200: { description: 'The webhook.', schema: Webhook, example: webhook } },
});

export const updateWebhook = operation({
  ...byId,
  operationId: 'updateWebhook',
  method: 'PATCH',
  path: '/webhooks/{id}',
  summary: 'Change, disable or enable a webhook',
  description:
    'Enabling resets the failure count and sends the pending deliveries. A webhook whose secret is lost cannot be enabled: replace the secret.',
  scope: 'webhooks:write',
  recentSignIn: true,
  body: WebhookChange,
  bodyExample: { status: 'disabled' },
  responses: {
    200: {
      description: 'The updated webhook.',
      schema: Webhook,
      example: { ...webhook, status: 'disabled', disabled_reason: 'requested' },
    },
  },
  errors: ['webhook_url_rejected', 'invalid_state_transition'],
});

export const deleteWebhook = operation({
  ...byId,
  operationId: 'deleteWebhook',
  method: 'DELETE',
  path: '/webhooks/{id}',
  summary: 'Delete a webhook',
  description: 'Also deletes its deliveries and dead letters. A repeat is 404.',
  scope: 'webhooks:write',
  query: oneTenant,
  responses: { 204: { description: 'Deleted.' } },
});

export const rotateWebhookSecret = operation({
  ...byId,
  operationId: 'rotateWebhookSecret',
  method: 'POST',
  path: '/webhooks/{id}/rotate-secret',
  summary: 'Replace the secret of a webhook',
  description:
    'For `overlap_s` seconds (default: a day) deliveries also carry a signature of the old secret. Another rotation within that time ends the oldest secret. An overlap of 0 ends the old secret at once, except for deliveries that are about to be sent, within seconds. A webhook that was disabled because its secret was lost becomes active.',
  scope: 'webhooks:write',
  recentSignIn: true,
  body: SecretRotation,
  bodyExample: { secret: exampleSecret, overlap_s: 3600 },
  responses: {
    200: {
      description: 'The webhook.',
      schema: Webhook,
      example: { ...webhook, previous_secret_until: '2026-03-02T10:30:00.000Z' },
    },
  },
});

export const testWebhook = operation({
  ...byId,
  operationId: 'testWebhook',
  method: 'POST',
  path: '/webhooks/{id}/test',
  summary: 'Send a sample event to a webhook',
  description:
    'Makes one attempt, signed like any other delivery, with an event that has `metadata.test` set. The outcome is in the deliveries of the webhook. A test never becomes a dead letter and does not change `last_delivery_*`. A disabled webhook is 422.',
  scope: 'webhooks:write',
  body: oneTenant,
  bodyOptional: true,
  bodyExample: {},
  responses: {
    202: {
      description: 'The delivery is queued.',
      schema: TestDelivery,
      example: {
        delivery_id: deliveryExample.delivery_id,
        webhook_id: deliveryExample.webhook_id,
        event_id: 'evt_test_06ays3w8jrv2',
      },
    },
  },
  errors: ['invalid_state_transition'],
});

export const recoverWebhook = operation({
  ...byId,
  operationId: 'recoverWebhook',
  method: 'POST',
  path: '/webhooks/{id}/recover',
  summary: 'Deliver the events that a webhook has missed',
  description:
    'Delivers every matching event accepted since then, at most 7 days ago, that was not delivered: failed deliveries and events that arrived while the webhook was disabled. A disabled webhook is 422.',
  scope: 'webhooks:write',
  body: Recovery,
  bodyExample: { since: '2026-03-01T00:00:00Z' },
  responses: {
    202: {
      description: 'The recovery has started.',
      schema: RecoveryStarted,
      example: { webhook_id: webhook.webhook_id, since: '2026-03-01T00:00:00.000Z', events: 1204 },
    },
  },
  errors: ['invalid_state_transition'],
});

export const webhookOperations = [
  listWebhooks,
  createWebhook,
  getWebhook,
  updateWebhook,
  deleteWebhook,
  rotateWebhookSecret,
  testWebhook,
  recoverWebhook,
] as const;
