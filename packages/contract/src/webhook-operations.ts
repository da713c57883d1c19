import { Type } from 'typebox';
import { deliveryExample } from './delivery-operations.ts';
import { operation } from './openapi/operation.ts';
import { pageOf, pageQuery, tenantQuery } from './schema/page.ts';
import {
  NewWebhook,
  Recovery,
  RecoveryStarted,
  SecretRotation,
  TestDelivery,
  Webhook,
  WebhookChange,
} from './webhook.ts';

const webhook = {
  webhook_id: deliveryExample.webhook_id,
  tenant_id: 'tnt_example',
  url: 'https://siem.example.com/tps',
  severity_filter: ['high', 'critical'],
  status: 'active',
  disabled_reason: null,
  created_at: '2026-03-02T09:00:00.000Z',
  updated_at: '2026-03-02T09:00:00.000Z',
  previous_secret_until: null,
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
/** An example must not look like a secret that somebody uses. */
const exampleSecret = '<16-to-256-characters>';

const byId = { id: 'webhook', tag: 'webhooks' } as const;
const oneTenant = Type.Object(tenantQuery, { additionalProperties: false });

export const listWebhooks = operation({
  operationId: 'listWebhooks',
  method: 'GET',
  path: '/webhooks',
  tag: 'webhooks',
  summary: 'List webhooks',
  description: 'Newest first, each with how its last delivery went.',
  scope: 'webhooks:read',
  query: pageQuery({}),
  answers: {
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
  summary: 'Register a webhook',
  description:
    'From now on accepted `warn` and `block` events are posted to it. The secret is stored encrypted and never shown.',
  scope: 'webhooks:write',
  body: NewWebhook,
  bodyExample: { url: webhook.url, secret: exampleSecret, severity_filter: webhook.severity_filter },
  headers: ['Idempotency-Key'],
  answers: {
    201: { description: 'Registered.', schema: Webhook, example: fresh, headers: ['Location'] },
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
  answers: { 200: { description: 'The webhook.', schema: Webhook, example: webhook } },
});

export const updateWebhook = operation({
  ...byId,
  operationId: 'updateWebhook',
  method: 'PATCH',
  path: '/webhooks/{id}',
  summary: 'Change, disable or enable a webhook',
  description: 'Enabling starts the count of failures anew; deliveries that waited go out.',
  scope: 'webhooks:write',
  body: WebhookChange,
  bodyExample: { status: 'disabled' },
  answers: {
    200: {
      description: 'The webhook as it is now.',
      schema: Webhook,
      example: { ...webhook, status: 'disabled', disabled_reason: 'requested' },
    },
  },
  errors: ['webhook_url_rejected'],
});

export const deleteWebhook = operation({
  ...byId,
  operationId: 'deleteWebhook',
  method: 'DELETE',
  path: '/webhooks/{id}',
  summary: 'Remove a webhook',
  description: 'Its deliveries and dead letters go with it.',
  scope: 'webhooks:write',
  query: oneTenant,
  answers: { 204: { description: 'Removed.' } },
});

export const rotateWebhookSecret = operation({
  ...byId,
  operationId: 'rotateWebhookSecret',
  method: 'POST',
  path: '/webhooks/{id}/rotate-secret',
  summary: 'Replace the secret of a webhook',
  description:
    'For `overlap_s` seconds, a day unless told otherwise, deliveries also carry a signature of the old secret. An overlap of 0 ends the old secret with the next deliveries; those that were about to be sent, seconds at most, still carry its signature.',
  scope: 'webhooks:write',
  body: SecretRotation,
  bodyExample: { secret: exampleSecret, overlap_s: 3600 },
  answers: {
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
  summary: 'Send a made-up event to a webhook',
  description:
    'One attempt, signed like any other; its event has `metadata.test` set. Read how it went among the deliveries of the webhook.',
  scope: 'webhooks:write',
  body: oneTenant,
  bodyOptional: true,
  bodyExample: {},
  answers: {
    202: {
      description: 'On its way.',
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
    'Every event accepted since then that matches the webhook and was not delivered to it gets a delivery, also those that came while it was disabled.',
  scope: 'webhooks:write',
  body: Recovery,
  bodyExample: { since: '2026-03-01T00:00:00Z' },
  answers: {
    202: {
      description: 'Under way.',
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
