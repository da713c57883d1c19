import { randomUUID } from 'node:crypto';
import { type Batcher, createBatcher } from '../concurrency/batcher.ts';
import { type Admission, admitted, RATE_WINDOW_MS, type RateLimiter, refused } from './rate-limiter.ts';
import { ADMIT_REQUESTS, PURGE_KEYS } from './shared-limiter-ddl.ts';
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

type Request = { key: string; limit: number };
/** Requests of one key under one limit that arrived together. With the nonce, a repeated query counts once. */
type Group = Request & { nonce: string; places: number[] };
type GroupRow = { granted: number; used: number; now_ms: number; oldest_ms: number; retry_ms: number };

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

  /** Requires the schema `SHARED_LIMITER_DDL`. */
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
  admit(key: string, limit: number): Promise<Admission> {
    return this.#batcher.submit({ key, limit });
  }

  /** Resolves when the store can admit requests again. Counts nothing. */
  async probe(): Promise<void> {
    await this.#query([]);
  }

  /** Deletes some unused keys and returns how many. Fewer than a thousand means that none are left for now. */
  async purgeIdle(): Promise<number> {
    const values = [this.#windowMs, KEYS_PER_PURGE];
    const { rows } = await this.#pool.query({ text: PURGE_KEYS, values });
    return (rows as { swept: number }[])[0]?.swept ?? 0;
  }

  close(): Promise<void> {
    return this.#batcher.close();
  }

  async #admitAll(requests: Request[]): Promise<PromiseSettledResult<Admission>[]> {
    const groups = groupRequests(requests);
    const rows = await this.#query(groups);
    const answers: PromiseSettledResult<Admission>[] = [];
    for (const [at, group] of groups.entries()) {
      const row = rows[at];
      if (row === undefined) throw new Error(`expected ${groups.length} groups, got ${rows.length}`);
      for (const [turn, place] of group.places.entries()) {
        answers[place] = { status: 'fulfilled', value: this.#toAdmission(row, { turn, limit: group.limit }) };
      }
    }
    return answers;
  }

  /** `turn` numbers the requests of a group from 0: the first ones get what was granted. */
  #toAdmission(row: GroupRow, { turn, limit }: { turn: number; limit: number }): Admission {
    const resetAtMs = row.oldest_ms + this.#windowMs;
    if (turn >= row.granted) {
      return refused({ limit, nowMs: row.now_ms, resetAtMs, retryAtMs: row.retry_ms + this.#windowMs });
    }
    const usedThen = row.used - row.granted + turn + 1;
    return admitted({ limit, remaining: Math.max(0, limit - usedThen), resetAtMs });
  }

  async #query(groups: Group[]): Promise<GroupRow[]> {
    const ask = async () => {
      const values = [
        groups.map(({ key }) => key),
        groups.map(({ limit }) => limit),
        groups.map(({ places }) => places.length),
        groups.map(({ nonce }) => nonce),
        this.#windowMs,
      ];
      const { rows } = await this.#pool.query({ text: ADMIT_REQUESTS, values });
      return rows as GroupRow[];
    };
    // Sent again with the same nonces: a connection that broke after the commit must not count twice.
    const askAgain = (error: unknown) => (isLostConnection(error) ? ask() : Promise.reject(error));
    return within(STORE_TIMEOUT_MS, ask().catch(askAgain));
  }
}

function groupRequests(requests: Request[]): Group[] {
  const groups = new Map<string, Group>();
  for (const [place, { key, limit }] of requests.entries()) {
    const name = `${limit} ${key}`;
    const group = groups.get(name) ?? { key, limit, nonce: randomUUID(), places: [] };
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
