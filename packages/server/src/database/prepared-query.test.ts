import { describe, expect, test } from 'vitest';
import { prepareQuery, type ReadQueries } from './index.ts';
import { onSamples, type Sample, sample, useSampleDatabase } from './testing/sample-table.ts';

const store = useSampleDatabase();

const ROWS = [
  sample('a', { count: 1, note: 'x' }),
  sample('b', { count: 2, note: 'x' }),
  sample('c', { count: 3, note: 'y' }),
];

type Built = ReturnType<typeof onSamples>;

function prepareOnSamples<Values extends object>(
  build: (samples: Built, values: Values) => { compile: ReturnType<Built['db']['selectFrom']>['compile'] },
) {
  return prepareQuery<Values, Sample>(
    (queries, values) => build(onSamples(queries as never), values) as never,
  );
}

interface NotedIds {
  readonly ids: readonly string[];
  readonly note: string;
}

let built = 0;
const findByNote = prepareOnSamples(({ db, anyOf }, { ids, note }: NotedIds) => {
  built += 1;
  return db
    .selectFrom('samples')
    .selectAll()
    .where('tenant_id', '=', 'tnt_1')
    .where('note', '=', note)
    .where(anyOf('samples.id' as never, ids))
    .orderBy('id');
});

async function idsOf(queries: ReadQueries, wanted: NotedIds): Promise<string[]> {
  return (await findByNote(queries, wanted)).map(({ id }) => id);
}

describe('a prepared query', () => {
  test('is built once and returns the rows of each run', async () => {
    const { database } = store;
    await database.transaction((tx) => onSamples(tx).insertMany('samples', ROWS));
    expect(await idsOf(database.read, { ids: ['a', 'b', 'c'], note: 'x' })).toEqual(['a', 'b']);
    expect(await idsOf(database.read, { ids: ['c'], note: 'y' })).toEqual(['c']);
    expect(await database.transaction((tx) => idsOf(tx, { ids: ['b', '"; drop'], note: 'x' }))).toEqual([
      'b',
    ]);
    expect(await idsOf(database.read, { ids: [], note: 'x' })).toEqual([]);
    expect(built).toBe(1);
  });

  test('reads the rows that its transaction has written', async () => {
    await store.database.transaction(async (tx) => {
      await onSamples(tx).insertMany('samples', [sample('z', { note: 'z' })]);
      expect(await idsOf(tx, { ids: ['z'], note: 'z' })).toEqual(['z']);
    });
  });

  test('fails for a value that is missing, and for bytes in a list on SQLite', async () => {
    const { read, engine } = store.database;
    await expect(idsOf(read, { ids: ['a'] } as unknown as NotedIds)).rejects.toThrow('"note"');
    if (engine === 'sqlite') {
      const ids = [Uint8Array.of(1)] as unknown as string[];
      await expect(idsOf(read, { ids, note: 'x' })).rejects.toThrow(TypeError);
    }
  });

  test('cannot read its values while it is built', async () => {
    const joining = prepareOnSamples(({ db }, { note }: { note: string }) =>
      db.selectFrom('samples').selectAll().where('note', '=', `${note}!`),
    );
    await expect(joining(store.database.read, { note: 'x' })).rejects.toThrow('"note" is not known');
  });
});
