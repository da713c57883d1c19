import { lookup } from 'node:dns/promises';
import type { Server } from 'node:http';
import { Server as TlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { type Database, openDatabase } from '../../database/index.ts';
import { SignatureFailures } from '../../features/devices/index.ts';
import { loadGuidance } from '../../features/guidance/index.ts';
import type { Workflow } from '../../features/jobs/index.ts';
import { Examiner, ScanWriter } from '../../features/scan/index.ts';
import { TenantService } from '../../features/tenants/index.ts';
import { TokenAuthenticator, TokenService } from '../../features/tokens/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Config } from '../../platform/config/config.ts';
import { createCursorCodec } from '../../platform/http/cursors.ts';
import type { Logger } from '../../platform/logger.ts';
import { loadTlsContext, type TlsContext } from '../../platform/tls/tls-files.ts';
import { type TlsWatch, watchTlsFiles } from '../../platform/tls/tls-watch.ts';
import { createAccessControl } from '../http/access.ts';
import { buildHttp } from '../http/build-http.ts';
import { createMetrics, type HttpMetrics } from '../http/metrics.ts';
import { openRoutes } from '../http/open-routes.ts';
import { refusePlaintext } from '../http/refuse-plaintext.ts';
import { createTenantResolver } from '../http/resolve-tenant.ts';
import { serviceVersion } from '../service-version.ts';
import { buildRoutes } from './build-routes.ts';
import { createServiceLimiter } from './create-limiter.ts';
import { readCursorKey } from './cursor-key.ts';
import { prepareDrain } from './drain-server.ts';
import { type FirstStart, prepareFirstStart } from './first-start.ts';
import { prepareJobs } from './prepare-jobs.ts';
import { startWorkers } from './start-maintenance.ts';
import { addQueueMetrics, preparePush } from './start-webhooks.ts';

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

/** What must be closed again, in the order it was opened. */
type Opened = (() => unknown)[];

/** Starts the whole service. Whatever fails on the way leaves nothing running. */
export async function startService(parts: StartParts): Promise<Service> {
  const opened: Opened = [];
  try {
    return await start(parts, opened);
  } catch (error) {
    // Why it did not start is worth more than what then could not be closed.
    await closeAll(opened).catch((failure: unknown) =>
      parts.logger.error({ err: failure }, 'closing failed'),
    );
    throw error;
  }
}

type StartParts = {
  config: Config;
  logger: Logger;
  clock: Clock;
  /** Instead of the service's own, for tests of what surrounds them. */
  workflows?: readonly Workflow[];
};

async function start({ config, logger, clock, workflows }: StartParts, opened: Opened): Promise<Service> {
  const cards = loadGuidance();
  const tls = config.tls && loadTls(config.tls, { logger, clock });
  const { url, poolSize } = config.database;
  const database = await openDatabase(url.reveal(), { poolSize, logger });
  opened.push(() => database.close());
  const limiter = createServiceLimiter({ config, clock, logger });
  opened.push(() => limiter.close());
  const authenticator = new TokenAuthenticator({ database, clock, logger });
  const metrics = createMetrics();
  const push = await preparePush({ config, database, clock, logger, metrics });
  opened.push(() => push.dispatcher.stop());
  const { secrets, dispatcher } = push;
  const jobs = prepareJobs({ config, database, clock, logger, metrics, ...(workflows && { workflows }) });
  const { worker } = jobs;
  opened.push(() => worker.stop());
  const workers = startWorkers({ database, authenticator, limiter, secrets, clock, logger, config });
  opened.push(() => workers.stop());

  const version = serviceVersion();
  const tokens = new TokenService({ database, clock });
  const tenants = new TenantService({ database, clock });
  const cursors = createCursorCodec(await readCursorKey(database));
  const signatureFailures = new SignatureFailures({ database, clock, logger });
  opened.push(() => signatureFailures.settle());
  const examiner = await Examiner.open(config.scan, logger);
  opened.push(() => examiner.close());
  const scanWriter = new ScanWriter(database);
  opened.push(() => scanWriter.close());
  const { routes, writer } = buildRoutes({
    ...{ config, database, clock, cursors, tokens, version, examiner, scanWriter },
    ...{ push, jobs, cards, signatureFailures },
  });
  opened.push(() => writer.close());
  metrics.gauge('tps_events_waiting', 'Requests whose events are not yet on disk.', () => writer.waiting());
  addQueueMetrics(metrics, { database, clock });

  let isStopping = false;
  const { perMinute, trustProxy } = config.rateLimit;
  const { baseUrl } = config.urls;
  const app = await buildHttp({
    ...{ config, logger, metrics, tls, routes },
    access: createAccessControl({ authenticator, limiter: limiter.limiter, perMinute, trustProxy }),
    resolveTenant: createTenantResolver(database),
    mountOpenRoutes: openRoutes({
      ...{ database, version, baseUrl },
      isStopping: () => isStopping,
      isDispatching: () => dispatcher.isRunning(),
      isWorking: () => worker.isRunning(),
    }),
  });
  if (app.server instanceof TlsServer) refusePlaintext(app.server);
  // Not before closing has begun: from then on every answer says `Connection: close`.
  app.addHook('preClose', prepareDrain(app.server));
  opened.push(() => app.close());
  const firstStart = await prepareFirstStart({ database, tenants, tokens });
  // The metrics come first: when their port is taken, nobody has been served yet.
  const metricsServer = await listenMetrics(metrics, config);
  opened.push(() => metricsServer?.close());
  const watch = await listen(app, { config, logger, tls });
  opened.push(() => watch?.stop());
  await dispatcher.start();
  await worker.start();

  return {
    baseUrl: toBaseUrl(config, app.server),
    database,
    firstStart,
    reloadTls: () => watch?.reload(),
    async stop() {
      isStopping = true;
      // Begins now, while requests are still being answered: there are seconds to stop in, and all of it may need them.
      const ended = Promise.all([dispatcher.stop(), worker.stop()]);
      await closeAll(opened);
      await ended;
    },
  };
}

/** The last opened first: requests are answered before the events they wait for stop, and all of it before the store. */
async function closeAll(opened: Opened): Promise<void> {
  const failures: unknown[] = [];
  for (const close of opened.splice(0).reverse()) {
    // What comes after must be closed all the same: the store last of all, with everything written.
    try {
      await close();
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, 'not everything could be closed');
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
  // Of a name that has several addresses the first: one server is what everything here watches and drains.
  const { address } = await lookup(config.http.bind.host);
  await app.listen({ host: address, port: config.http.bind.port, backlog: 1024 });
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
