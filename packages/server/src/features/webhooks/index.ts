export { secretBinding, type WebhookRecord, type WebhookState, wants } from './webhook.ts';
export * as webhookStateStore from './webhook-state-store.ts';
export * as webhookStore from './webhook-store.ts';
