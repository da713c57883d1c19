import type {
  AliasedExpression,
  Expression,
  Insertable,
  Kysely,
  Selectable,
  SqlBool,
  Updateable,
} from 'kysely';
import type { TenantId } from '../platform/tenant-id.ts';
import type { Engine } from './engine.ts';
import type { Migration } from './migration.ts';
import type { Tables } from './tables/index.ts';

type TableName = keyof Tables & string;

/** A column of any table, with or without the table name as a prefix. */
type ColumnReference = { [T in TableName]: `${T}.${Column<T>}` | Column<T> }[TableName];

type Column<T extends TableName> = keyof Tables[T] & string;

/** The reading part of Kysely: a store function that gets only this cannot write outside a transaction. */
type ReadingKysely = Pick<
  Kysely<Tables>,
  'selectFrom' | 'selectNoFrom' | 'with' | 'withRecursive' | 'fn' | 'dynamic' | 'getExecutor' | 'executeQuery'
>;

export interface ReadQueries {
  readonly engine: Engine;
  readonly db: ReadingKysely;

  /**
   * True where the column holds one of the values; false everywhere for no values. The text of the statement does not
   * depend on the number of values, so it is prepared once. Pass an alias as an expression: `sql.ref('e.event_id')`.
   */
  anyOf(
    column: ColumnReference | Expression<unknown>,
    values: readonly (string | number)[] | readonly Uint8Array[],
  ): Expression<SqlBool>;

  /**
   * The rows of a tenant whose column holds one of the values, as a table to select from. An index must begin with the tenant
   * and this column: PostgreSQL looks up each value in it, regardless of its statistics. With `anyOf`, PostgreSQL may read
   * and filter all rows of the tenant instead, and keep that plan when there are a million.
   */
  rowsOf<T extends TableName>(table: T, lookup: Lookup<T>): AliasedExpression<Selectable<Tables[T]>, T>;
}

interface Lookup<T extends TableName> {
  readonly tenantId: TenantId;
  readonly column: Column<T>;
  readonly values: readonly string[];
  /** The condition of a partial index. */
  readonly where?: Expression<SqlBool>;
}

/**
 * Queries in a transaction. The six batch methods take any number of rows, including none. All rows of a call must name
 * the same columns. The methods throw `RangeError` for a number that a 64-bit float does not hold exactly. A row that the
 * store rejects ends the transaction: on PostgreSQL when it commits, at the latest. PostgreSQL receives statements in call
 * order without waiting for results, so those that are issued together share a round trip.
 */
export interface Queries extends ReadQueries {
  readonly db: Kysely<Tables>;

  /** Inserts all rows or, if one is rejected, none. */
  insertMany<T extends TableName>(table: T, rows: readonly Insertable<Tables[T]>[]): Promise<void>;

  /** Inserts rows, or overwrites the other columns of an existing row. The later of two rows with one key wins. */
  upsertMany<T extends TableName>(
    table: T,
    keyColumns: readonly Column<T>[],
    rows: readonly Insertable<Tables[T]>[],
  ): Promise<void>;

  /** Inserts the rows with a new key and returns their indexes, ascending. The earlier of two rows with one key wins. */
  insertIgnoringConflicts<T extends TableName>(
    table: T,
    keyColumns: readonly Column<T>[],
    rows: readonly Insertable<Tables[T]>[],
  ): Promise<number[]>;

  /**
   * Inserts rows, or adds the other columns to those of an existing row: these are numbers. Each key occurs once. Rows
   * are written in the order of their keys, so that two transactions lock them in the same order.
   */
  addMany<T extends TableName>(
    table: T,
    keyColumns: readonly Column<T>[],
    rows: readonly Insertable<Tables[T]>[],
  ): Promise<void>;

  /** Like `updateMany` for rows that each have a different key. Returns the indexes of those that exist, ascending. */
  updateExisting<T extends TableName>(
    table: T,
    keyColumns: readonly Column<T>[],
    rows: readonly Updateable<Tables[T]>[],
  ): Promise<number[]>;

  /** Sets the other columns of existing rows and skips keys that do not exist. The later of two rows with one key wins. */
  updateMany<T extends TableName>(
    table: T,
    keyColumns: readonly Column<T>[],
    rows: readonly Updateable<Tables[T]>[],
  ): Promise<void>;

  /** Leaves an item for the end: when the work has resolved, `write` gets all its items, in the order of the calls. */
  atEnd<Item>(write: LastWrite<Item>, item: Item): void;

  /** Leaves work for after the commit: `transaction` resolves when it has ended. It never runs after a rollback. */
  afterCommit(act: AfterCommit): void;
}

/** Runs in no transaction, and can begin some. */
export type AfterCommit = (database: Pick<Database, 'engine' | 'transaction'>) => Promise<void>;

/** Writes what a transaction leaves for its end: rows that it locks last, wherever in its work it decides to change them. */
export type LastWrite<Item> = (tx: Queries, items: readonly Item[]) => Promise<void>;

interface TransactionOptions {
  /**
   * The work may run more than once: it is repeated after failures that undo all of it: a deadlock, a serialization
   * failure, a table that a later version has changed meanwhile.
   */
  readonly repeatable?: boolean;
  /**
   * Like `repeatable`, and the work is also repeated after a lost connection. If the connection is lost during the commit,
   * the commit may have happened: repeating the work must change nothing.
   */
  readonly idempotent?: boolean;
}

/** The use of the connections of this process at the moment. */
export interface ConnectionUse {
  /** The most connections. */
  readonly limit: number;
  readonly inUse: number;
  /** Callers that wait for a connection. */
  readonly waiting: number;
}

/** The size of the store. */
export interface StoreSize {
  readonly bytes: number;
  /** The file system of the store; undefined if it is on a server. */
  readonly disk: { readonly bytes: number; readonly freeBytes: number } | undefined;
}

/** Throws `ServiceError('unavailable')` when the store fails, and recovers when the store does. */
export interface Database {
  readonly engine: Engine;

  /** Reads committed data only, and never waits for a transaction. */
  readonly read: ReadQueries;

  /**
   * Commits when the work resolves, rolls back when it throws. Also rejects if what was left for after the commit fails.
   * SQLite runs one transaction at a time, in call order: the work must await nothing but its own queries and must not open
   * another transaction.
   */
  transaction<R>(work: (tx: Queries) => Promise<R>, options?: TransactionOptions): Promise<R>;

  /**
   * Runs work that another thread does on the store, in turn with the transactions of this one. On PostgreSQL it runs at
   * once.
   */
  inTurn<R>(work: () => Promise<R>): Promise<R>;

  /** Resolves when the store answers a query. */
  ping(): Promise<void>;

  /** Resolves when the store accepts writes, which a small write every few seconds shows. */
  assertWritable(): Promise<void>;

  /** Returns how the connections are used, without those of the writer thread. */
  connectionUse(): ConnectionUse;

  measureSize(): Promise<StoreSize>;

  /** Waits for running transactions. Later calls fail with `unavailable`. */
  close(): Promise<void>;
}

/** The store for a thread that only writes. */
export type ThreadDatabase = Pick<Database, 'engine' | 'read' | 'transaction' | 'close'>;

/** The part of a pino logger used here. */
export interface DatabaseLog {
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
}

export interface DatabaseOptions {
  /** The most connections to PostgreSQL. SQLite has one writer and one reader. */
  readonly poolSize?: number;
  /** Brings the schema to the last of these (default: all that this version has). */
  readonly migrations?: readonly Migration[];
  readonly logger?: DatabaseLog;
  /** How long the migrations of PostgreSQL may wait for locks of other sessions (default: five minutes). */
  readonly migrationWithinMs?: number;
  /**
   * `false` lets a short-lived command work on the SQLite file of a running service. The service itself claims the file:
   * its limits live in memory and would be wrong in two processes. PostgreSQL is always shared.
   */
  readonly exclusive?: boolean;
}
