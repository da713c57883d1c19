export { useReceivers } from './use-receivers.ts';
export {
  type ReceivedRequest,
  type ReceiverOptions,
  type ReceiverReply,
  type Respond,
  startReceiver,
  type WebhookReceiver,
} from './webhook-receiver.ts';
