import type { Expression, Insertable, Kysely, SqlBool, Updateable } from 'kysely';
import type { Engine } from './engine.ts';
import type { Migration } from './migration.ts';
import type { Tables } from './tables/index.ts';

type TableName = keyof Tables & string;

/** A column of any table, with or without the table's name before it. */
type ColumnReference = { [T in TableName]: `${T}.${Column<T>}` | Column<T> }[TableName];

type Column<T extends TableName> = keyof Tables[T] & string;

/** The part of Kysely that reads: a store that is handed only this cannot write outside a transaction. */
type ReadingKysely = Pick<
  Kysely<Tables>,
  'selectFrom' | 'selectNoFrom' | 'with' | 'withRecursive' | 'fn' | 'dynamic' | 'getExecutor' | 'executeQuery'
>;

export interface ReadQueries {
  readonly engine: Engine;
  readonly db: ReadingKysely;

  /**
   * Is true where the column holds one of the values, and nowhere for none. The statement's text does not depend on how
   * many there are, so it is prepared once. An alias is given as an expression: `sql.ref('e.event_id')`.
   */
  anyOf(
    column: ColumnReference | Expression<unknown>,
    values: readonly (string | number)[] | readonly Uint8Array[],
  ): Expression<SqlBool>;
}

/**
 * What a transaction can do. The four batch methods take any number of rows, also none, in one call. All rows of a call
 * name the same columns. They throw `RangeError` for a number that a 64-bit float does not hold exactly.
 */
export interface Queries extends ReadQueries {
  readonly db: Kysely<Tables>;

  /** Inserts all rows or, when one is refused, none. */
  insertMany<T extends TableName>(table: T, rows: readonly Insertable<Tables[T]>[]): Promise<void>;

  /** Inserts, or overwrites the other named columns of the row with the same key. Of two rows with one key the later wins. */
  upsertMany<T extends TableName>(
    table: T,
    keyColumns: readonly Column<T>[],
    rows: readonly Insertable<Tables[T]>[],
  ): Promise<void>;

  /** Inserts the rows whose key is new and gives their indexes, ascending. Of two rows with one key the earlier wins. */
  insertIgnoringConflicts<T extends TableName>(
    table: T,
    keyColumns: readonly Column<T>[],
    rows: readonly Insertable<Tables[T]>[],
  ): Promise<number[]>;

  /** Sets the other named columns of the row with the key; a key that does not exist is passed over. The later of two wins. */
  updateMany<T extends TableName>(
    table: T,
    keyColumns: readonly Column<T>[],
    rows: readonly Updateable<Tables[T]>[],
  ): Promise<void>;
}

interface TransactionOptions {
  /**
   * The work may run more than once: it is repeated after a deadlock, a serialization failure or a lost connection.
   * Losing the connection during the commit leaves open whether it happened, so only work whose repetition changes nothing qualifies.
   */
  readonly idempotent?: boolean;
}

/** Failures of the store itself are `ServiceError('unavailable')`; it recovers by itself when the store does. */
export interface Database {
  readonly engine: Engine;

  /** Sees what is committed, never what a transaction is doing, and never waits for one. */
  readonly read: ReadQueries;

  /**
   * Commits what the work did when it resolves, undoes all of it when it throws. On SQLite there is one at a time, in the order of
   * the calls: the work awaits nothing but its own queries, and does not open a transaction inside itself.
   */
  transaction<R>(work: (tx: Queries) => Promise<R>, options?: TransactionOptions): Promise<R>;

  /** Resolves when a query comes back. */
  ping(): Promise<void>;

  /** Waits for running transactions. Later calls fail with `unavailable`. */
  close(): Promise<void>;
}

/** The part of a pino logger used here. */
export interface DatabaseLog {
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
}

export interface DatabaseOptions {
  /** How many connections to PostgreSQL at most. SQLite has one writer and one reader. */
  readonly poolSize?: number;
  /** Instead of the service's own, for tests of the runner. */
  readonly migrations?: readonly Migration[];
  readonly logger?: DatabaseLog;
  /**
   * `false` lets a short-lived command work on the SQLite file of a running service. The service itself claims the file:
   * its limits live in memory and would be wrong in two processes. PostgreSQL is always shared.
   */
  readonly exclusive?: boolean;
}
