import {
  assertReceiverOptions,
  receiveWebhook,
  type WebhookAnswer,
  type WebhookReceiverOptions,
} from '../receive-webhook.ts';
import type { RawBody } from '../webhook-body.ts';
import { type NodeRequest, readNodeBody } from './read-node-body.ts';

/** What is used of a `node:http` response. */
export interface NodeResponse {
  writeHead(status: number, headers: Record<string, string>): unknown;
  end(body: string): unknown;
}

/**
 * Creates a request listener for `node:http` that takes every request as a delivery. The promise is for whoever wants to
 * know when the answer was given; it never rejects.
 *
 * @throws TypeError when the options cannot work
 */
export function nodeWebhookListener(
  options: WebhookReceiverOptions,
): (request: NodeRequest, response: NodeResponse) => Promise<void> {
  assertReceiverOptions(options);
  return async (request, response) => answer(response, await receiveFromNode(request, options));
}

/** Receives a delivery whose body is read from the request, or is at hand because something else has read it. */
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
