import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import { allOf, type Condition } from './conditions.ts';
import { countByTime } from './count-by-time.ts';
import { countFiltered, type FilteredRows, keySpans, readFiltered } from './key-spans.ts';
import { onSamples, type Sample, sample, useSampleDatabase } from './testing/sample-table.ts';

const HOUR_MS = 3_600_000;
const ROWS = 100;

const store = useSampleDatabase();
const idOf = (index: number) => `row_${String(index).padStart(3, '0')}`;

beforeAll(async () => {
  const rows = Array.from({ length: ROWS }, (_, index) =>
    // Two rows share a score, so that only the id separates them. One row belongs to the hour that its number says.
    sample(idOf(index), {
      count: index * HOUR_MS,
      score: Math.floor(index / 2),
      note: index % 7 === 0 ? 'x' : 'y',
    }),
  );
  await store.database.transaction((tx) =>
    onSamples(tx).insertMany('samples', [...rows, { ...sample('row_999'), tenant_id: 'tnt_2', note: 'x' }]),
  );
});

/** Rows in spans of three, of which those with the note match. */
function rowsWith(note: string | undefined, key: readonly string[] = ['id']): FilteredRows {
  return {
    from: sql.table('samples'),
    scope: [sql`tenant_id = ${'tnt_1'}`],
    key: key.map((column) => sql.ref(column)),
    conditions: note === undefined ? [] : [sql`note = ${note}`],
    rowsPerStatement: 3,
  };
}

async function select(where: Condition, order: readonly string[], limit: number): Promise<Sample[]> {
  const { rows } = await sql<Sample>`select * from samples where ${where}
    order by ${sql.join(order.map((part) => sql.raw(part)))} limit ${limit}`.execute(
    store.database.read.db as never,
  );
  return rows;
}

const MATCHING = Array.from({ length: ROWS }, (_, index) => index)
  .filter((index) => index % 7 === 0)
  .map(idOf);

describe('spans', () => {
  test.each([[['id']], [['score', 'id']]])(
    'by %j contain each row of the scope once, the last first',
    async (key) => {
      const seen: string[] = [];
      const rows = rowsWith(undefined, key);
      for await (const span of keySpans(store.database.read, rows)) {
        const found = await select(
          allOf(span.conditions),
          key.map((part) => `${part} desc`),
          ROWS,
        );
        expect(found.length).toBeLessThanOrEqual(span.size);
        seen.push(...found.map(({ id }) => id));
      }
      expect(seen).toEqual(Array.from({ length: ROWS }, (_, index) => idOf(ROWS - 1 - index)));
    },
  );

  test.each(['asc', 'desc'] as const)('give the pages of a filter in the order %s', async (direction) => {
    const expected = direction === 'asc' ? MATCHING : [...MATCHING].reverse();
    const found: string[] = [];
    for (let after: [string] | undefined; ; ) {
      const page = await readFiltered(store.database.read, rowsWith('x'), {
        page: { after, limit: 4 },
        direction,
        read: (where, limit) => select(where, [`id ${direction}`], limit),
      });
      found.push(...page.map(({ id }) => id));
      const last = page.at(-1);
      if (page.length < 4 || last === undefined) break;
      after = [last.id];
    }
    expect(found).toEqual(expected);
  });
});

test('rows that an index excludes are neither listed nor counted', async () => {
  const rows: FilteredRows = { ...rowsWith('x'), indexed: [sql`score < 20`] };
  const expected = MATCHING.filter((id) => Number(id.slice(4)) < 40);
  const found = await readFiltered(store.database.read, rows, {
    page: { after: undefined, limit: ROWS },
    direction: 'asc',
    read: (where, limit) => select(where, ['id'], limit),
  });
  expect(found.map(({ id }) => id)).toEqual(expected);
  expect(await countFiltered(store.database.read, rows)).toBe(expected.length);
});

test('matching rows of all spans are counted, in total and by the hour', async () => {
  const rows = rowsWith('x');
  expect(await countFiltered(store.database.read, rows)).toBe(MATCHING.length);
  const counts = await countByTime(
    store.database.read,
    { ...rows, time: sql<number>`count` },
    { range: { sinceMs: undefined, untilMs: undefined }, interval: undefined },
  );
  expect(counts).toMatchObject({ total: MATCHING.length, complete: true, interval: 'hour' });
  expect(counts.buckets.map(({ start, count }) => [Date.parse(start) / HOUR_MS, count])).toEqual(
    MATCHING.map((id) => [Number(id.slice(4)), 1]),
  );
});

test('a longer interval is used where there would be too many buckets', async () => {
  const rows = { ...rowsWith(undefined), time: sql<number>`count` };
  const range = { sinceMs: undefined, untilMs: undefined };
  const count = (interval: 'minute' | 'day') => countByTime(store.database.read, rows, { range, interval });
  // 99 hours have 5,940 minutes.
  expect((await count('minute')).interval).toBe('hour');
  expect((await count('day')).buckets.map((bucket) => bucket.count)).toEqual([24, 24, 24, 24, 4]);
});
