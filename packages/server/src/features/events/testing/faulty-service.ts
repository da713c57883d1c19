/** The service with a faulty writer thread, in its own process. */
import { fileURLToPath } from 'node:url';
import { startService } from '../../../app/service/start-service.ts';
import { systemClock } from '../../../platform/clock.ts';
import { loadConfig } from '../../../platform/config/config.ts';
import { createLogger } from '../../../platform/logger.ts';

const config = loadConfig(process.env);
const logger = createLogger({ level: 'info' });
const workerFile = fileURLToPath(new URL('./faulty-append-worker.ts', import.meta.url));
const outlet = { publish: () => undefined, confirm: () => undefined, withdraw: () => undefined };
const { baseUrl } = await startService({
  config,
  logger,
  clock: systemClock,
  outlet,
  appendThread: { workerFile, limits: { slowMs: 300, endMs: 1_500 } },
});
logger.info({ baseUrl }, 'service started');
