import { createPool } from '../../database/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Config } from '../../platform/config/config.ts';
import type { Logger } from '../../platform/logger.ts';
import { withLocalFallback } from '../../platform/rate-limit/local-fallback.ts';
import { LocalLimiter } from '../../platform/rate-limit/local-limiter.ts';
import type { RateLimiter } from '../../platform/rate-limit/rate-limiter.ts';
import { SharedLimiter } from '../../platform/rate-limit/shared-limiter.ts';

/** Waiting requests share one call, so few connections are enough. */
const POOL_SIZE = 2;

export interface ServiceLimiter {
  readonly limiter: RateLimiter;
  /** Deletes unused keys. Called regularly. */
  purgeIdle(): Promise<void>;
  close(): Promise<void>;
}

/**
 * A single process counts in memory. Nodes that share a PostgreSQL database count there, and locally while it is
 * down.
 */
export function createServiceLimiter(parts: {
  config: Config;
  clock: Clock;
  logger: Logger;
}): ServiceLimiter {
  const { config, clock, logger } = parts;
  const local = new LocalLimiter({ clock });
  const { engine, url } = config.database;
  if (engine === 'sqlite') {
    return { limiter: local, purgeIdle: async () => undefined, close: async () => undefined };
  }
  const pool = createPool(url.reveal(), { size: POOL_SIZE, logger });
  const shared = new SharedLimiter({ pool });
  return {
    limiter: withLocalFallback({ shared, local, logger, clock }),
    async purgeIdle() {
      await shared.purgeIdle();
    },
    async close() {
      await shared.close();
      await pool.end();
    },
  };
}
