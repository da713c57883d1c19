import { getDocs, getHealth, getOpenApi, getReadiness, operations, toOpenApi } from '@tps/contract';
import type { FastifyInstance } from 'fastify';
import type { Database } from '../../database/index.ts';
import type { PublicPaths } from '../../platform/http/public-paths.ts';
import { ServiceError } from '../../platform/service-error.ts';
import { createDocsPage } from './docs-page.ts';

export interface OpenRouteParts {
  readonly database: Database;
  readonly version: string;
  readonly baseUrl: string;
  readonly paths: PublicPaths;
  /** Returns where a browser finds the console. */
  readonly consoleLocation: () => string;
  readonly isStopping: () => boolean;
  /** Whether webhook delivery is running. */
  readonly isDispatching: () => boolean;
  /** Whether jobs are running. */
  readonly isWorking: () => boolean;
  /** Whether events can be stored. */
  readonly isAppending: () => boolean;
  /** Starts what scans need, and resolves with whether it is there. */
  readonly isScanning: () => Promise<boolean>;
}

/** Adds the routes that need no credential and expose no data. */
export function openRoutes(parts: OpenRouteParts) {
  const { database, version, baseUrl, paths, isStopping, isDispatching, isWorking } = parts;
  // Built on first use: it takes 20 ms, and most processes never need it.
  let json: string | undefined;
  const openApi = () => {
    json ??= JSON.stringify({
      ...toOpenApi(operations, version),
      servers: [{ url: baseUrl, description: 'This service.' }],
    });
    return json;
  };

  return async (app: FastifyInstance): Promise<void> => {
    app.get(getHealth.path, { config: { operation: getHealth } }, async () => ({ status: 'ok' }));

    app.get(getReadiness.path, { config: { operation: getReadiness } }, async () => {
      if (isStopping()) throw new ServiceError('unavailable', 'The service is stopping');
      // Checked before the store, where a write may wait behind events that cannot be stored.
      if (!parts.isAppending())
        throw new ServiceError('unavailable', 'Events cannot be stored at the moment');
      await database.assertWritable();
      if (!isDispatching()) throw new ServiceError('unavailable', 'Webhook delivery is not running');
      if (!isWorking()) throw new ServiceError('unavailable', 'Triage jobs are not running');
      if (!(await parts.isScanning())) throw new ServiceError('unavailable', 'The scan threads are starting');
      return { status: 'ready', components: { store: 'up', dispatcher: 'up', workflow: 'up' } };
    });

    app.get(getOpenApi.path, { config: { operation: getOpenApi } }, async (_request, reply) =>
      reply.header('content-type', 'application/json; charset=utf-8').send(openApi()),
    );

    // A person with a browser is looking for the console. A program, or a person with curl, gets the addresses.
    app.get('/', { config: { operation: getDocs } }, async (request, reply) => {
      reply.header('vary', [reply.getHeader('vary'), 'Accept'].filter(Boolean).join(', '));
      const isBrowser = request.headers.accept?.includes('text/html') ?? false;
      if (isBrowser) return reply.redirect(parts.consoleLocation());
      return {
        service: 'Threat Protection Service',
        console: new URL(parts.consoleLocation(), baseUrl).href,
        docs: `${baseUrl}${getDocs.path}`,
        openapi: `${baseUrl}${getOpenApi.path}`,
        health: `${baseUrl}${getHealth.path}`,
      };
    });

    const docsPage = createDocsPage(paths);
    for (const url of [getDocs.path, `${getDocs.path}/*`]) {
      app.get(url, { config: { operation: getDocs } }, async (request, reply) => {
        const { status, headers, body } = await docsPage(request.url);
        if (status === 404) throw new ServiceError('not_found', 'This path does not exist');
        return reply.code(status).headers(headers).send(body);
      });
    }
  };
}
