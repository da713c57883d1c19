import { type buildConnector, Pool } from 'undici';

/** Idle connections are closed after so long, before most receivers do it themselves. */
const IDLE_MS = 4000;
/** A receiver may ask for longer with a Keep-Alive header, but not for ever. */
const LONGEST_IDLE_MS = 30_000;
/** A busy host is looked up anew this often: its address may have moved, or may no longer be allowed. */
const LONGEST_LIFE_MS = 300_000;
const SWEEP_MS = 5000;
const LARGEST_HEAD_BYTES = 16 * 1024;

/** The connections of one origin. */
export type OriginPool = {
  readonly origin: string;
  readonly pool: Pool;
  readonly createdAtMs: number;
  usedAtMs: number;
  inFlight: number;
};

/**
 * Keeps the connections of each origin and forgets origins that are not called any more. Undici's Agent would do but for
 * two things: it never closes an idle HTTP/2 connection, and it no longer knows those connections when it is destroyed
 * whose origin it has dropped.
 */
export class OriginPools {
  readonly #connect: buildConnector.connector;
  readonly #entries = new Map<string, OriginPool>();
  readonly #retired = new Set<Pool>();
  #sweeper: NodeJS.Timeout | undefined;

  constructor(connect: buildConnector.connector) {
    this.#connect = connect;
  }

  /** How many origins have connections. */
  get size(): number {
    return this.#entries.size;
  }

  /** Gives the connections of an origin for one request. */
  borrow(origin: string): OriginPool {
    const entry = this.#entries.get(origin) ?? this.#create(origin);
    entry.inFlight += 1;
    return entry;
  }

  /** Ends the loan. Doubtful connections are given to nobody else. */
  giveBack(entry: OriginPool, { isDoubtful }: { readonly isDoubtful: boolean }): void {
    entry.inFlight -= 1;
    entry.usedAtMs = performance.now();
    if (isDoubtful) this.#retire(entry);
  }

  /** Cuts every connection. */
  async destroy(): Promise<void> {
    clearInterval(this.#sweeper);
    const pools = [...this.#retired, ...[...this.#entries.values()].map(({ pool }) => pool)];
    this.#entries.clear();
    await Promise.all(pools.map((pool) => pool.destroy()));
  }

  #create(origin: string): OriginPool {
    this.#sweeper ??= setInterval(() => this.#sweep(), SWEEP_MS).unref();
    const pool = new Pool(origin, {
      connect: this.#connect,
      allowH2: true,
      // A POST is never sent behind another whose answer is not there yet. For HTTP/2 it means a connection each.
      pipelining: 1,
      keepAliveTimeout: IDLE_MS,
      keepAliveMaxTimeout: LONGEST_IDLE_MS,
      maxHeaderSize: LARGEST_HEAD_BYTES,
      // The exchange has a clock of its own, for all of it.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
    const now = performance.now();
    const entry = { origin, pool, createdAtMs: now, usedAtMs: now, inFlight: 0 };
    this.#entries.set(origin, entry);
    return entry;
  }

  #sweep(): void {
    const now = performance.now();
    for (const entry of this.#entries.values()) {
      const isIdle = entry.inFlight === 0 && now - entry.usedAtMs > LONGEST_IDLE_MS;
      if (isIdle || now - entry.createdAtMs > LONGEST_LIFE_MS) this.#retire(entry);
    }
  }

  /** Lets what is under way finish and takes no more. */
  #retire({ origin, pool }: OriginPool): void {
    if (this.#entries.get(origin)?.pool === pool) this.#entries.delete(origin);
    if (pool.closed || pool.destroyed) return;
    this.#retired.add(pool);
    void pool.close().finally(() => this.#retired.delete(pool));
  }
}
