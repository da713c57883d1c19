import { INCIDENT_CATEGORIES as CONTRACT_CATEGORIES } from '@tps/contract';
import { useTestDatabase } from '@tps/testing/store';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { INCIDENT_CATEGORIES, STATISTICS_COLUMNS, STATISTICS_TABLES } from './statistics-columns.ts';

const store = useTestDatabase();

test.each(STATISTICS_TABLES)('%s has a column for every value that is counted', async (table) => {
  const columns = sql.join(STATISTICS_COLUMNS[table].map((column) => sql.ref(column)));
  const { rows } = await sql`select ${columns} from ${sql.table(table)}`.execute(
    store.database.read.db as never,
  );
  expect(rows).toEqual([]);
  expect(new Set(STATISTICS_COLUMNS[table]).size).toBe(STATISTICS_COLUMNS[table].length);
});

test('incidents are counted by every category of the contract', () => {
  expect(INCIDENT_CATEGORIES).toEqual(CONTRACT_CATEGORIES);
});
