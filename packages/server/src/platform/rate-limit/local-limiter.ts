import type { Clock } from '../clock.ts';
import { AdmissionLog } from './admission-log.ts';
import { type Admission, admitted, RATE_WINDOW_MS, type RateLimiter, refused } from './rate-limiter.ts';

/**
 * An exact sliding log in memory: for a single process, and as the fallback while a shared store is unavailable.
 *
 * Holds at most `maxKeys` keys. Beyond that it drops the least recently admitted key, which has left the window if
 * any key has; a key dropped earlier starts with a fresh budget.
 */
export class LocalLimiter implements RateLimiter {
  readonly #clock: Clock;
  readonly #windowMs: number;
  readonly #maxKeys: number;
  /** Ordered by newest admission: a key is removed and reinserted when it is admitted. */
  readonly #logs = new Map<string, AdmissionLog>();

  /** 100 000 keys at the default limit take at most about 110 MB, if every one of them is used up. */
  constructor(options: { clock: Clock; windowMs?: number; maxKeys?: number }) {
    this.#clock = options.clock;
    this.#windowMs = options.windowMs ?? RATE_WINDOW_MS;
    this.#maxKeys = options.maxKeys ?? 100_000;
  }

  /** The number of keys held. */
  get size(): number {
    return this.#logs.size;
  }

  async admit(key: string, limit: number): Promise<Admission> {
    const nowMs = this.#clock.now();
    const log = this.#logs.get(key) ?? new AdmissionLog();
    log.bringForward(nowMs);
    log.dropUntil(nowMs - this.#windowMs);
    if (log.count >= limit) return this.#refuse(log, { limit, nowMs });

    log.add(nowMs);
    this.#logs.delete(key);
    this.#logs.set(key, log);
    this.#evict();
    const resetAtMs = (log.at(0) ?? nowMs) + this.#windowMs;
    return admitted({ limit, remaining: limit - log.count, resetAtMs });
  }

  /** Takes the key's newest admission back: the request was refused for another reason, and must not count. */
  withdraw(key: string): void {
    this.#logs.get(key)?.removeNewest();
  }

  #refuse(log: AdmissionLog, { limit, nowMs }: { limit: number; nowMs: number }): Admission {
    // After the limit was lowered there may be more admissions than it allows: that many of the oldest must expire
    // first.
    const blocking = log.at(Math.max(0, log.count - limit)) ?? log.newest ?? nowMs;
    return refused({
      limit,
      nowMs,
      resetAtMs: (log.at(0) ?? nowMs) + this.#windowMs,
      retryAtMs: blocking + this.#windowMs,
    });
  }

  #evict(): void {
    for (const key of this.#logs.keys()) {
      if (this.#logs.size <= this.#maxKeys) return;
      this.#logs.delete(key);
    }
  }
}
