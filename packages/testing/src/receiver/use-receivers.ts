import { afterAll } from 'vitest';
import { type ReceiverOptions, startReceiver, type WebhookReceiver } from './webhook-receiver.ts';

/**
 * Returns a function that starts receivers. All of them close after the tests of the file: called before
 * `useTestService`, after the service has stopped, so that no retry meets a closed port.
 */
export function useReceivers(): (options?: ReceiverOptions) => Promise<WebhookReceiver> {
  const receivers: WebhookReceiver[] = [];
  afterAll(async () => {
    for (const receiver of receivers.splice(0)) await receiver.close();
  });
  return async (options) => {
    const receiver = await startReceiver(options);
    receivers.push(receiver);
    return receiver;
  };
}
