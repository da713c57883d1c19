import { assertReceiverOptions, type WebhookReceiverOptions } from '../receive-webhook.ts';
import { answer, type NodeResponse, receiveFromNode } from './node-listener.ts';
import type { NodeRequest } from './read-node-body.ts';

/** The part of an Express request that the handler uses. */
export interface ExpressRequest extends NodeRequest {
  readonly body?: unknown;
}

/**
 * Creates a handler for Express 4 and 5: `app.all('/webhooks', expressWebhookHandler({ … }))`. It reads the body itself, so
 * mount it before `express.json()`. After `express.raw()` it uses the bytes from there.
 *
 * @throws TypeError for invalid options
 */
export function expressWebhookHandler(
  options: WebhookReceiverOptions,
): (request: ExpressRequest, response: NodeResponse) => Promise<void> {
  assertReceiverOptions(options);
  return async (request, response) => {
    const body = request.body instanceof Uint8Array ? request.body : undefined;
    answer(response, await receiveFromNode(request, options, body));
  };
}
