import type { Clock } from '../clock.ts';
import type { Logger } from '../logger.ts';
import type { Admission, RateLimiter } from './rate-limiter.ts';
import { STORE_TIMEOUT_MS } from './shared-limiter.ts';
import { within } from './within.ts';

const PROBE_EVERY_MS = 1_000;

/**
 * Keeps limiting while the shared store is unavailable: each node then counts on its own, so that n nodes admit at
 * most n times the limit. While requests arrive, one probe a second is sent beside them; the shared limiter takes
 * over again after a successful probe.
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

  function recordFailure(error: unknown): void {
    probedAtMs = clock.now();
    if (isAway) return;
    isAway = true;
    logger.warn({ err: error }, 'shared rate limiter failed; limiting on this node only');
  }

  async function probe(): Promise<void> {
    if (isProbing || Math.abs(clock.now() - probedAtMs) < PROBE_EVERY_MS) return;
    isProbing = true;
    try {
      await within(STORE_TIMEOUT_MS, shared.probe());
      isAway = false;
      logger.info('shared rate limiter recovered');
    } catch (error) {
      recordFailure(error);
    } finally {
      isProbing = false;
    }
  }

  async function admitShared(...request: Parameters<RateLimiter['admit']>): Promise<Admission> {
    const admission = await within(STORE_TIMEOUT_MS, shared.admit(...request));
    // Counted locally as well: if the store fails, this node still knows what it has admitted.
    if (admission.allowed) await local.admit(...request);
    return admission;
  }

  return {
    async admit(...request) {
      if (isAway) {
        void probe();
        return local.admit(...request);
      }
      try {
        return await admitShared(...request);
      } catch (error) {
        recordFailure(error);
        return local.admit(...request);
      }
    },
  };
}
