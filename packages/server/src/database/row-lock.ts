import type { SelectQueryBuilder } from 'kysely';
import type { Queries } from './database.ts';
import type { Tables } from './tables/index.ts';

type Select<TB extends keyof Tables, O> = SelectQueryBuilder<Tables, TB, O>;

// SQLite needs none of these locks: it has one writer at a time.

/** Makes a select lock its rows against other changes until the transaction ends. */
export function forUpdate<TB extends keyof Tables, O>(
  { engine }: Queries,
  query: Select<TB, O>,
): Select<TB, O> {
  // Not `for update`, which waits for `forKeyShare`: a token that is always in use could never be revoked.
  return engine === 'postgres' ? query.forNoKeyUpdate() : query;
}

/**
 * Locks the rows of a select until the transaction ends, in the order that the select names: before a statement that changes
 * several of them, which locks them in any order.
 */
export async function lockInOrder<TB extends keyof Tables, O>(
  tx: Queries,
  query: Select<TB, O>,
): Promise<void> {
  if (tx.engine === 'postgres') await forUpdate(tx, query).execute();
}

/** Makes a select leave out rows that are locked, and lock the others: it waits for no other transaction. */
export function skipLocked<TB extends keyof Tables, O>(
  { engine }: Queries,
  query: Select<TB, O>,
): Select<TB, O> {
  return engine === 'postgres' ? query.forNoKeyUpdate().skipLocked() : query;
}

/** Does the same, and leaves out rows with a note of `forKeyShare`, for which a delete would wait. */
export function skipUsed<TB extends keyof Tables, O>(
  { engine }: Queries,
  query: Select<TB, O>,
): Select<TB, O> {
  return engine === 'postgres' ? query.forUpdate().skipLocked() : query;
}

/**
 * Makes a select note on its rows that this transaction relies on them, until it ends. Neither changes of the rows nor
 * other transactions wait for the note; only `afterKeyShares` does.
 */
export function forKeyShare<TB extends keyof Tables, O>(
  { engine }: Queries,
  query: Select<TB, O>,
): Select<TB, O> {
  return engine === 'postgres' ? query.forKeyShare() : query;
}

/**
 * Makes a select wait until every transaction that noted `forKeyShare` on its row has ended. A transaction that waits so holds no
 * other lock: what noted it may need that one.
 */
export function afterKeyShares<TB extends keyof Tables, O>(
  { engine }: Queries,
  query: Select<TB, O>,
): Select<TB, O> {
  return engine === 'postgres' ? query.forUpdate() : query;
}
