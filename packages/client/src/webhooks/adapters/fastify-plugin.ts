import { assertReceiverOptions, type WebhookReceiverOptions } from '../receive-webhook.ts';
import { receiveFromNode } from './node-listener.ts';
import type { NodeRequest } from './read-node-body.ts';

/** The part of a Fastify instance that the plugin uses. */
export interface FastifyLike {
  removeAllContentTypeParsers(): unknown;
  addContentTypeParser(
    contentType: string,
    options: Record<string, never>,
    parser: (request: unknown, payload: unknown, done: (error: null, body?: undefined) => void) => void,
  ): unknown;
  all(
    path: string,
    handler: (request: { raw: NodeRequest }, reply: FastifyReplyLike) => Promise<unknown>,
  ): unknown;
}

/** The part of a Fastify reply that the plugin uses. */
export interface FastifyReplyLike {
  code(status: number): unknown;
  headers(values: Record<string, string>): unknown;
  send(body: string): unknown;
}

/**
 * Creates a plugin for Fastify 4 and 5: `await app.register(fastifyWebhookPlugin({ path: '/webhooks', … }))`. Fastify keeps
 * its body parsers for the other routes; on this path the plugin reads the body itself.
 *
 * @throws TypeError for invalid options
 */
export function fastifyWebhookPlugin(
  options: WebhookReceiverOptions & { readonly path: string },
): (instance: FastifyLike) => Promise<void> {
  assertReceiverOptions(options);
  return async (instance) => {
    instance.removeAllContentTypeParsers();
    instance.addContentTypeParser('*', {}, (_request, _payload, done) => done(null));
    instance.all(options.path, async (request, reply) => {
      const { status, headers, body } = await receiveFromNode(request.raw, options);
      reply.code(status);
      reply.headers({ ...headers });
      return reply.send(body);
    });
  };
}
