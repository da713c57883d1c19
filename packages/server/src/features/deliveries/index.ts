export * as deadLetterStore from './dead-letter-store.ts';
export { deliveryRoutes } from './delivery-routes.ts';
export { DeliveryService, type Wake } from './delivery-service.ts';
export { removeOfWebhook as removeDeliveries } from './delivery-store.ts';
export { enqueueDeliveries } from './enqueue-deliveries.ts';
export { pruneDeliveries } from './prune-deliveries.ts';
export * as queueStore from './queue-store.ts';
export { advanceRecoveries } from './recover-missed.ts';
