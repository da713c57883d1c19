export { checkStoredSecrets, forgetLostWebhooks, keepHeld, rewrapSecrets } from './stored-secrets.ts';
export { secretBinding, type WebhookRecord, type WebhookState, wants } from './webhook.ts';
export { webhookRoutes } from './webhook-routes.ts';
export { disableWebhook, WebhookService } from './webhook-service.ts';
export * as webhookStateStore from './webhook-state-store.ts';
export * as webhookStore from './webhook-store.ts';
