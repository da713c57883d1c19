import type { EventIdClaim, EventIdStore } from './event-id-store.ts';

export interface MemoryEventIdStoreOptions {
  /** Seconds for which an event that was handled is remembered. A day unless given. */
  readonly ttlS?: number;
  /** Most events remembered, the oldest being forgotten first, and most claims at once. 100 000 unless given. */
  readonly maxEntries?: number;
  /** Seconds after which a claim that was neither confirmed nor released runs out. 5 minutes unless given. */
  readonly leaseS?: number;
  /** Milliseconds since any fixed moment. The clock unless given. */
  readonly clock?: () => number;
}

interface Lease {
  readonly untilMs: number;
}

/**
 * Creates a store for a receiver that is one process. It forgets everything when the process ends, and then handles
 * again what is delivered again; several processes need a store that they share.
 *
 * @throws TypeError when a limit is not a positive number
 */
export function createMemoryEventIdStore(options: MemoryEventIdStoreOptions = {}): EventIdStore {
  const { ttlS = 86_400, maxEntries = 100_000, leaseS = 300, clock = Date.now } = options;
  for (const [name, value] of Object.entries({ ttlS, maxEntries, leaseS })) {
    if (!(Number.isFinite(value) && value > 0)) throw new TypeError(`${name} must be a positive number.`);
  }
  // All entries of one map live equally long, so the order of insertion is the order in which they run out.
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
