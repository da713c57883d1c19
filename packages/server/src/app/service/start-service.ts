import type { Server } from 'node:http';
import { Server as TlsServer } from 'node:https';
import type { FastifyInstance } from 'fastify';
import type { DestinationStream } from 'pino';
import { type Database, openDatabase, readInstallationKeys, withMetrics } from '../../database/index.ts';
import type { PasswordCost } from '../../features/accounts/index.ts';
import { RequestDatabase } from '../../features/authority/index.ts';
import { DataRequestWorker } from '../../features/data-requests/index.ts';
import { SignatureFailures } from '../../features/devices/index.ts';
import { type AppendThreadOptions, toDerivationSettings } from '../../features/events/index.ts';
import type { Workflow } from '../../features/jobs/index.ts';
import { ContentAnalyzer, registerScanMetrics, ScanWriter } from '../../features/scan/index.ts';
import { StatusReader } from '../../features/status/index.ts';
import { TenantService } from '../../features/tenants/tenant-service.ts';
import { TokenAuthenticator } from '../../features/tokens/index.ts';
import { TokenService } from '../../features/tokens/token-service.ts';
import type { Wake } from '../../features/webhooks/index.ts';
import type { Clock } from '../../platform/clock.ts';
import { Activity } from '../../platform/concurrency/activity.ts';
import { FairTurns } from '../../platform/concurrency/fair-turns.ts';
import type { Config } from '../../platform/config/config.ts';
import { createCursorCodec } from '../../platform/http/cursors.ts';
import { PublicPaths } from '../../platform/http/public-paths.ts';
import { type Logger, openBackgroundOutput } from '../../platform/logger.ts';
import { Mailer } from '../../platform/mail/mailer.ts';
import { Metrics } from '../../platform/metrics/metrics.ts';
import { loadTlsContext, type TlsContext } from '../../platform/tls/tls-files.ts';
import { type TlsWatch, watchTlsFiles } from '../../platform/tls/tls-watch.ts';
import { createAccessControl } from '../http/access/access.ts';
import { createTenantResolver } from '../http/access/resolve-tenant.ts';
import { type AccessLog, createAccessLog } from '../http/access-log.ts';
import { createBrokenRequestAnswers } from '../http/broken-request.ts';
import { buildHttp } from '../http/build-http.ts';
import { createHttpMetrics } from '../http/http-metrics.ts';
import { openRoutes } from '../http/open-routes.ts';
import { refusePlaintext } from '../http/refuse-plaintext.ts';
import { serviceVersion } from '../service-version.ts';
import { startTelemetry } from '../telemetry/start-telemetry.ts';
import { createAccountTies, createEndAccessOfMember } from './account-ties.ts';
import { buildRoutes } from './build-routes.ts';
import { buildPages } from './build-web.ts';
import { createHoldings } from './create-holdings.ts';
import { createServiceLimiter, type ServiceLimiter } from './create-limiter.ts';
import { drainServer } from './drain-server.ts';
import { type FirstCredentialsOutlet, runFirstStart } from './first-start.ts';
import { guardApi } from './guard-connections.ts';
import { listen, listenForMetrics } from './listen.ts';
import { prepareAccounts } from './prepare-accounts.ts';
import { prepareConsole } from './prepare-console.ts';
import { prepareEvents } from './prepare-events.ts';
import { prepareJobs } from './prepare-jobs.ts';
import { prepareMembers } from './prepare-members.ts';
import { prepareOauth } from './prepare-oauth.ts';
import { prepareSignOn } from './prepare-sign-on.ts';
import { registerCertificateMetrics, registerServiceMetrics } from './service-metrics.ts';
import { startMaintenance } from './start-maintenance.ts';
import { prepareNotices } from './start-notices.ts';
import { prepareWebhooks } from './start-webhooks.ts';
import { listOwnPaths, OwnSite } from './web-site.ts';

export interface Service {
  /** The base URL of the API, with the port that was actually bound. */
  readonly baseUrl: string;
  readonly database: Database;
  /** Reloads the TLS files. Does nothing without TLS. */
  reloadTls(): void;
  /** Accepts no new work, completes what is under way, and resolves when all of it is on disk. */
  stop(): Promise<void>;
}

/** What must be closed, in the order it was opened. */
type Closers = (() => unknown)[];

/** Starts the whole service. If anything fails on the way, everything already started is stopped. */
export async function startService(parts: StartParts): Promise<Service> {
  const opened: Closers = [];
  try {
    return await start(parts, opened);
  } catch (error) {
    // The reason for the failed start matters more than a failure to clean up.
    await closeAll(opened).catch((failure: unknown) =>
      parts.logger.error({ err: failure }, 'cleanup after failed start failed'),
    );
    throw error;
  }
}

type StartParts = {
  config: Config;
  logger: Logger;
  clock: Clock;
  /** Where the credentials of the first start go. */
  outlet: FirstCredentialsOutlet;
  /** What jobs can run (default: incident triage). */
  workflows?: readonly Workflow[];
  /** Replaces the writer thread with one that fails. */
  appendThread?: Partial<AppendThreadOptions>;
  /** The cost of hashing passwords. Tests use a low one. */
  passwordCost?: PasswordCost;
  /** The built console (default: that of this repository). */
  consoleFolder?: string;
  /** Where the access log goes if there is one (default: standard output). */
  accessOutput?: DestinationStream;
};

async function start(startParts: StartParts, opened: Closers): Promise<Service> {
  const { config, logger, clock, outlet } = startParts;
  for (const warning of config.warnings) logger.warn(warning);
  const tls = config.tls && loadTls(config.tls, { logger, clock });
  const accessLog = config.logging.access ? openAccessLog(startParts, opened) : undefined;
  const site = new OwnSite(config);
  const parts = await openParts({ ...startParts, site, activity: new Activity() }, opened);
  const { database, metrics, dispatcher, worker, dataRequests, tokens, notices } = parts;
  let isStopping = false;
  const app = await openHttp(
    { ...parts, config, logger, accessLog, tls, site, isStopping: () => isStopping },
    opened,
  );
  // Metrics come first: if their port is taken, no client has been served yet.
  const metricsServer = await listenForMetrics(metrics, { config, logger });
  opened.push(() => metricsServer?.close());
  const baseUrl = await listen(app, config);
  site.listensAt(baseUrl);
  const watch = watchTls(app, { config, logger, tls });
  opened.push(() => watch?.stop());
  if (watch) registerCertificateMetrics(metrics, watch);
  // Not before: a service that cannot listen must not use up its first start.
  const tenants = new TenantService({ database, clock });
  const { invitations } = parts.members;
  const created = { tenants, tokens, invitations };
  await runFirstStart({ database, ...created, outlet, baseUrl, authUrl: site.url, logger });
  // Until both run, the service is not ready.
  dispatcher.start();
  worker.start();
  notices.start();
  dataRequests.start();

  return {
    baseUrl,
    database,
    reloadTls: () => watch?.reload(),
    async stop() {
      isStopping = true;
      // Begins now, while requests are still being served: they may need all the seconds there are to stop.
      const ended = Promise.all([dispatcher.stop(), worker.stop(), notices.stop()]);
      await closeAll(opened);
      await ended;
    },
  };
}

/** Opens everything that serves requests and works beside them, except HTTP itself. */
async function openParts(parts: StartParts & { site: OwnSite; activity: Activity }, opened: Closers) {
  const { config, logger, clock, appendThread, passwordCost, site, activity } = parts;
  const { url, poolSize } = config.database;
  const metrics = new Metrics({ logger });
  const database = withMetrics(await openDatabase(url.reveal(), { poolSize, logger }), metrics);
  opened.push(() => database.close());
  const limiter = createServiceLimiter({ config, database, clock, logger });
  opened.push(() => limiter.close());
  const authenticator = new TokenAuthenticator({ database, clock, logger });
  const turns = new FairTurns();
  const shared = { database, metrics, limiter, authenticator, turns };
  const background = await openBackground({ ...parts, ...shared }, opened);
  const { tracer, push, jobs, dataRequests } = background;
  const { worker } = jobs;

  const version = serviceVersion();
  const tokens = new TokenService({ database, clock });
  const keys = await readInstallationKeys(database);
  const cursors = createCursorCodec(keys.cursors);
  const { secrets, origins, dispatcher } = push;
  const mailer = new Mailer({ server: config.mail, logger });
  const holdings = createHoldings({ database, clock });
  const endAccess = createEndAccessOfMember({ database, clock, holdings });
  const ties = createAccountTies({ clock, holdings, endAccess });
  const kept = { keys, secrets, mailer, site, ties, passwordCost };
  const accounts = await prepareAccounts({ config, database, clock, logger, ...kept });
  const { throttle } = accounts;
  opened.push(() => accounts.close());
  const oauth = prepareOauth({ config, database, clock, logger, secrets, site, accounts, holdings });
  const requests = new RequestDatabase({ database, clock, tracer });
  const signatureFailures = new SignatureFailures({ database: requests, clock, logger });
  opened.push(() => signatureFailures.flush());
  const analyzer = await ContentAnalyzer.open(config.scan, { logger, turns });
  opened.push(() => analyzer.close());
  const scanWriter = new ScanWriter(requests, registerScanMetrics(metrics));
  opened.push(() => scanWriter.close());
  const wake: Wake = (tenantId, webhookIds) => push.dispatcher.wake(tenantId, webhookIds);
  const own = { config, database, clock, logger, metrics, activity };
  const appending = { requests, cursors, turns, wake, origins, tracer, appendThread };
  const { close: closeEvents, ...events } = prepareEvents({ ...own, ...appending });
  opened.push(closeEvents);
  const writers = { requests, scanWriter, wake, ...events };
  const windows = toDerivationSettings(config.derivation).threat;
  const status = new StatusReader({ database, clock, windows, version, push, worker, analyzer });
  const health = { push, worker, analyzer, eventWriter: events.eventWriter };
  const notices = prepareNotices({ ...own, ...health, requests, cursors, mailer, throttle, site, status });
  opened.push(() => notices.stop());
  const serving = { tokens, version, analyzer, turns, push, jobs, signatureFailures, status, tracer };
  registerServiceMetrics(metrics, { ...own, version, worker, dispatcher, analyzer, ...events });
  const members = prepareMembers({ database, requests, clock, cursors, accounts, mailer, site, holdings });
  const signOn = prepareSignOn({ ...own, requests, accounts, members, push, site });
  const otherRoutes = [...members.routes, ...signOn.routes, ...notices.routes];
  const wakeDataRequests = () => dataRequests.wake();
  const features = { config, database, clock, cursors, otherRoutes, wakeDataRequests, holdings };
  const routes = buildRoutes({ ...features, ...writers, ...serving });
  return {
    ...{ database, limiter, authenticator, metrics, tracer, dispatcher, worker, activity },
    ...{ tokens, version, routes, turns, analyzer, accounts, members, signOn, oauth, notices, dataRequests },
    ...events,
    console: prepareConsole({ database, clock, accounts, folder: parts.consoleFolder }),
    formKey: keys.forms,
  };
}

/** Opens what works beside requests: it delivers to webhooks, runs jobs, maintains the store, and reports all of it. */
async function openBackground(
  parts: StartParts & {
    database: Database;
    metrics: Metrics;
    limiter: ServiceLimiter;
    authenticator: TokenAuthenticator;
    turns: FairTurns;
    activity: Activity;
  },
  opened: Closers,
) {
  const { config, database, clock, logger, metrics, limiter, authenticator, turns, workflows, activity } =
    parts;
  const telemetry = await startTelemetry({ config, logger, registry: metrics.registry });
  // Closed when all spans have ended, but before the store, which the last metrics are read from.
  opened.push(() => telemetry.stop());
  const { tracer } = telemetry;
  const own = { config, database, clock, logger, metrics, activity };
  const push = await prepareWebhooks({ ...own, tracer });
  opened.push(() => push.secretKeeper.stop());
  opened.push(() => push.dispatcher.stop());
  const jobs = prepareJobs({ ...own, tracer, turns, ...(workflows && { workflows }) });
  opened.push(() => jobs.worker.stop());
  const dataRequests = new DataRequestWorker({ database, clock, logger });
  opened.push(() => dataRequests.stop());
  const maintenance = startMaintenance({ ...own, authenticator, limiter });
  opened.push(() => maintenance.stop());
  return { tracer, push, jobs, dataRequests };
}

type HttpParts = Awaited<ReturnType<typeof openParts>> & {
  config: Config;
  logger: Logger;
  accessLog: AccessLog | undefined;
  tls: TlsContext | undefined;
  site: OwnSite;
  isStopping: () => boolean;
};

async function openHttp(
  { config, logger, accessLog, tls, site, isStopping, ...parts }: HttpParts,
  opened: Closers,
): Promise<FastifyInstance> {
  const { database, limiter, authenticator, metrics, dispatcher, worker, version, routes, turns } = parts;
  const { analyzer, eventWriter, eventCounter, streams } = parts;
  const httpMetrics = createHttpMetrics(metrics);
  const { perMinute, trustProxy } = config.rateLimit;
  const { limiter: addresses, requests } = limiter;
  const { baseUrl, publicPrefix } = config.urls;
  const paths = new PublicPaths(publicPrefix, listOwnPaths(site));
  const pages = { site, formKey: parts.formKey, limiter: addresses, trustProxy };
  const answers = createBrokenRequestAnswers(accessLog);
  const app = await buildHttp({
    ...{ config, logger, metrics: httpMetrics, accessLog, answers, tls },
    onEventsRefused: (reason) => eventCounter.refused(reason),
    tracer: parts.tracer,
    routes,
    paths,
    turns,
    activity: parts.activity,
    access: createAccessControl({
      ...{ authenticator, limiter: addresses, requests, perMinute, trustProxy },
      proofs: parts.oauth.proofs,
    }),
    resolveTenant: createTenantResolver(database),
    console: { ...parts.console, ...pages },
    web: {
      ...pages,
      mountPath: site.mountPath,
      routes: buildPages(parts),
      authorizationServer: parts.oauth.server,
      logger,
    },
    mountOpenRoutes: openRoutes({
      database,
      version,
      baseUrl,
      paths,
      consoleLocation: () => site.consoleLocation,
      isStopping,
      isDispatching: () => dispatcher.isRunning(),
      isWorking: () => worker.isRunning(),
      isAppending: () => !eventWriter.isStuck(),
      isScanning: () => analyzer.warmUp(),
    }),
  });
  if (app.server instanceof TlsServer) refusePlaintext(app.server, answers);
  const guard = guardApi(app.server, { config, logger, metrics, httpMetrics, accessLog, answers });
  // Not before closing has begun: from then on every response says `Connection: close`.
  app.addHook('preClose', () => {
    // Streams have no end by themselves.
    streams.close();
    return drainServer(app.server, guard);
  });
  opened.push(() => app.close());
  return app;
}

function openAccessLog({ logger, accessOutput }: StartParts, opened: Closers): AccessLog {
  if (accessOutput) return createAccessLog(accessOutput);
  const output = openBackgroundOutput(logger);
  opened.push(() => output.close());
  return createAccessLog(output);
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

function loadTls(
  files: NonNullable<Config['tls']>,
  { logger, clock }: { logger: Logger; clock: Clock },
): TlsContext {
  const { context, warnings } = loadTlsContext(files, clock.now());
  for (const warning of warnings) logger.warn(warning);
  return context;
}

function watchTls(
  app: FastifyInstance,
  { config, logger, tls }: { config: Config; logger: Logger; tls: TlsContext | undefined },
): TlsWatch | undefined {
  const { server } = app as { server: Server | TlsServer };
  if (!(server instanceof TlsServer && tls && config.tls)) return undefined;
  return watchTlsFiles({ server, files: config.tls, served: tls, logger });
}
