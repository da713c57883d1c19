import { useFixture } from '@tps/testing/fixture';
import { openTestDatabase, type TestDatabase } from '@tps/testing/store';
import type { Kysely } from 'kysely';
import { columnTypes } from '../column-types.ts';
import type { Database, DatabaseOptions, Engine, Queries, ReadQueries } from '../index.ts';
import { MIGRATIONS } from '../migrations/index.ts';

/** A table with every kind of column, for the tests of the database. The service does not have it. */
export interface Sample {
  tenant_id: string;
  id: string;
  count: number | null;
  score: number | null;
  digest: Uint8Array | null;
  note: string | null;
}

type SampleTable = 'samples';
type Keys = readonly (keyof Sample)[];

/** The queries that a store would use if the service had the table. */
interface SampleQueries {
  readonly db: Kysely<{ samples: Sample }>;
  readonly anyOf: ReadQueries['anyOf'];
  insertMany(table: SampleTable, rows: readonly Sample[]): Promise<void>;
  upsertMany(table: SampleTable, keys: Keys, rows: readonly Sample[]): Promise<void>;
  addMany(table: SampleTable, keys: Keys, rows: readonly Partial<Sample>[]): Promise<void>;
  updateExisting(table: SampleTable, keys: Keys, rows: readonly Partial<Sample>[]): Promise<number[]>;
  insertIgnoringConflicts(table: SampleTable, keys: Keys, rows: readonly Sample[]): Promise<number[]>;
  updateMany(table: SampleTable, keys: Keys, rows: readonly Partial<Sample>[]): Promise<void>;
}

export const SAMPLE_MIGRATIONS = [...MIGRATIONS, { name: '9999-create-samples', up: createSamples }];

export const SAMPLE_KEY = ['tenant_id', 'id'] as const;

export function openSampleDatabase(options: DatabaseOptions = {}): Promise<TestDatabase> {
  return openTestDatabase({ migrations: SAMPLE_MIGRATIONS, ...options });
}

/** Opens a database with the table for the tests of a file. */
export function useSampleDatabase(): TestDatabase {
  return useFixture(() => openSampleDatabase(), { close: (store) => store.drop() });
}

export function onSamples(queries: Queries): SampleQueries {
  return queries as unknown as SampleQueries;
}

export function sample(id: string, columns: Partial<Sample> = {}): Sample {
  return { tenant_id: 'tnt_1', id, count: null, score: null, digest: null, note: null, ...columns };
}

/** Reads all committed rows, in the order of their ids. */
export async function listSamples(database: Database): Promise<Sample[]> {
  const { db } = database.read as unknown as SampleQueries;
  return await db.selectFrom('samples').selectAll().orderBy('id').execute();
}

async function createSamples(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const { text, int64, float64, bytes, inKeyOrder } = columnTypes(engine);
  await db.schema
    .createTable('samples')
    .addColumn('tenant_id', text, (column) => column.notNull())
    .addColumn('id', text, (column) => column.notNull())
    .addColumn('count', int64)
    .addColumn('score', float64)
    .addColumn('digest', bytes)
    .addColumn('note', text)
    .addPrimaryKeyConstraint('samples_key', ['tenant_id', 'id'])
    .modifyEnd(inKeyOrder)
    .execute();
}
