import { createHash } from 'node:crypto';
import scalar from '@scalar/fastify-api-reference';
import { getDocs, getHealth, getOpenApi, getReadiness, operations, toOpenApi } from '@tps/contract';
import type { FastifyInstance } from 'fastify';
import type { Database } from '../../database/index.ts';
import { ServiceError } from '../../platform/service-error.ts';

export interface OpenRouteParts {
  readonly database: Database;
  readonly version: string;
  readonly baseUrl: string;
  readonly isStopping: () => boolean;
}

/** Adds the routes that are open to all and hold no data. */
export function openRoutes({ database, version, baseUrl, isStopping }: OpenRouteParts) {
  const document = toOpenApi(operations, version);
  const json = JSON.stringify({ ...document, servers: [{ url: baseUrl, description: 'This service.' }] });

  return async (app: FastifyInstance): Promise<void> => {
    app.get(getHealth.path, { config: { operation: getHealth } }, async () => ({ status: 'ok' }));

    app.get(getReadiness.path, { config: { operation: getReadiness } }, async () => {
      if (isStopping()) throw new ServiceError('unavailable', 'The service is stopping');
      await database.ping();
      return { status: 'ready', components: { store: 'up' } };
    });

    app.get(getOpenApi.path, { config: { operation: getOpenApi } }, async (_request, reply) =>
      reply.header('content-type', 'application/json; charset=utf-8').send(json),
    );

    await app.register(addDocs);
  };
}

/** The page runs its own scripts and asks this service only. Its inline scripts are known by their digests. */
async function addDocs(docs: FastifyInstance): Promise<void> {
  docs.addHook('onRoute', (route) => {
    route.config = { ...route.config, operation: getDocs };
  });
  docs.addHook<unknown>('onSend', async (_request, reply, payload) => {
    const isPage = String(reply.getHeader('content-type')).startsWith('text/html');
    if (isPage && typeof payload === 'string') reply.header('content-security-policy', toPolicy(payload));
    return payload;
  });
  await docs.register(scalar, {
    routePrefix: getDocs.path,
    configuration: { url: getOpenApi.path, withDefaultFonts: false, telemetry: false },
  });
}

function toPolicy(html: string): string {
  const inline = [...html.matchAll(/<script(?![^>]*\bsrc=)[^>]*>([\s\S]*?)<\/script>/g)].map(
    ([, script = '']) => script,
  );
  const digests = inline.map((script) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`);
  return [
    "default-src 'none'",
    `script-src 'self' ${digests.join(' ')}`.trim(),
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self' data:",
    "connect-src 'self'",
    "frame-ancestors 'none'",
  ].join('; ');
}
