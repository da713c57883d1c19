import type { EventIdClaim, EventIdStore } from './event-id-store.ts';

/** Limits and lifetimes of a store in memory. */
export interface MemoryEventIdStoreOptions {
  /** How long a handled event is remembered, in seconds (default 86,400). */
  readonly ttlS?: number;
  /** Maximum number of remembered events, of which the oldest are dropped first, and of concurrent claims (default 100,000). */
  readonly maxEntries?: number;
  /** Seconds after which a claim expires that was neither confirmed nor released (default 300). */
  readonly leaseS?: number;
  /** Milliseconds since any fixed time (default `Date.now`). */
  readonly clock?: () => number;
}

interface Lease {
  readonly untilMs: number;
}

/**
 * Creates a store for a receiver with a single process. Its content is lost when the process ends: events delivered again
 * are then handled again. Several processes need a shared store.
 *
 * @throws TypeError when a limit is not a positive number
 */
export function createMemoryEventIdStore(options: MemoryEventIdStoreOptions = {}): EventIdStore {
  const { ttlS = 86_400, maxEntries = 100_000, leaseS = 300, clock = Date.now } = options;
  for (const [name, value] of Object.entries({ ttlS, maxEntries, leaseS })) {
    if (!(Number.isFinite(value) && value > 0)) throw new TypeError(`${name} must be a positive number.`);
  }
  // All entries of a map have the same lifetime, so they expire in the order of insertion.
  const handled = new Map<string, Lease>();
  const claims = new Map<string, Lease>();

  const confirm = (key: string, lease: Lease) => {
    release(key, lease);
    handled.delete(key);
    handled.set(key, { untilMs: clock() + ttlS * 1000 });
    if (handled.size > maxEntries) removeFirst(handled);
  };
  const release = (key: string, lease: Lease) => {
    if (claims.get(key) === lease) claims.delete(key);
  };
  const claim = (key: string): EventIdClaim => {
    const nowMs = clock();
    removeExpired(handled, nowMs);
    removeExpired(claims, nowMs);
    if (handled.has(key)) return { status: 'handled' };
    if (claims.has(key) || claims.size >= maxEntries) return { status: 'busy' };
    const lease = { untilMs: nowMs + leaseS * 1000 };
    claims.set(key, lease);
    return {
      status: 'claimed',
      confirm: async () => confirm(key, lease),
      release: async () => release(key, lease),
    };
  };
  return { claim: async (key) => claim(key) };
}

function removeExpired(entries: Map<string, Lease>, nowMs: number): void {
  for (const [key, { untilMs }] of entries) {
    if (untilMs > nowMs) return;
    entries.delete(key);
  }
}

function removeFirst(entries: Map<string, Lease>): void {
  for (const key of entries.keys()) {
    entries.delete(key);
    return;
  }
}
