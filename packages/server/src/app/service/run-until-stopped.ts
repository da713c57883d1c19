import { systemClock } from '../../platform/clock.ts';
import type { Config } from '../../platform/config/config.ts';
import { createLogger } from '../../platform/logger.ts';
import { describeFirstStart } from './first-start.ts';
import { startService } from './start-service.ts';

/** Whoever stops the service expects it to be gone after this. */
const STOP_WITHIN_MS = 9_500;

/** Runs the service until SIGTERM or SIGINT. SIGHUP reads the TLS files again. */
export async function runUntilStopped(config: Config): Promise<void> {
  const logger = createLogger({ level: config.logging.level });
  const service = await startService({ config, logger, clock: systemClock });
  const stopped = waitForStopSignal();
  process.on('SIGHUP', () => service.reloadTls());
  if (service.firstStart) process.stdout.write(describeFirstStart(service.firstStart, service.baseUrl));
  logger.info({ baseUrl: service.baseUrl, store: service.database.engine }, 'the service is ready');

  const signal = await stopped;
  logger.info({ signal }, 'stopping');
  // What hangs now may hang for ever: everything acknowledged is on disk, so ending is safe.
  const deadline = setTimeout(() => {
    logger.error('could not stop in time; ending with requests unanswered');
    process.exit(1);
  }, STOP_WITHIN_MS);
  await service.stop();
  clearTimeout(deadline);
  logger.info('stopped');
}

function waitForStopSignal(): Promise<string> {
  return new Promise((resolve) => {
    process.once('SIGTERM', () => resolve('SIGTERM'));
    process.once('SIGINT', () => resolve('SIGINT'));
  });
}
