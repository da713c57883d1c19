import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import type { Database as SqliteHandle, Statement } from 'better-sqlite3';
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import { storeUnavailable } from '../store-unavailable.ts';
import { isBusy, toSqliteFailure } from './sqlite-failures.ts';
import { StatementCache } from './statement-cache.ts';

const CACHED_STATEMENTS = 500;
/** How long a caller waits for the connection, and a transaction for the lock of the file. */
const MAX_WAIT_MS = 10_000;
/** The time between two attempts to get the lock of the file, which another thread or process holds. */
const RETRY_MS = 2;
/** Rows of a batch between two looks at the clock: less than a millisecond. */
const ROWS_AT_ONCE = 32;

/** The only parameter of a statement that runs once per row. The result has the number of changes of each run. */
export class RowBatch {
  readonly rows: readonly (readonly unknown[])[];

  constructor(rows: readonly (readonly unknown[])[]) {
    this.rows = rows;
  }
}

/** Kysely's dialect for SQLite, on one connection that callers use in turn. */
export function sqliteDialect(driver: SqliteDriver): Dialect {
  return {
    createDriver: () => driver,
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createAdapter: () => new SqliteAdapter(),
    createIntrospector: (db) => new SqliteIntrospector(db),
  };
}

export interface SqliteDriverOptions {
  readonly begin: 'begin' | 'begin immediate';
  /**
   * How long the connection may work in one turn of the event loop. Infinite in the writer thread, which serves no
   * requests.
   */
  readonly turnMs: number;
}

/** Kysely's own driver lacks three things: statements prepared once, callers served FIFO, and a rollback that always runs. */
export class SqliteDriver implements Driver {
  readonly #handle: SqliteHandle;
  readonly #session: SqliteSession;
  readonly #begin: SqliteDriverOptions['begin'];
  #lastTurn: Promise<void> = Promise.resolve();
  #endTurn: () => void = () => undefined;
  #waiting = 0;
  #isInUse = false;

  constructor(handle: SqliteHandle, { begin, turnMs }: SqliteDriverOptions) {
    this.#handle = handle;
    this.#session = new SqliteSession(handle, turnMs);
    this.#begin = begin;
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    const before = this.#lastTurn;
    this.#waiting += 1;
    const { promise, resolve } = newTurn();
    this.#lastTurn = promise;
    const isInTime = await endsInTime(before);
    this.#waiting -= 1;
    if (!isInTime) {
      void before.then(resolve);
      throw storeUnavailable(new Error('The transactions before this one take too long.'));
    }
    this.#endTurn = resolve;
    if (this.#handle.open) {
      this.#isInUse = true;
      return this.#session;
    }
    resolve();
    throw storeUnavailable(new Error('The database is closed.'));
  }

  /** The number of callers that wait for their turn. */
  waiting(): number {
    return this.#waiting;
  }

  /** Whether a caller has its turn. */
  isInUse(): boolean {
    return this.#isInUse;
  }

  async releaseConnection(): Promise<void> {
    this.#isInUse = false;
    this.#endTurn();
  }

  /** Waits for the lock without holding the thread: SQLite's own busy timeout would stop the event loop. */
  async beginTransaction(): Promise<void> {
    const endMs = performance.now() + MAX_WAIT_MS;
    while (!this.#session.tryBegin(this.#begin)) {
      if (performance.now() >= endMs) throw storeUnavailable(new Error('The file is locked by other work.'));
      await sleep(RETRY_MS);
    }
  }

  async commitTransaction(): Promise<void> {
    this.#session.commit();
  }

  async rollbackTransaction(): Promise<void> {
    this.#session.rollback();
  }

  /** Closes the connection after the callers that are waiting. A second call does nothing. */
  async close(beforeClosing: () => void = () => undefined): Promise<void> {
    await this.#lastTurn;
    if (!this.#handle.open) return;
    try {
      beforeClosing();
    } finally {
      this.#handle.close();
    }
  }

  async destroy(): Promise<void> {
    await this.close();
  }
}

/** Resolves to false if the turn has not ended within the longest wait. */
async function endsInTime(turn: Promise<void>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const isLate = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), MAX_WAIT_MS);
  });
  const inTime = await Promise.race([turn.then(() => true), isLate]);
  clearTimeout(timer);
  return inTime;
}

function newTurn(): { promise: Promise<void>; resolve: () => void } {
  let resolve: () => void = () => undefined;
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}

/**
 * Statements run on the thread that issues them. After `turnMs` of them, the next one waits for the next turn of the event
 * loop, so that a long transaction, or many reads, do not delay requests that need no store. The connection stays with its
 * caller meanwhile, and each turn of the loop runs at least one more statement.
 */
class SqliteSession implements DatabaseConnection {
  readonly #handle: SqliteHandle;
  readonly #statements: StatementCache<Statement<unknown[], unknown>>;
  readonly #turnMs: number;
  /** Whether the caller is between begin and commit. The transaction itself ends earlier if a statement fails. */
  #hasBegun = false;
  /** When this turn's time is used up. Undefined before the first statement of a turn. */
  #turnEndsAtMs: number | undefined;

  constructor(handle: SqliteHandle, turnMs: number) {
    this.#handle = handle;
    this.#turnMs = turnMs;
    this.#statements = new StatementCache(
      (text) => handle.prepare<unknown[], unknown>(text),
      CACHED_STATEMENTS,
    );
  }

  commit(): void {
    this.#hasBegun = false;
    this.#run('commit');
  }

  rollback(): void {
    this.#hasBegun = false;
    // SQLite rolls back by itself when the disk is full. A second rollback would replace that error with its own.
    if (this.#handle.inTransaction) this.#run('rollback');
  }

  #run(text: string): void {
    try {
      this.#statements.get(text).run();
    } catch (error) {
      throw toSqliteFailure(error);
    }
  }

  /** Returns false if other work holds the lock of the file. */
  tryBegin(text: SqliteDriverOptions['begin']): boolean {
    try {
      this.#statements.get(text).run();
      this.#hasBegun = true;
      return true;
    } catch (error) {
      if (isBusy(error)) return false;
      throw toSqliteFailure(error);
    }
  }

  async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    if (!this.#hasTime()) await nextTurn();
    if (this.#hasBegun && !this.#handle.inTransaction)
      throw new Error('The transaction has ended, because one of its statements failed.');
    try {
      const statement = this.#statements.get(sql);
      const [batch] = parameters;
      if (batch instanceof RowBatch) return { rows: (await this.#runEach(statement, batch)) as R[] };
      if (statement.reader) return { rows: statement.all(parameters) as R[] };
      const { changes, lastInsertRowid } = statement.run(parameters);
      return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) };
    } catch (error) {
      throw toSqliteFailure(error);
    }
  }

  /**
   * Runs the statement for all rows. A rejected row ends and rolls back the transaction, as on PostgreSQL. A savepoint would
   * undo only the batch, but SQLite then copies each page before it changes it: 37 of 92 KB written per event.
   */
  async #runEach(statement: Statement<unknown[], unknown>, { rows }: RowBatch): Promise<number[]> {
    try {
      const changes: number[] = [];
      for (const row of rows) {
        if (changes.length % ROWS_AT_ONCE === ROWS_AT_ONCE - 1 && !this.#hasTime()) await nextTurn();
        changes.push(statement.run(row).changes);
      }
      return changes;
    } catch (error) {
      if (this.#handle.inTransaction) this.#run('rollback');
      throw error;
    }
  }

  #hasTime(): boolean {
    if (this.#turnMs === Number.POSITIVE_INFINITY) return true;
    const nowMs = performance.now();
    if (this.#turnEndsAtMs === undefined) {
      this.#turnEndsAtMs = nowMs + this.#turnMs;
      setImmediate(() => {
        this.#turnEndsAtMs = undefined;
      });
    }
    return nowMs < this.#turnEndsAtMs;
  }

  // biome-ignore lint/correctness/useYield: the interface asks for a generator
  async *streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error('Queries are not streamed: an open cursor would hold the connection. Read by pages.');
  }
}
