import { createPool } from '../../database/index.ts';
import { DeviceCounts } from '../../features/devices/index.ts';
import type { Feature, SharedParts } from '../../features/feature.ts';
import type { Clock } from '../../platform/clock.ts';
import { withLocalFallback } from '../../platform/rate-limit/local-fallback.ts';
import { LocalLimiter } from '../../platform/rate-limit/local-limiter.ts';
import type { RateLimiter } from '../../platform/rate-limit/rate-limiter.ts';
import { SharedLimiter } from '../../platform/rate-limit/shared-limiter.ts';
import { RequestLimits } from '../http/access/request-limits.ts';

/** Waiting requests share one call, so few connections are enough. */
const POOL_SIZE = 2;

export interface ServiceLimiter extends Pick<Feature, 'chores' | 'close'> {
  /** Of requests that belong to no tenant. */
  readonly limiter: RateLimiter;
  readonly requests: RequestLimits;
}

/**
 * A single process counts in memory. Nodes that share a PostgreSQL database count there, and locally while it is
 * down.
 */
export function createServiceLimiter({
  config,
  database,
  clock,
  logger,
}: Pick<SharedParts, 'config' | 'database' | 'clock' | 'logger'>): ServiceLimiter {
  const local = createLocalLimiter(clock);
  const counts = new DeviceCounts({ database, clock });
  const toRequestLimits = (limiter: RateLimiter) =>
    new RequestLimits({
      limiter,
      configured: config.rateLimit,
      countDevices: (tenantId) => counts.active(tenantId),
    });
  const { engine, url } = config.database;
  if (engine === 'sqlite') return { limiter: local, requests: toRequestLimits(local) };
  const { pool } = createPool(url.reveal(), { size: POOL_SIZE, logger });
  const shared = new SharedLimiter({ pool });
  const limiter = withLocalFallback({ shared, local, logger, clock });
  return {
    limiter,
    requests: toRequestLimits(limiter),
    chores: { 'rate limiter': () => shared.purgeIdle() },
    async close() {
      await shared.close();
      await pool.end();
    },
  };
}

/**
 * Counts tenants and addresses separately. A full limiter forgets the key that was admitted least recently, and an attacker
 * can have many addresses.
 */
function createLocalLimiter(clock: Clock): RateLimiter {
  const [tenants, others] = [new LocalLimiter({ clock }), new LocalLimiter({ clock })];
  return {
    admit: (key, limit, share) => (share ? tenants : others).admit(key, limit, share),
  };
}
