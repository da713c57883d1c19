export { deliveryIdOf } from './deliveries/delivery.ts';
export { deliveryRoutes } from './deliveries/delivery-routes.ts';
export { DeliveryService, type Wake } from './deliveries/delivery-service.ts';
export { enqueueDeliveries } from './deliveries/enqueue-deliveries.ts';
export { purgeDeliveries } from './deliveries/purge-deliveries.ts';
export * as queueStore from './deliveries/queue-store.ts';
export { Dispatcher, type ObservedAttempt } from './dispatch/dispatcher.ts';
export {
  checkStoredSecrets,
  purgeLostWebhooks,
  renewMemoryHold,
  rewrapSecrets,
} from './secrets/stored-secrets.ts';
export { webhookRoutes } from './webhook-routes.ts';
export { WebhookService } from './webhook-service.ts';
export * as webhookStore from './webhook-store.ts';
