import type { Clock } from '../clock.ts';
import type { Logger } from '../logger.ts';
import type { Admission, RateLimiter } from './rate-limiter.ts';
import { STORE_TIMEOUT_MS } from './shared-limiter.ts';
import { within } from './within.ts';

const PROBE_EVERY_MS = 1_000;

/**
 * Keeps limiting while the shared store is away: each node then counts for itself, so that n nodes admit at most n
 * times the limit. The shared limiter is asked again once it has answered a probe; one is sent each second, beside the
 * requests and only while there are any.
 */
export function withLocalFallback(options: {
  shared: RateLimiter & { probe(): Promise<void> };
  local: RateLimiter;
  logger: Logger;
  clock: Clock;
}): RateLimiter {
  const { shared, local, logger, clock } = options;
  let isAway = false;
  let isProbing = false;
  let probedAtMs = 0;

  function noteFailure(error: unknown): void {
    probedAtMs = clock.now();
    if (isAway) return;
    isAway = true;
    logger.warn({ err: error }, 'the shared rate limit is away; this node counts for itself');
  }

  async function probe(): Promise<void> {
    if (isProbing || Math.abs(clock.now() - probedAtMs) < PROBE_EVERY_MS) return;
    isProbing = true;
    try {
      await within(STORE_TIMEOUT_MS, shared.probe());
      isAway = false;
      logger.info('the shared rate limit is back');
    } catch (error) {
      noteFailure(error);
    } finally {
      isProbing = false;
    }
  }

  async function admitShared(key: string, limit: number): Promise<Admission> {
    const admission = await within(STORE_TIMEOUT_MS, shared.admit(key, limit));
    // Counted here as well: if the store goes away, what this node has admitted is not forgotten.
    if (admission.allowed) await local.admit(key, limit);
    return admission;
  }

  return {
    async admit(key, limit) {
      if (isAway) {
        void probe();
        return local.admit(key, limit);
      }
      try {
        return await admitShared(key, limit);
      } catch (error) {
        noteFailure(error);
        return local.admit(key, limit);
      }
    },
  };
}
