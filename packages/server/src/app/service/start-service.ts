import type { Server } from 'node:http';
import { Server as TlsServer } from 'node:https';
import type { FastifyInstance } from 'fastify';
import type { Database } from '../../database/index.ts';
import { TenantService } from '../../features/tenants/tenant-service.ts';
import { loadTlsContext, type TlsContext } from '../../platform/tls/tls-files.ts';
import { type TlsWatch, watchTlsFiles } from '../../platform/tls/tls-watch.ts';
import { openFeatures, startLoops, stopLoops } from '../features.ts';
import { runFirstStart } from './first-start.ts';
import { listen, listenForMetrics } from './listen.ts';
import { openAccessLog, openHttp } from './open-http.ts';
import { openShared } from './open-shared.ts';
import { registerCertificateMetrics, registerServiceMetrics } from './service-metrics.ts';
import type { Closers, ServiceOptions } from './service-options.ts';

export interface Service {
  /** The base URL of the API, with the port that was actually bound. */
  readonly baseUrl: string;
  readonly database: Database;
  /** Reloads the TLS files. Does nothing without TLS. */
  reloadTls(): void;
  /** Accepts no new work, completes what is under way, and resolves when all of it is on disk. */
  stop(): Promise<void>;
}

/** Starts the whole service. If anything fails on the way, everything already started is stopped. */
export async function startService(options: ServiceOptions): Promise<Service> {
  const opened: Closers = [];
  try {
    return await start(options, opened);
  } catch (error) {
    // The reason for the failed start matters more than a failure to clean up.
    await closeAll(opened).catch((failure: unknown) =>
      options.logger.error({ err: failure }, 'cleanup after failed start failed'),
    );
    throw error;
  }
}

async function start(options: ServiceOptions, opened: Closers): Promise<Service> {
  const { config, logger, outlet } = options;
  for (const warning of config.warnings) logger.warn(warning);
  const tls = loadTls(options);
  const accessLog = openAccessLog(options, opened);
  const shared = await openShared(options, opened);
  const features = await openFeatures(shared, options, opened);
  registerServiceMetrics(shared, features.all);
  let isStopping = false;
  const app = await openHttp({ shared, features, accessLog, tls, isStopping: () => isStopping }, opened);
  // Metrics come first: if their port is taken, no client has been served yet.
  const metricsServer = await listenForMetrics(shared);
  opened.push(() => metricsServer?.close());
  const baseUrl = await listen(app, config);
  shared.site.listensAt(baseUrl);
  const watch = watchTls(app, options, tls);
  opened.push(() => watch?.stop());
  if (watch) registerCertificateMetrics(shared.metrics, watch);
  // Not before: a service that cannot listen must not use up its first start.
  await runFirstStart({
    ...{ ...shared, outlet, baseUrl, authUrl: shared.site.url },
    tenants: new TenantService(shared),
    tokens: features.tokens.tokens,
    invitations: features.members.invitations,
  });
  // Until webhooks are delivered and jobs run, the service is not ready.
  startLoops(features.all);

  return {
    baseUrl,
    database: shared.database,
    reloadTls: () => watch?.reload(),
    async stop() {
      isStopping = true;
      // Begins now, while requests are still being served: they may need the whole time limit of a stop.
      const ended = stopLoops(features.all);
      await closeAll(opened);
      await ended;
    },
  };
}

/** Closes in reverse order: requests finish before the event writer they wait for, and everything before the store. */
async function closeAll(opened: Closers): Promise<void> {
  const failures: unknown[] = [];
  for (const close of opened.splice(0).reverse()) {
    // The rest must be closed even so: the store last, with everything written.
    try {
      await close();
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, 'some parts of the service failed to close');
}

function loadTls({ config, logger, clock }: ServiceOptions): TlsContext | undefined {
  if (!config.tls) return undefined;
  const { context, warnings } = loadTlsContext(config.tls, clock.now());
  for (const warning of warnings) logger.warn(warning);
  return context;
}

function watchTls(
  app: FastifyInstance,
  { config, logger }: ServiceOptions,
  tls: TlsContext | undefined,
): TlsWatch | undefined {
  const { server } = app as { server: Server | TlsServer };
  if (!(server instanceof TlsServer && tls && config.tls)) return undefined;
  return watchTlsFiles({ server, files: config.tls, served: tls, logger });
}
