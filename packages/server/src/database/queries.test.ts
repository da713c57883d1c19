import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import { isUniqueViolation } from './index.ts';
import {
  listSamples,
  onSamples,
  SAMPLE_KEY,
  type Sample,
  sample,
  useSampleDatabase,
} from './testing/sample-table.ts';

const store = useSampleDatabase();
beforeEach(() => within((samples) => samples.db.deleteFrom('samples').execute()));

function within<R>(work: (samples: ReturnType<typeof onSamples>) => Promise<R>): Promise<R> {
  return store.database.transaction((tx) => work(onSamples(tx)));
}

async function idsWhere(
  column: 'id' | 'count' | 'digest',
  values: string[] | number[] | Uint8Array[],
): Promise<string[]> {
  return await within(async ({ db, anyOf }) => {
    const reference = sql.ref(`samples.${column}`);
    const rows = await db
      .selectFrom('samples')
      .select('id')
      .where(anyOf(reference, values))
      .orderBy('id')
      .execute();
    return rows.map(({ id }) => id);
  });
}

const ROWS: readonly Sample[] = [
  sample('a', { count: Number.MAX_SAFE_INTEGER, score: 0.1 + 0.2, digest: Uint8Array.of(0, 1, 254, 255) }),
  sample('b', { count: -Number.MAX_SAFE_INTEGER, note: 'Zoë said "hi" \\ to {curly}, 日本 🦊\n\ttwice' }),
  sample('c', { count: 0, score: -0.5, digest: new Uint8Array(0), note: '' }),
  sample('d', { count: 1763700000123, note: '{"json":["text",null,"\\u0000"]}' }),
];

function asStored(rows: readonly Sample[]): Sample[] {
  return rows.map((row) => ({ ...row, digest: row.digest && Buffer.from(row.digest) }));
}

describe('insertMany', () => {
  test('stores null, bytes, unicode, fractions and the largest integers exactly', async () => {
    await within((samples) => samples.insertMany('samples', ROWS));
    expect(await listSamples(store.database)).toEqual(asStored(ROWS));
  });

  test('accepts no rows and a thousand rows', async () => {
    const many = Array.from({ length: 1000 }, (_, index) =>
      sample(`id-${String(index).padStart(4, '0')}`, { count: index }),
    );
    await within(async (samples) => {
      await samples.insertMany('samples', []);
      await samples.insertMany('samples', many);
    });
    expect(await listSamples(store.database)).toEqual(asStored(many));
  });

  test('accepts bytes that are a view into a larger buffer', async () => {
    const window = new Uint8Array(Uint8Array.of(9, 1, 2, 9).buffer, 1, 2);
    await within((samples) => samples.insertMany('samples', [sample('w', { digest: window })]));
    expect((await listSamples(store.database))[0]?.digest).toEqual(Buffer.of(1, 2));
  });

  test('fails as a unique violation if a key exists, and stores no row of the batch', async () => {
    await within((samples) => samples.insertMany('samples', [sample('b')]));
    const inserting = within((samples) => samples.insertMany('samples', [sample('a'), sample('b')]));
    const error = await inserting.catch((reason: unknown) => reason);
    expect(isUniqueViolation(error)).toBe(true);
    expect((await listSamples(store.database)).map(({ id }) => id)).toEqual(['b']);
  });

  test('ends the transaction if it fails, and nothing of that transaction is stored', async () => {
    const failing = (work: (samples: ReturnType<typeof onSamples>) => Promise<void>) =>
      within(async (samples) => {
        await samples.insertMany('samples', [sample('before')]);
        await samples.insertMany('samples', [sample('a'), sample('b'), sample('a')]).catch(() => undefined);
        await work(samples);
      });
    const continuing = failing((samples) => samples.insertMany('samples', [sample('after')]));
    await expect(continuing).rejects.toThrow();
    await failing(async () => undefined).catch(() => undefined);
    expect(await listSamples(store.database)).toEqual([]);
    await within((samples) => samples.insertMany('samples', [sample('next')]));
    expect((await listSamples(store.database)).map(({ id }) => id)).toEqual(['next']);
  });

  test.each([2 ** 53, Number.NaN, Number.POSITIVE_INFINITY])(
    'refuses the number %d, which would come back changed',
    async (count) => {
      await expect(
        within((samples) => samples.insertMany('samples', [sample('a', { count })])),
      ).rejects.toThrow(RangeError);
    },
  );

  test('rejects rows with different columns', async () => {
    const { note: _, ...withoutNote } = sample('b');
    const mixed = [sample('a'), withoutNote as Sample];
    await expect(within((samples) => samples.insertMany('samples', mixed))).rejects.toThrow(TypeError);
    const mixedOtherwise = [withoutNote as Sample, sample('c')];
    await expect(within((samples) => samples.insertMany('samples', mixedOtherwise))).rejects.toThrow(
      TypeError,
    );
    const undefinedNote = { ...sample('b'), note: undefined } as unknown as Sample;
    await expect(within((samples) => samples.insertMany('samples', [undefinedNote]))).rejects.toThrow(
      TypeError,
    );
  });
});

describe('upsertMany', () => {
  test('inserts new rows and overwrites existing ones; the later of two equal keys wins', async () => {
    await within((samples) =>
      samples.insertMany('samples', [sample('a', { count: 1, note: 'old' }), sample('z')]),
    );
    await within(async (samples) => {
      await samples.upsertMany('samples', SAMPLE_KEY, []);
      await samples.upsertMany('samples', SAMPLE_KEY, [
        sample('b', { note: 'first' }),
        sample('a', { count: 2, note: 'new' }),
        sample('b', { note: 'second' }),
      ]);
    });
    const expected = [sample('a', { count: 2, note: 'new' }), sample('b', { note: 'second' }), sample('z')];
    expect(await listSamples(store.database)).toEqual(expected);
  });

  test('with only key columns does not change the existing row', async () => {
    await within((samples) => samples.insertMany('samples', [sample('a', { note: 'kept' })]));
    const onlyKey = [{ tenant_id: 'tnt_1', id: 'a' } as Sample];
    await within((samples) => samples.upsertMany('samples', SAMPLE_KEY, onlyKey));
    expect(await listSamples(store.database)).toEqual([sample('a', { note: 'kept' })]);
  });
});

describe('insertIgnoringConflicts', () => {
  test('returns the new rows; the earlier of two equal keys is inserted', async () => {
    await within((samples) => samples.insertMany('samples', [sample('b', { note: 'kept' })]));
    const inserted = await within((samples) =>
      samples.insertIgnoringConflicts('samples', SAMPLE_KEY, [
        sample('a'),
        sample('b', { note: 'ignored' }),
        sample('c', { note: 'earlier' }),
        sample('c', { note: 'later' }),
      ]),
    );
    expect(inserted).toEqual([0, 2]);
    const expected = [sample('a'), sample('b', { note: 'kept' }), sample('c', { note: 'earlier' })];
    expect(await listSamples(store.database)).toEqual(expected);
  });

  test('returns nothing for no rows', async () => {
    expect(await within((samples) => samples.insertIgnoringConflicts('samples', SAMPLE_KEY, []))).toEqual([]);
  });
});

describe('updateMany', () => {
  test('sets the given columns of existing rows and adds no rows', async () => {
    await within((samples) =>
      samples.insertMany('samples', [sample('a', { count: 1, note: 'kept' }), sample('b')]),
    );
    const changes = ['a', 'missing', 'b', 'a'].map((id, index) => ({
      digest: Uint8Array.of(index),
      tenant_id: 'tnt_1',
      id,
      count: index + 10,
    }));
    await within(async (samples) => {
      await samples.updateMany('samples', SAMPLE_KEY, []);
      await samples.updateMany('samples', SAMPLE_KEY, changes);
    });
    const expected = [
      sample('a', { count: 13, note: 'kept', digest: Buffer.of(3) }),
      sample('b', { count: 12, digest: Buffer.of(2) }),
    ];
    expect(await listSamples(store.database)).toEqual(expected);
  });
});

describe('updateExisting', () => {
  test('sets columns like updateMany and returns the indexes of the rows that exist', async () => {
    await within((samples) => samples.insertMany('samples', [sample('a'), sample('b')]));
    const changes = ['b', 'missing', 'a'].map((id, index) => ({ tenant_id: 'tnt_1', id, count: index }));
    const updated = await within(async (samples) => {
      expect(await samples.updateExisting('samples', SAMPLE_KEY, [])).toEqual([]);
      return samples.updateExisting('samples', SAMPLE_KEY, changes);
    });
    expect(updated).toEqual([0, 2]);
    expect(await listSamples(store.database)).toEqual([sample('a', { count: 2 }), sample('b', { count: 0 })]);
  });
});

describe('addMany', () => {
  test('adds to existing rows, inserts new ones and leaves other columns unchanged', async () => {
    await within((samples) =>
      samples.insertMany('samples', [sample('a', { count: 1, score: 0.5, note: 'kept' })]),
    );
    const rows = ['b', 'a'].map((id) => ({ tenant_id: 'tnt_1', id, count: 41, score: 0.25 }));
    await within(async (samples) => {
      await samples.addMany('samples', SAMPLE_KEY, []);
      await samples.addMany('samples', SAMPLE_KEY, rows);
    });
    expect(await listSamples(store.database)).toEqual([
      sample('a', { count: 42, score: 0.75, note: 'kept' }),
      sample('b', { count: 41, score: 0.25 }),
    ]);
  });
});

describe('anyOf', () => {
  beforeEach(() => within((samples) => samples.insertMany('samples', ROWS)));

  test('finds text, numbers and bytes', async () => {
    expect(await idsWhere('id', ['d', 'a', 'missing', '"; drop'])).toEqual(['a', 'd']);
    expect(await idsWhere('count', [0, Number.MAX_SAFE_INTEGER])).toEqual(['a', 'c']);
    expect(await idsWhere('digest', [Uint8Array.of(0, 1, 254, 255), Uint8Array.of(7)])).toEqual(['a']);
  });

  test('finds nothing for no values', async () => {
    expect(await idsWhere('id', [])).toEqual([]);
  });

  test('uses the same statement text for any number of values', () => {
    const { db, anyOf } = store.database.read;
    const toText = (names: string[]) =>
      db.selectFrom('service_settings').select('value').where(anyOf('service_settings.name', names)).compile()
        .sql;
    expect(toText(['a'])).toBe(toText(['a', 'b', 'c']));
  });
});

test('text is ordered by its bytes', async () => {
  await within((samples) =>
    samples.insertMany(
      'samples',
      ['b', 'B', 'a', 'é', '_'].map((id) => sample(id)),
    ),
  );
  expect((await listSamples(store.database)).map(({ id }) => id)).toEqual(['B', '_', 'a', 'b', 'é']);
});

test('counts, sums and comparisons are returned as numbers', async () => {
  await within((samples) =>
    samples.insertMany('samples', [sample('a', { count: 2 }), sample('b', { count: 3 })]),
  );
  const row = await within(({ db }) =>
    db
      .selectFrom('samples')
      .select(({ fn, eb }) => [
        fn.countAll<number>().as('rows'),
        fn.sum<number>('count').as('total'),
        eb(fn.max('count'), '>', 2).as('is_above'),
      ])
      .executeTakeFirstOrThrow(),
  );
  expect(row).toEqual({ rows: 2, total: 5, is_above: 1 });
});
