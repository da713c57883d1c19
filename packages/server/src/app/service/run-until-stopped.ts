import { systemClock } from '../../platform/clock.ts';
import type { Config } from '../../platform/config/config.ts';
import { createLogger } from '../../platform/logger.ts';
import { refuseGlobalFetch } from '../../platform/outbound/refuse-global-fetch.ts';
import { toOutlet } from './first-credentials.ts';
import { logProcessFaults } from './log-process-faults.ts';
import { startService } from './start-service.ts';

/** Those who stop the service expect it to be gone after this. */
const STOP_WITHIN_MS = 9_500;
const EXIT_WITHIN_MS = 250;

/** Runs the service until SIGTERM or SIGINT, or until its terminal is closed. Without a terminal, SIGHUP reloads TLS. */
export async function runUntilStopped(config: Config): Promise<void> {
  const logger = createLogger({ level: config.logging.level });
  logProcessFaults(logger);
  refuseGlobalFetch();
  const outlet = toOutlet(config, { stdout: process.stdout, logger });
  const service = await startService({ config, logger, clock: systemClock, outlet });
  const isOnTerminal = process.stdout.isTTY;
  const stopped = waitForStopSignal(isOnTerminal ? ['SIGTERM', 'SIGINT', 'SIGHUP'] : ['SIGTERM', 'SIGINT']);
  if (!isOnTerminal) process.on('SIGHUP', () => service.reloadTls());
  logger.info({ baseUrl: service.baseUrl, store: service.database.engine }, 'service started');

  const signal = await stopped;
  logger.info({ signal }, 'service stopping');
  // What hangs now may hang forever. All acknowledged data is on disk, so exiting is safe.
  const deadline = setTimeout(() => {
    logger.error('shutdown timed out; exiting with unanswered requests');
    process.exit(1);
  }, STOP_WITHIN_MS);
  await service.stop();
  clearTimeout(deadline);
  logger.info('service stopped');
  // Does not keep the process alive, but ends it if something else does: an export to a collector that does not answer.
  setTimeout(() => process.exit(), EXIT_WITHIN_MS).unref();
}

function waitForStopSignal(signals: readonly NodeJS.Signals[]): Promise<string> {
  return new Promise((resolve) => {
    for (const signal of signals) process.once(signal, () => resolve(signal));
  });
}
