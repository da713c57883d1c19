export { deliveryIdOf } from './deliveries/delivery.ts';
export type { Wake } from './deliveries/delivery-service.ts';
export { enqueueDeliveries } from './deliveries/enqueue-deliveries.ts';
export { RequestOrigins } from './dispatch/request-origins.ts';
export { checkStoredSecrets, rewrapSecrets } from './secrets/stored-secrets.ts';
export { digestOfUrl, toShownUrl } from './webhook.ts';
export { webhookHoldings } from './webhook-holdings.ts';
export * as webhookStore from './webhook-store.ts';
