export { deliveryIdOf } from './deliveries/delivery.ts';
export type { Wake } from './deliveries/delivery-service.ts';
export { enqueueDeliveries } from './deliveries/enqueue-deliveries.ts';
export { purgeDeliveries } from './deliveries/purge-deliveries.ts';
export { Dispatcher } from './dispatch/dispatcher.ts';
export { SecretKeeper } from './secrets/secret-keeper.ts';
export { checkStoredSecrets, rewrapSecrets, UnreadableSecretsError } from './secrets/stored-secrets.ts';
export { registerWebhookMetrics } from './webhook-metrics.ts';
export * as webhookStore from './webhook-store.ts';
