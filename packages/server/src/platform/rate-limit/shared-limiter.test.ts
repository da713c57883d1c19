import { randomUUID } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { ManualClock } from '@tps/testing/time';
import pg from 'pg';
import { describe, expect, test } from 'vitest';
import { createLogger } from '../logger.ts';
import { withLocalFallback } from './local-fallback.ts';
import { LocalLimiter } from './local-limiter.ts';
import type { Admission } from './rate-limiter.ts';
import { type QueryRunner, SharedLimiter } from './shared-limiter.ts';
import { useLimiterDatabase } from './testing/limiter-database.ts';

const database = useLimiterDatabase();

/** What nodes of a version that knows no shares call. */
const ADMIT_OF_OLDER_VERSION = 'SELECT * FROM admit_requests($1, $2, $3, $4, $5)';

function countAllowed(answers: Admission[]): number {
  return answers.filter(({ allowed }) => allowed).length;
}

describe('two nodes on one database', () => {
  test('admit exactly the limit of each key between them, under concurrent load', async () => {
    const otherPool = database.newPool();
    const nodes = [new SharedLimiter({ pool: database.pool }), new SharedLimiter({ pool: otherPool })];
    const answers = new Map<string, Admission[]>([
      ['a', []],
      ['b', []],
      ['c', []],
    ]);
    const load = nodes.flatMap((node, side) =>
      Array.from({ length: 40 }, async (_, client) => {
        for (let turn = 0; turn < 10; turn += 1) {
          // The nodes take the keys in opposite orders, so that locks taken in that order would deadlock.
          const keys = side === 0 ? ['a', 'b', 'c'] : ['c', 'b', 'a'];
          const batch = await Promise.all(keys.map((key) => node.admit(key, 400)));
          for (const [at, key] of keys.entries()) answers.get(key)?.push(...batch.slice(at, at + 1));
          if (client % 3 === 0) await nextTurn();
        }
      }),
    );
    await Promise.all(load);
    for (const [key, given] of answers) {
      expect(given).toHaveLength(800);
      expect(countAllowed(given)).toBe(400);
      expect(await database.storedCount(key)).toBe(400);
    }
    const remaining = answers
      .get('a')
      ?.filter(({ allowed }) => allowed)
      .map((answer) => answer.remaining);
    expect(remaining?.sort((x, y) => x - y)).toEqual(Array.from({ length: 400 }, (_, at) => at));
    await otherPool.end();
  });

  test('no window holds more than the limit as it slides by the database clock', async () => {
    const windowMs = 400;
    const otherPool = database.newPool();
    const nodes = [
      new SharedLimiter({ pool: database.pool, windowMs }),
      new SharedLimiter({ pool: otherPool, windowMs }),
    ];
    // The times are taken inside the database and survive the deletion of expired rows.
    await database.pool.query('CREATE TABLE seen (at timestamptz, count int)');
    await database.pool.query(`CREATE FUNCTION note() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN INSERT INTO seen VALUES (new.admitted_at, new.count); RETURN NULL; END $$`);
    await database.pool.query(
      'CREATE TRIGGER note AFTER INSERT ON rate_limit_admissions FOR EACH ROW EXECUTE FUNCTION note()',
    );
    const endsAt = Date.now() + 4 * windowMs;
    const load = nodes.map(async (node) => {
      while (Date.now() < endsAt) {
        await Promise.all([node.admit('a', 20), node.admit('a', 20)]);
        await nextTurn();
      }
    });
    await Promise.all(load);
    await database.pool.query('DROP TRIGGER note ON rate_limit_admissions');
    const { rows } = await database.pool.query(
      `SELECT max(n)::int AS most, sum(count)::int AS total FROM (
         SELECT count, sum(count) OVER (ORDER BY at RANGE BETWEEN
           interval '${windowMs - 0.001} milliseconds' PRECEDING AND CURRENT ROW) AS n FROM seen) AS windows`,
    );
    expect(rows[0].most).toBe(20);
    expect(rows[0].total).toBeGreaterThanOrEqual(60);
    await otherPool.end();
  });
});

test('a key locked by another node is waited for, and the time is taken afterwards', async () => {
  const limiter = new SharedLimiter({ pool: database.pool });
  await limiter.admit('a', 5);
  const other = await database.pool.connect();
  await other.query('BEGIN');
  await other.query(ADMIT_OF_OLDER_VERSION, [['a'], [5], [1], [randomUUID()], 60_000]);
  const waiting = limiter.admit('a', 5);
  const countWaiting = `SELECT count(*)::int AS n FROM pg_stat_activity
    WHERE datname = current_database() AND wait_event_type = 'Lock'`;
  await expect.poll(async () => (await database.pool.query(countWaiting)).rows[0].n, { interval: 5 }).toBe(1);
  const { rows: before } = await other.query('SELECT clock_timestamp() AS released_at');
  await other.query('COMMIT');
  other.release();
  expect((await waiting).remaining).toBe(2);
  const { rows: after } = await database.pool.query(
    'SELECT max(admitted_at) AS admitted_at FROM rate_limit_admissions',
  );
  expect(after[0].admitted_at.getTime()).toBeGreaterThanOrEqual(before[0].released_at.getTime());
});

describe('one node', () => {
  test('refused requests do not count, and the result says when to retry', async () => {
    const limiter = new SharedLimiter({ pool: database.pool });
    const startedAt = Date.now();
    await limiter.admit('a', 2);
    await limiter.admit('a', 2);
    for (let turn = 0; turn < 5; turn += 1) {
      const answer = await limiter.admit('a', 2);
      expect(answer).toMatchObject({ allowed: false, limit: 2, remaining: 0 });
      expect(answer.retryAfterSeconds).toBeGreaterThan(50);
      expect(answer.retryAfterSeconds).toBeLessThanOrEqual(60);
      expect(answer.resetAt * 1000 - startedAt).toBeGreaterThanOrEqual(60_000);
      expect(answer.resetAt * 1000 - startedAt).toBeLessThan(62_000);
    }
    expect(await database.storedCount('a')).toBe(2);
  });

  test('requests that wait together share one round trip and get their own results', async () => {
    let calls = 0;
    const counting: QueryRunner = {
      query(config) {
        calls += 1;
        return database.pool.query(config);
      },
    };
    const limiter = new SharedLimiter({ pool: counting });
    const answers = await Promise.all([
      limiter.admit('a', 2),
      limiter.admit('b', 2),
      limiter.admit('a', 2),
      limiter.admit('a', 2),
      limiter.admit('a', 4),
    ]);
    expect(calls).toBe(1);
    expect(answers.map(({ allowed, limit, remaining }) => [allowed, limit, remaining])).toEqual([
      [true, 2, 1],
      [true, 2, 1],
      [true, 2, 0],
      [false, 2, 0],
      [true, 4, 1],
    ]);
  });

  test('after the limit was lowered, a request that waits as long as told is admitted', async () => {
    const limiter = new SharedLimiter({ pool: database.pool });
    await limiter.admit('a', 5);
    await database.letPass(30);
    for (let turn = 0; turn < 4; turn += 1) await limiter.admit('a', 5);
    const answer = await limiter.admit('a', 2);
    expect(answer).toMatchObject({ allowed: false, retryAfterSeconds: 60 });
    await database.letPass(answer.retryAfterSeconds);
    expect((await limiter.admit('a', 2)).allowed).toBe(true);
  });

  test('a result lost after the commit is queried again without counting twice', async () => {
    let losses = 0;
    const lossy: QueryRunner = {
      async query(config) {
        const result = await database.pool.query(config);
        losses += 1;
        if (losses % 2 === 1) throw new Error('Connection terminated unexpectedly');
        return result;
      },
    };
    const limiter = new SharedLimiter({ pool: lossy });
    const answers = await Promise.all(Array.from({ length: 3 }, () => limiter.admit('a', 5)));
    expect(countAllowed(answers)).toBe(3);
    expect(await database.storedCount('a')).toBe(3);
    const more = await Promise.all(Array.from({ length: 5 }, () => limiter.admit('a', 5)));
    expect(countAllowed(more)).toBe(2);
    expect(losses).toBe(4);
  });

  test('an error that the database reports is passed on and not retried', async () => {
    let calls = 0;
    const broken: QueryRunner = {
      query() {
        calls += 1;
        return database.pool.query('SELECT 1 / 0');
      },
    };
    await expect(new SharedLimiter({ pool: broken }).admit('a', 1)).rejects.toMatchObject({ code: '22012' });
    expect(calls).toBe(1);
  });
});

test('a sweep deletes any number of unused keys', async () => {
  const limiter = new SharedLimiter({ pool: database.pool });
  await database.pool.query(
    "INSERT INTO rate_limit_keys SELECT 'open ' || n, now() - interval '1 hour' FROM generate_series(1, 2500) AS n",
  );
  expect(await limiter.purgeIdle()).toBe(2_500);
});

test('a sweep deletes unused keys and leaves the others', async () => {
  const limiter = new SharedLimiter({ pool: database.pool });
  await Promise.all([limiter.admit('old', 5), limiter.admit('older', 5)]);
  await database.letPass(119);
  expect(await limiter.purgeIdle()).toBe(0);
  await database.letPass(1);
  await limiter.admit('new', 5);
  expect(await limiter.purgeIdle()).toBe(2);
  const { rows } = await database.pool.query(
    'SELECT key FROM rate_limit_keys UNION ALL SELECT key FROM rate_limit_admissions',
  );
  expect(rows).toEqual([{ key: 'new' }, { key: 'new' }]);
});

test('a key swept under load is still limited', async () => {
  const limiter = new SharedLimiter({ pool: database.pool });
  // Harsher than a sweep, which spares keys in use: the rows disappear while calls wait for their locks.
  const sweepKeys = () => database.pool.query('DELETE FROM rate_limit_keys');
  const load = Array.from({ length: 20 }, async () => {
    const answers: Admission[] = [];
    for (let turn = 0; turn < 10; turn += 1) {
      answers.push(await limiter.admit('a', 50));
      if (turn % 2 === 0) await sweepKeys();
    }
    return answers;
  });
  expect(countAllowed((await Promise.all(load)).flat())).toBe(50);
});

test('requests are limited locally while the database is down, then by it again', async () => {
  const clock = new ManualClock();
  const lines: string[] = [];
  const switchable = { target: database.pool };
  const shared = new SharedLimiter({ pool: { query: (config) => switchable.target.query(config) } });
  const limiter = withLocalFallback({
    shared,
    local: new LocalLimiter({ clock }),
    logger: createLogger({ level: 'info', destination: { write: (line) => void lines.push(line) } }),
    clock,
  });
  expect((await limiter.admit('a', 3)).allowed).toBe(true);
  switchable.target = new pg.Pool({ host: '127.0.0.1', port: 1 });
  expect((await limiter.admit('a', 3)).allowed).toBe(true);
  expect((await limiter.admit('a', 3)).allowed).toBe(true);
  expect((await limiter.admit('a', 3)).allowed).toBe(false);
  expect(await database.storedCount('a')).toBe(1);
  switchable.target = database.pool;
  clock.advance(60_000);
  await limiter.admit('b', 3);
  await expect.poll(() => lines.length).toBe(2);
  expect((await limiter.admit('a', 3)).remaining).toBe(1);
  expect(await database.storedCount('a')).toBe(2);
});
