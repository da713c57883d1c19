import {
  assertReceiverOptions,
  receiveWebhook,
  type WebhookAnswer,
  type WebhookReceiverOptions,
} from '../receive-webhook.ts';
import type { RawBody } from '../webhook-body.ts';
import { type NodeRequest, readNodeBody } from './read-node-body.ts';

/** The part of a `node:http` response that the listener uses. */
export interface NodeResponse {
  writeHead(status: number, headers: Record<string, string>): unknown;
  end(body: string): unknown;
}

/**
 * Creates a request listener for `node:http` that treats every request as a delivery. Its promise resolves when the answer
 * was sent, and never rejects.
 *
 * @throws TypeError for invalid options
 */
export function nodeWebhookListener(
  options: WebhookReceiverOptions,
): (request: NodeRequest, response: NodeResponse) => Promise<void> {
  assertReceiverOptions(options);
  return async (request, response) => answer(response, await receiveFromNode(request, options));
}

/** Receives a delivery. The body is read from the request, unless it was already read and is passed. */
export function receiveFromNode(
  request: NodeRequest,
  options: WebhookReceiverOptions,
  body?: RawBody,
): Promise<WebhookAnswer> {
  const { method = '', headers } = request;
  const rawBody = body ?? ((limitBytes: number) => readNodeBody(request, limitBytes));
  return receiveWebhook({ method, headers, rawBody }, options);
}

export function answer(response: NodeResponse, { status, headers, body }: WebhookAnswer): void {
  response.writeHead(status, { ...headers });
  response.end(body);
}
