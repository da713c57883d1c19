import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';

/** A request as received. */
export interface ReceivedRequest {
  readonly method: string;
  /** With the query. */
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/** A reply: a status with JSON, text or headers, or a function that uses the response directly. */
export type Reply =
  | { status?: number; json?: unknown; text?: string; headers?: Record<string, string> }
  | ((response: ServerResponse) => void);

/** Breaks the connection without an answer. */
export const HANG_UP: Reply = (response) => response.destroy();

/** Accepts the request and never responds. */
export const SILENCE: Reply = () => undefined;

export function refusal(status: number, code: string, headers: Record<string, string> = {}): Reply {
  const error = { code, message: `It is ${code}.`, status };
  return { status, json: { error }, headers: { 'x-request-id': 'req_1', ...headers } };
}

/**
 * Starts a local server that responds by a script: the replies in order, with the last one repeated, or the reply that a
 * function returns for each request.
 */
export async function startScriptedService(script: readonly Reply[] | ((request: ReceivedRequest) => Reply)) {
  const received: ReceivedRequest[] = [];
  const server = createServer(async (incoming, response) => {
    const { method = '', url: path = '', headers } = incoming;
    const request = { method, path, headers, body: await text(incoming) };
    received.push(request);
    const next = () => (script as readonly Reply[])[Math.min(received.length, script.length) - 1];
    const reply = typeof script === 'function' ? script(request) : next();
    if (typeof reply === 'function') return reply(response);
    const { status = 200, json = {}, text: said, headers: sent } = reply ?? {};
    response.writeHead(status, { 'content-type': 'application/json', ...sent });
    response.end(status === 204 || status === 304 ? undefined : (said ?? JSON.stringify(json)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const stop = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  onTestFinished(stop);
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, received, stop };
}

/** Retry rules without pauses, for tests. */
export const AT_ONCE = { baseDelayMs: 0 };
