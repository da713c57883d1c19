import { randomUUID } from 'node:crypto';
import { type Batcher, createBatcher } from '../concurrency/batcher.ts';
import { type Admission, admitted, RATE_WINDOW_MS, type RateLimiter, refused } from './rate-limiter.ts';
import { IN_USE_MS, type Share } from './share.ts';
import { PURGE_KEYS } from './shared-limiter-ddl.ts';
import { ADMIT_SHARES, PURGE_PARTS } from './shares-ddl.ts';
import { within } from './within.ts';

/** The part of a `pg.Pool` that is needed here. */
export type QueryRunner = {
  query(config: { text: string; values: unknown[] }): Promise<{ rows: unknown[] }>;
};

/** A store that takes longer than this counts as unavailable. */
export const STORE_TIMEOUT_MS = 500;
/** Bounds how many keys one call locks, and for how long. */
const MAX_BATCH = 256;
const MAX_QUEUE = 10_000;
const KEYS_PER_PURGE = 1_000;

type Request = { key: string; limit: number; share: Share | undefined };
/** Equal requests that arrived together. With the nonce, a repeated query counts once. */
type Group = Request & { nonce: string; places: number[] };
type GroupRow = {
  granted: number;
  allowed: number;
  remaining: number;
  now_ms: number;
  oldest_ms: number;
  retry_ms: number;
};

/**
 * An exact sliding log shared by all nodes. The database decides, by its own clock, under a lock per key. Requests
 * that wait at the same time on one node share a round trip.
 *
 * Measured beside the database on 2 cores: 0.4 ms for a single request; 3 ms each for 64 at once, about 20 000 a
 * second.
 */
export class SharedLimiter implements RateLimiter {
  readonly #pool: QueryRunner;
  readonly #windowMs: number;
  readonly #batcher: Batcher<Request, Admission>;

  /** Requires the schemas `SHARED_LIMITER_DDL` and `SHARES_DDL`. */
  constructor(options: { pool: QueryRunner; windowMs?: number }) {
    this.#pool = options.pool;
    this.#windowMs = options.windowMs ?? RATE_WINDOW_MS;
    this.#batcher = createBatcher({
      run: (requests) => this.#admitAll(requests),
      maxBatch: MAX_BATCH,
      maxQueue: MAX_QUEUE,
    });
  }

  /** Rejects when the store fails or does not respond in time; whether the request was counted is then unknown. */
  admit(key: string, limit: number, share?: Share): Promise<Admission> {
    return this.#batcher.submit({ key, limit, share });
  }

  /** Resolves when the store can admit requests again. Counts nothing. */
  async probe(): Promise<void> {
    await this.#query([]);
  }

  /**
   * Deletes all unused keys, some at a time, and returns how many. Requests without a credential have keys by their
   * address, of which one client can have many.
   */
  async purgeIdle(): Promise<number> {
    await this.#pool.query({ text: PURGE_PARTS, values: [IN_USE_MS] });
    for (let total = 0; ; ) {
      const { rows } = await this.#pool.query({ text: PURGE_KEYS, values: [this.#windowMs, KEYS_PER_PURGE] });
      const swept = (rows as { swept: number }[])[0]?.swept ?? 0;
      total += swept;
      if (swept < KEYS_PER_PURGE) return total;
    }
  }

  close(): Promise<void> {
    return this.#batcher.close();
  }

  async #admitAll(requests: Request[]): Promise<PromiseSettledResult<Admission>[]> {
    const groups = groupRequests(requests);
    const rows = await this.#query(groups);
    const answers: PromiseSettledResult<Admission>[] = [];
    for (const [at, { places }] of groups.entries()) {
      const row = rows[at];
      if (row === undefined) throw new Error(`expected ${groups.length} groups, got ${rows.length}`);
      for (const [turn, place] of places.entries()) {
        answers[place] = { status: 'fulfilled', value: this.#toAdmission(row, turn) };
      }
    }
    return answers;
  }

  /** `turn` numbers the requests of a group from 0: the first ones get what was granted. */
  #toAdmission(row: GroupRow, turn: number): Admission {
    const { allowed: limit, granted } = row;
    const resetAtMs = row.oldest_ms + this.#windowMs;
    if (turn >= granted) {
      return refused({ limit, nowMs: row.now_ms, resetAtMs, retryAtMs: row.retry_ms + this.#windowMs });
    }
    return admitted({ limit, remaining: Math.max(0, row.remaining + granted - turn - 1), resetAtMs });
  }

  async #query(groups: Group[]): Promise<GroupRow[]> {
    const ask = async () => {
      const { rows } = await this.#pool.query({ text: ADMIT_SHARES, values: this.#toValues(groups) });
      return rows as GroupRow[];
    };
    // Sent again with the same nonces: a connection that broke after the commit must not count twice.
    const askAgain = (error: unknown) => (isLostConnection(error) ? ask() : Promise.reject(error));
    return within(STORE_TIMEOUT_MS, ask().catch(askAgain));
  }

  #toValues(groups: Group[]): unknown[] {
    return [
      groups.map(({ key }) => key),
      groups.map(({ limit }) => limit),
      groups.map(({ places }) => places.length),
      groups.map(({ nonce }) => nonce),
      groups.map(({ share }) => share?.part ?? null),
      groups.map(({ share }) => share?.holder ?? null),
      groups.map(({ share }) => share?.holderLimit ?? null),
      groups.map(({ share }) => share?.reserves.programs ?? 0),
      groups.map(({ share }) => share?.reserves.devices ?? 0),
      groups.map(({ share }) => share?.reserves.people ?? 0),
      this.#windowMs,
      IN_USE_MS,
    ];
  }
}

function groupRequests(requests: Request[]): Group[] {
  const groups = new Map<string, Group>();
  for (const [place, request] of requests.entries()) {
    const name = JSON.stringify(request);
    const group = groups.get(name) ?? { ...request, nonce: randomUUID(), places: [] };
    group.places.push(place);
    groups.set(name, group);
  }
  return [...groups.values()];
}

/** No SQLSTATE at all (the socket broke), a connection exception (08…) or a server that is shutting down (57P…). */
function isLostConnection(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return !/^[0-9A-Z]{5}$/.test(code) || /^08|^57P/.test(code);
}
