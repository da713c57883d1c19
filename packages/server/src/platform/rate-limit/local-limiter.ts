import type { Clock } from '../clock.ts';
import { AdmissionLog } from './admission-log.ts';
import { type Admission, admitted, RATE_WINDOW_MS, type RateLimiter, refused } from './rate-limiter.ts';
import { hasLeft, IN_USE_MS, type Part, type Share, toAllowance, toRule } from './share.ts';

/** 100 000 keys at the default limit take at most about 150 MB, if every one of them is used up. */
const MAX_KEYS_IN_MEMORY = 100_000;

/** The last holder of a part, and until when more than one counts as in use. */
interface PartUse {
  readonly holder: string;
  readonly atMs: number;
  readonly sharedUntilMs: number;
}

interface Key {
  readonly log: AdmissionLog;
  /** Undefined until a request has a share. */
  uses?: Map<Part, PartUse>;
}

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
  readonly #keys = new Map<string, Key>();

  constructor(options: { clock: Clock; windowMs?: number; maxKeys?: number }) {
    this.#clock = options.clock;
    this.#windowMs = options.windowMs ?? RATE_WINDOW_MS;
    this.#maxKeys = options.maxKeys ?? MAX_KEYS_IN_MEMORY;
  }

  /** The number of keys held. */
  get size(): number {
    return this.#keys.size;
  }

  async admit(name: string, limit: number, share?: Share): Promise<Admission> {
    const nowMs = this.#clock.now();
    const key: Key = this.#keys.get(name) ?? { log: new AdmissionLog() };
    const { log } = key;
    log.bringForward(nowMs);
    log.dropUntil(nowMs - this.#windowMs);
    const isShared = share !== undefined && recordUse(key, share, nowMs);
    const rule = toRule(limit, { isShared, isInUse: (part) => isInUse(key.uses?.get(part), nowMs) }, share);

    const allowance = toAllowance(rule, log.usageOf(share));
    const resetAtMs = (log.oldest ?? nowMs) + this.#windowMs;
    if (allowance.remaining <= 0) {
      const blocking = log.findBlocking(share, (left) => hasLeft(rule, left)) ?? nowMs;
      return refused({ limit: allowance.limit, nowMs, resetAtMs, retryAtMs: blocking + this.#windowMs });
    }
    log.add(nowMs, share);
    this.#keys.delete(name);
    this.#keys.set(name, key);
    this.#evict();
    return admitted({ limit: allowance.limit, remaining: allowance.remaining - 1, resetAtMs });
  }

  #evict(): void {
    for (const name of this.#keys.keys()) {
      if (this.#keys.size <= this.#maxKeys) return;
      this.#keys.delete(name);
    }
  }
}

/** Records that a holder uses its part. Returns whether other holders of the part are in use. */
function recordUse(key: Key, { part, holder }: Share, nowMs: number): boolean {
  key.uses ??= new Map();
  const last = key.uses.get(part);
  const isOther = last !== undefined && last.holder !== holder && isInUse(last, nowMs);
  const sharedUntilMs = isOther ? nowMs + IN_USE_MS : (last?.sharedUntilMs ?? 0);
  key.uses.set(part, { holder, atMs: nowMs, sharedUntilMs });
  return nowMs < sharedUntilMs;
}

function isInUse(use: PartUse | undefined, nowMs: number): boolean {
  return use !== undefined && nowMs - use.atMs < IN_USE_MS;
}
