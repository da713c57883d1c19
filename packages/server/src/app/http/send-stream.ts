import type { ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { StreamReply } from '../../platform/http/route.ts';

/** The connection closes with the stream, so that a service that stops does not wait for another request on it. */
export function sendStream(
  { method }: FastifyRequest,
  reply: FastifyReply,
  { status, stream }: StreamReply,
): FastifyReply {
  reply.code(status);
  reply.headers({
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store, no-transform',
    connection: 'close',
    // nginx and others pass each message on at once.
    'x-accel-buffering': 'no',
  });
  if (method === 'HEAD') {
    stream.destroy();
    return reply.send('');
  }
  reply.hijack();
  const { raw } = reply;
  for (const [name, value] of Object.entries(reply.getHeaders())) {
    if (value !== undefined) raw.setHeader(name, value);
  }
  raw.once('close', () => stream.destroy());
  writeParts(stream, raw).then(
    () => raw.end(),
    () => raw.destroy(),
  );
  return reply;
}

/**
 * Writes the next part when the system has taken the last one. A pipe would fill the buffers of both streams first: a
 * reader that takes nothing then held twice as much.
 */
async function writeParts(stream: Readable, raw: ServerResponse): Promise<void> {
  for await (const part of stream) {
    await new Promise<void>((resolve, reject) => {
      raw.write(part, (error) => (error ? reject(error) : resolve()));
    });
  }
}
