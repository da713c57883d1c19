import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { MAX_DISCARDED_BYTES } from '../../platform/http/connections/connection.ts';

/** How many rejected bodies are read at a time. Beyond that, a connection is closed with its response. */
const MAX_READING = 256;

/**
 * Lets a client see that its request was rejected before its body had arrived. A connection that is closed while the client
 * sends looks broken to it: so the service responds at once, reads and discards the body for a bounded time and number of
 * bytes, and only then ends the response.
 */
export function discardRejectedBodies(app: FastifyInstance, { withinMs }: { withinMs: number }): void {
  let reading = 0;
  app.addHook('onSend', async (request, reply, payload) => {
    const isLarge = !request.raw.complete && !hasSmallBody(request);
    if (!isLarge || reply.statusCode < 400 || typeof payload !== 'string' || reading >= MAX_READING)
      return payload;
    reading += 1;
    reply.header('content-length', Buffer.byteLength(payload));
    return sendThenDiscard(payload, request, { withinMs, done: () => (reading -= 1) });
  });
}

/** It arrives with the header, or soon. Node discards it. */
function hasSmallBody({ headers }: FastifyRequest): boolean {
  if (headers['transfer-encoding'] !== undefined) return false;
  return Number(headers['content-length'] ?? 0) <= 16_384;
}

/** Returns a stream of the payload that ends when the request has been read, or not soon enough. */
function sendThenDiscard(
  payload: string,
  { raw }: FastifyRequest,
  { withinMs, done }: { withinMs: number; done: () => void },
): Readable {
  const response = new Readable({ read: () => undefined });
  response.push(payload);
  let left = MAX_DISCARDED_BYTES;
  const count = ({ length }: Buffer) => {
    left -= length;
    if (left <= 0) end();
  };
  const end = () => {
    if (response.readableEnded || response.destroyed) return;
    response.push(null);
  };
  const timer = setTimeout(end, withinMs);
  raw.on('data', count).once('end', end).once('close', end).resume();
  response.once('close', () => {
    clearTimeout(timer);
    raw.off('data', count);
    done();
  });
  return response;
}
