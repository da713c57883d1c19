export { type ExpressRequest, expressWebhookHandler } from './webhooks/adapters/express-handler.ts';
export {
  type FastifyLike,
  type FastifyReplyLike,
  fastifyWebhookPlugin,
} from './webhooks/adapters/fastify-plugin.ts';
export { fetchWebhookHandler, honoWebhookHandler } from './webhooks/adapters/fetch-handler.ts';
export { type NodeResponse, nodeWebhookListener } from './webhooks/adapters/node-listener.ts';
export type { EventIdClaim, EventIdStore } from './webhooks/event-id-store.ts';
export {
  createMemoryEventIdStore,
  type MemoryEventIdStoreOptions,
} from './webhooks/memory-event-id-store.ts';
export {
  receiveWebhook,
  type WebhookAnswer,
  type WebhookReceiverOptions,
  type WebhookRequest,
} from './webhooks/receive-webhook.ts';
export {
  type VerificationRules,
  type VerifiedWebhook,
  type VerifyWebhookOptions,
  verifyWebhook,
} from './webhooks/verify-webhook.ts';
export type { RawBody, WebhookEvent } from './webhooks/webhook-body.ts';
export type { WebhookHeaders } from './webhooks/webhook-headers.ts';
export {
  type WebhookVerificationCode,
  WebhookVerificationError,
} from './webhooks/webhook-verification-error.ts';
