import type { Server } from 'node:http';
import { Server as TlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { type Database, openDatabase } from '../database/index.ts';
import { TenantService } from '../features/tenants/index.ts';
import { TokenAuthenticator, TokenService } from '../features/tokens/index.ts';
import type { Clock } from '../platform/clock.ts';
import type { Config } from '../platform/config.ts';
import { createCursorCodec } from '../platform/cursors.ts';
import type { Logger } from '../platform/logger.ts';
import { loadTlsContext, type TlsContext } from '../platform/tls-files.ts';
import { type TlsWatch, watchTlsFiles } from '../platform/tls-watch.ts';
import { buildRoutes } from './build-routes.ts';
import { createServiceLimiter } from './create-limiter.ts';
import { readCursorKey } from './cursor-key.ts';
import { type FirstStart, prepareFirstStart } from './first-start.ts';
import { createAccessControl } from './http/access.ts';
import { buildHttp } from './http/build-http.ts';
import { createMetrics, type HttpMetrics } from './http/metrics.ts';
import { openRoutes } from './http/open-routes.ts';
import { refusePlaintext } from './http/refuse-plaintext.ts';
import { createTenantResolver } from './http/resolve-tenant.ts';
import { serviceVersion } from './service-version.ts';
import { startWorkers } from './start-workers.ts';

export interface Service {
  /** Where the API is reached, with the port that was really taken. */
  readonly baseUrl: string;
  readonly database: Database;
  readonly firstStart: FirstStart | undefined;
  /** Reads the TLS files again. Without TLS there is nothing to read. */
  reloadTls(): void;
  /** Takes no new work, answers what is under way, and resolves when all of it is on disk. */
  stop(): Promise<void>;
}

/** Starts the whole service. Whatever fails on the way leaves nothing running. */
export async function startService(parts: {
  config: Config;
  logger: Logger;
  clock: Clock;
}): Promise<Service> {
  const { config, logger, clock } = parts;
  const tls = config.tls && loadTls(config.tls, { logger, clock });
  const database = await openDatabase(config.database.url.reveal(), {
    poolSize: config.database.poolSize,
    logger,
  });
  try {
    return await startOn(database, { ...parts, tls });
  } catch (error) {
    await database.close();
    throw error;
  }
}

async function startOn(
  database: Database,
  parts: { config: Config; logger: Logger; clock: Clock; tls: TlsContext | undefined },
): Promise<Service> {
  const { config, logger, clock, tls } = parts;
  const version = serviceVersion();
  const cursors = createCursorCodec(await readCursorKey(database, config.secrets));
  const tokens = new TokenService({ database, clock });
  const tenants = new TenantService({ database, clock });
  const authenticator = new TokenAuthenticator({ database, clock, logger });
  const serviceLimiter = createServiceLimiter({ config, clock, logger });
  const { routes, writer } = buildRoutes({ config, database, clock, cursors, tokens, version });
  const metrics = createMetrics();
  metrics.gauge('tps_events_waiting', 'Requests whose events are not yet on disk.', () => writer.waiting());

  let isStopping = false;
  const { perMinute, trustProxy } = config.rateLimit;
  const app = await buildHttp({
    config,
    logger,
    metrics,
    tls,
    routes,
    access: createAccessControl({ authenticator, limiter: serviceLimiter.limiter, perMinute, trustProxy }),
    resolveTenant: createTenantResolver(database),
    mountOpenRoutes: openRoutes({
      database,
      version,
      baseUrl: config.urls.baseUrl,
      isStopping: () => isStopping,
    }),
  });
  const firstStart = await prepareFirstStart({ database, tenants, tokens });
  const watch = await listen(app, { config, logger, tls });
  const metricsServer = await listenMetrics(metrics, config);
  const workers = startWorkers({ database, authenticator, limiter: serviceLimiter, clock, logger });

  return {
    baseUrl: toBaseUrl(config, app.server),
    database,
    firstStart,
    reloadTls: () => watch?.reload(),
    async stop() {
      isStopping = true;
      await app.close();
      await writer.close();
      await workers.stop();
      watch?.stop();
      metricsServer?.close();
      await serviceLimiter.close();
      await database.close();
    },
  };
}

function loadTls(
  files: NonNullable<Config['tls']>,
  { logger, clock }: { logger: Logger; clock: Clock },
): TlsContext {
  const { context, warnings } = loadTlsContext(files, clock.now());
  for (const warning of warnings) logger.warn(warning);
  return context;
}

async function listen(
  app: FastifyInstance,
  { config, logger, tls }: { config: Config; logger: Logger; tls: TlsContext | undefined },
): Promise<TlsWatch | undefined> {
  const { server } = app as { server: Server | TlsServer };
  if (server instanceof TlsServer) refusePlaintext(server);
  await app.listen({ host: config.http.bind.host, port: config.http.bind.port, backlog: 1024 });
  if (!(server instanceof TlsServer && tls && config.tls)) return undefined;
  return watchTlsFiles({ server, files: config.tls, served: tls, logger });
}

async function listenMetrics(metrics: HttpMetrics, { metrics: where }: Config): Promise<Server | undefined> {
  if (!where) return undefined;
  const server = metrics.createServer();
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(where.bind.port, where.bind.host, resolve);
  });
  server.unref();
  return server;
}

/** Port 0 in the configuration means any free one: only now is it known which. */
function toBaseUrl({ urls, http }: Config, server: Server): string {
  const address = server.address() as AddressInfo | null;
  return http.bind.port === 0 && address
    ? urls.baseUrl.replace(/:0(?=\/|$)/, `:${address.port}`)
    : urls.baseUrl;
}
