import type { SelectQueryBuilder } from 'kysely';
import type { Queries } from './database.ts';
import type { Tables } from './tables/index.ts';

/**
 * Makes a select lock its rows until the transaction ends. SQLite needs no such lock: it has one writer at a time.
 */
export function forUpdate<TB extends keyof Tables, O>(
  { engine }: Queries,
  query: SelectQueryBuilder<Tables, TB, O>,
): SelectQueryBuilder<Tables, TB, O> {
  return engine === 'postgres' ? query.forUpdate() : query;
}
