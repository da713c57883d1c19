import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
} from 'kysely';
import type { QueryResult as PgResult, PoolClient, QueryConfig } from 'pg';
import { isLostConnection, isStalePlan, toLoginFailure, toPostgresFailure } from './postgres-failures.ts';
import type { PostgresPool } from './postgres-pool.ts';

const NAMED_STATEMENTS = 500;

/** Kysely's dialect for PostgreSQL, on a pool. */
export function postgresDialect(driver: PostgresDriver): Dialect {
  return {
    createDriver: () => driver,
    createQueryCompiler: () => new PostgresQueryCompiler(),
    createAdapter: () => new PostgresAdapter(),
    createIntrospector: (db) => new PostgresIntrospector(db),
  };
}

/** Kysely's own driver lacks two things: it prepares no statements, and it returns lost connections to the pool. */
export class PostgresDriver implements Driver {
  readonly #pool: PostgresPool;
  readonly #sessions = new WeakMap<PoolClient, PostgresSession>();
  readonly #plans: Plans = { version: 0 };

  constructor(pool: PostgresPool) {
    this.#pool = pool;
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<PostgresSession> {
    for (;;) {
      const client = await this.#connect();
      const known = this.#sessions.get(client);
      const session = known ?? new PostgresSession(client, { pool: this.#pool, plans: this.#plans });
      if (!known) this.#sessions.set(client, session);
      if (!session.isStale()) {
        session.begin();
        return session;
      }
      session.giveUp();
      session.release();
    }
  }

  async #connect(): Promise<PoolClient> {
    try {
      return await this.#pool.pool.connect();
    } catch (error) {
      throw toLoginFailure(error);
    }
  }

  async releaseConnection(session: PostgresSession): Promise<void> {
    session.release();
  }

  async beginTransaction(session: PostgresSession): Promise<void> {
    await session.beginTransaction();
  }

  async commitTransaction(session: PostgresSession): Promise<void> {
    const command = await session.endTransaction('commit');
    // If the work ignored an error, the server rolls back on COMMIT and reports success.
    if (command !== 'COMMIT')
      throw new Error('The transaction continued after a failed statement; nothing was committed.');
  }

  /** Does not throw: the error that caused the rollback matters more. A connection that cannot roll back is discarded. */
  async rollbackTransaction(session: PostgresSession): Promise<void> {
    await session.endTransaction('rollback').catch(() => session.giveUp());
  }

  async destroy(): Promise<void> {
    const { pool } = this.#pool;
    if (!pool.ended && !pool.ending) await pool.end();
  }
}

/** Increases when a statement turns out to be prepared for tables that a later version has changed since. */
interface Plans {
  version: number;
}

export class PostgresSession implements DatabaseConnection {
  readonly #client: PoolClient;
  readonly #plans: Plans;
  readonly #version: number;
  /** Behind a pooler, every statement runs in a transaction that makes its own settings, and none is named. */
  readonly #isPooled: boolean;
  readonly #begin: string;
  #isInTransaction = false;
  readonly #names = new Map<string, string>();
  #isSpent = false;
  #uses = 0;

  constructor(client: PoolClient, { pool, plans }: { pool: PostgresPool; plans: Plans }) {
    this.#client = client;
    this.#plans = plans;
    this.#version = plans.version;
    this.#isPooled = pool.isPooled(client);
    this.#begin = pool.toBegin(client);
  }

  /** Returns whether tables have changed since this connection prepared its first statement. */
  isStale(): boolean {
    return this.#version !== this.#plans.version;
  }

  async beginTransaction(): Promise<void> {
    this.#isInTransaction = true;
    await this.#run(this.#begin);
  }

  /** Returns what the server did. */
  async endTransaction(command: 'commit' | 'rollback'): Promise<string> {
    this.#isInTransaction = false;
    return await this.#run(command);
  }

  async #run(text: string): Promise<string> {
    return await this.#guard(async () => (await this.#client.query(text)).command);
  }

  async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    const query = { text: sql, values: [...parameters] };
    return await this.#guard(async () => {
      const { rows, rowCount, command } = await this.#send(query);
      return { rows, ...(command !== 'SELECT' && { numAffectedRows: BigInt(rowCount ?? 0) }) };
    });
  }

  async #send(query: QueryConfig): Promise<PgResult> {
    if (this.#isPooled) return this.#isInTransaction ? this.#client.query(query) : this.#sendAlone(query);
    const name = this.#toName(query.text);
    return this.#client.query({ ...query, ...(name && { name }) }).catch((error: unknown) => {
      if (!isStalePlan(error)) throw error;
      if (!this.isStale()) this.#plans.version += 1;
      // It has done nothing. A transaction cannot continue after it, so its work is repeated.
      if (this.#isInTransaction) throw error;
      return this.#client.query(query);
    });
  }

  /** Sends the transaction of a single statement in one round trip. If the statement fails, `commit` rolls back. */
  async #sendAlone(query: QueryConfig): Promise<PgResult> {
    const begun = this.#client.query(this.#begin);
    const result = this.#client.query(query);
    const ended = this.#client.query('commit');
    // The first failure is the cause of the others.
    for (const outcome of await Promise.allSettled([begun, result, ended]))
      if (outcome.status === 'rejected') throw outcome.reason;
    return await result;
  }

  /**
   * Makes PostgreSQL plan the statements of this connection again, at power-of-two numbers of uses from 8 on and at every
   * 4096th. Otherwise it keeps a plan until the table is analyzed. For an almost empty table all indexes look alike: for its
   * first minute, a new store searched all events of the tenant for each event id, and stored 470 to 670 events per second
   * instead of 1,800.
   */
  begin(): void {
    this.#isInTransaction = false;
    // No plan is kept there.
    if (this.#isPooled) return;
    this.#uses += 1;
    const isPowerOfTwo = (this.#uses & (this.#uses - 1)) === 0;
    if (this.#uses < 8 || !(isPowerOfTwo || this.#uses % 4096 === 0)) return;
    // If it fails, the statement sent after it fails too, and reports the error.
    this.#run('discard plans').catch(() => undefined);
  }

  giveUp(): void {
    this.#isSpent = true;
  }

  release(): void {
    this.#client.release(this.#isSpent);
  }

  async #guard<T>(query: () => Promise<T>): Promise<T> {
    try {
      return await query();
    } catch (error) {
      if (isLostConnection(error)) this.giveUp();
      throw toPostgresFailure(error);
    }
  }

  /**
   * Names a statement, so that this connection parses it once. The server keeps every name, so their number is bounded: a
   * connection that has used them all is replaced when it is released. Constant statements never reach the bound.
   */
  #toName(text: string): string | undefined {
    const known = this.#names.get(text);
    if (known) return known;
    if (this.#names.size >= NAMED_STATEMENTS) {
      this.giveUp();
      return undefined;
    }
    const name = `s${this.#names.size}`;
    this.#names.set(text, name);
    return name;
  }

  // biome-ignore lint/correctness/useYield: the interface asks for a generator
  async *streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error('Queries are not streamed: an open cursor would hold the connection. Read by pages.');
  }
}
