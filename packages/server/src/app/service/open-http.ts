import { Server as TlsServer } from 'node:https';
import type { FastifyInstance } from 'fastify';
import type { SharedParts } from '../../features/feature.ts';
import { PublicPaths } from '../../platform/http/public-paths.ts';
import { openBackgroundOutput } from '../../platform/logger.ts';
import type { TlsContext } from '../../platform/tls/tls-files.ts';
import type { Features } from '../features.ts';
import { createAccessControl } from '../http/access/access.ts';
import { createTenantResolver } from '../http/access/resolve-tenant.ts';
import { type AccessLog, createAccessLog } from '../http/access-log.ts';
import { createBrokenRequestAnswers } from '../http/broken-request.ts';
import { buildHttp, type HttpParts } from '../http/build-http.ts';
import { createHttpMetrics } from '../http/http-metrics.ts';
import { type OpenRouteParts, openRoutes } from '../http/open-routes.ts';
import { pageAssets } from '../http/page-assets.ts';
import { refusePlaintext } from '../http/refuse-plaintext.ts';
import { drainServer } from './drain-server.ts';
import { guardApi } from './guard-connections.ts';
import type { Closers, ServiceOptions } from './service-options.ts';
import { CONSOLE_MOUNT_PATH, listOwnPaths, type OwnSite } from './web-site.ts';

interface Parts {
  readonly shared: SharedParts & { readonly site: OwnSite };
  readonly features: Features;
  readonly accessLog: AccessLog | undefined;
  readonly tls: TlsContext | undefined;
  readonly isStopping: () => boolean;
}

/** Opens the HTTP server, which serves the routes and pages of all features. It does not listen yet. */
export async function openHttp(parts: Parts, opened: Closers): Promise<FastifyInstance> {
  const { shared, features, accessLog } = parts;
  const httpMetrics = createHttpMetrics(shared.metrics);
  const answers = createBrokenRequestAnswers(accessLog);
  const app = await buildHttp({ ...toHttpParts(parts), metrics: httpMetrics, answers });
  if (app.server instanceof TlsServer) refusePlaintext(app.server, answers);
  const guard = guardApi(app.server, { ...shared, httpMetrics, accessLog, answers });
  // Not before closing has begun: from then on every response says `Connection: close`.
  app.addHook('preClose', () => {
    // Streams have no end by themselves.
    features.events.streams.close();
    return drainServer(app.server, guard);
  });
  opened.push(() => app.close());
  return app;
}

function toHttpParts(parts: Parts): Omit<HttpParts, 'metrics' | 'answers'> {
  const { shared, features, accessLog, tls } = parts;
  const { all, tokens, oauth, events } = features;
  const { limiter, requests } = features.limits;
  const { site } = shared;
  const { perMinute, trustProxy } = shared.config.rateLimit;
  const paths = new PublicPaths(shared.config.urls.publicPrefix, listOwnPaths(site));
  const pages = { site, formKey: shared.keys.forms, limiter, trustProxy };
  return {
    ...{ ...shared, accessLog, tls, paths },
    onEventsRefused: (reason) => events.counter.refused(reason),
    routes: all.flatMap(({ routes = [] }) => routes),
    access: createAccessControl({
      ...{ limiter, requests, perMinute, trustProxy },
      authenticator: tokens.authenticator,
      proofs: oauth.proofs,
    }),
    resolveTenant: createTenantResolver(shared.database),
    console: { ...features.console, ...pages, mountPath: CONSOLE_MOUNT_PATH },
    web: {
      ...{ ...shared, ...pages, mountPath: site.mountPath },
      routes: [...pageAssets(), ...all.flatMap((feature) => feature.pages ?? [])],
      authorizationServer: oauth.server,
    },
    mountOpenRoutes: openRoutes(toOpenRouteParts(parts, paths)),
  };
}

function toOpenRouteParts({ shared, features, isStopping }: Parts, paths: PublicPaths): OpenRouteParts {
  const { webhooks, jobs, events, scan } = features;
  return {
    ...{ ...shared, paths, isStopping },
    baseUrl: shared.config.urls.baseUrl,
    consoleLocation: () => shared.site.consoleLocation,
    isDispatching: () => webhooks.dispatcher.isRunning(),
    isWorking: () => jobs.worker.isRunning(),
    isAppending: () => !events.writer.isStuck(),
    isScanning: () => scan.analyzer.warmUp(),
  };
}

/** Opens the access log, if there is one. */
export function openAccessLog(
  { config, logger, accessOutput }: ServiceOptions,
  opened: Closers,
): AccessLog | undefined {
  if (!config.logging.access) return undefined;
  if (accessOutput) return createAccessLog(accessOutput);
  const output = openBackgroundOutput(logger);
  opened.push(() => output.close());
  return createAccessLog(output);
}
