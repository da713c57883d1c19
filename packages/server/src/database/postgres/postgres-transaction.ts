import {
  type CompiledQuery,
  type DatabaseConnection,
  type Kysely,
  type QueryResult,
  Transaction,
} from 'kysely';
import type { BatchTexts } from '../batch.ts';
import type { Queries } from '../database.ts';
import { runToEnd, type TransactionResult } from '../run-to-end.ts';
import type { Tables } from '../tables/index.ts';
import { type PostgresDriver, type PostgresSession, postgresDialect } from './postgres-driver.ts';
import { createPostgresQueries } from './postgres-queries.ts';

/** What transactions run on: `db` builds queries for the connections of `driver`. */
export interface PostgresConnections {
  readonly driver: PostgresDriver;
  readonly db: Kysely<Tables>;
  readonly texts: BatchTexts;
}

/** Runs work in a transaction on one connection. The connection is free again when all results have arrived. */
export async function inTransaction<R>(
  { driver, db, texts }: PostgresConnections,
  work: (tx: Queries) => Promise<R>,
): Promise<TransactionResult<R>> {
  const session = await driver.acquireConnection();
  try {
    const transaction = new PostgresTransaction(driver, session);
    // Kysely's own transaction sends a statement after the result of the one before.
    const executor = db.getExecutor().withConnectionProvider({
      provideConnection: (use) => use(transaction),
    });
    const dialect = postgresDialect(driver);
    const tx = new Transaction<Tables>({ config: { dialect }, dialect, driver, executor });
    try {
      const finished = await runToEnd(work, (later) =>
        createPostgresQueries(tx, { transaction, texts, ...later }),
      );
      await transaction.commit();
      return finished;
    } catch (error) {
      await transaction.rollback();
      throw error;
    }
  } finally {
    session.release();
  }
}

/**
 * Sends each statement at once, in call order, so that statements which are issued together share a round trip. After a
 * failed statement the server rejects all others; each of them then fails with the error of the first.
 */
class PostgresTransaction implements DatabaseConnection {
  readonly #driver: PostgresDriver;
  readonly #session: PostgresSession;
  readonly #begun: Promise<unknown>;
  #isBegun = false;
  #waitsForBegin = false;
  #isOver = false;
  #failure: { readonly error: unknown } | undefined;
  readonly #writes: Promise<unknown>[] = [];

  constructor(driver: PostgresDriver, session: PostgresSession) {
    this.#driver = driver;
    this.#session = session;
    this.#begun = this.#watch(driver.beginTransaction(session)).then(() => {
      this.#isBegun = true;
    });
    this.#begun.catch(() => undefined);
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    // If BEGIN failed, a write sent behind it would be committed alone. So it waits, and later statements wait behind it.
    this.#waitsForBegin ||= !this.#isBegun && query.query.kind !== 'SelectQueryNode';
    if (this.#waitsForBegin) await this.#begun;
    if (this.#isOver) throw new Error('A statement was issued after the end of its transaction.');
    return await this.#watch(this.#session.executeQuery<R>(query));
  }

  /** Resolves at once: the transaction waits for the write when it commits. If the write fails, so does the commit. */
  async finishLater(write: Promise<unknown>): Promise<void> {
    if (this.#isOver) await write;
    write.catch(() => undefined);
    this.#writes.push(write);
  }

  async commit(): Promise<void> {
    await this.#begun;
    this.#isOver = true;
    const committed = this.#driver.commitTransaction(this.#session);
    committed.catch(() => undefined);
    await Promise.all(this.#writes);
    await committed;
  }

  async rollback(): Promise<void> {
    this.#isOver = true;
    await this.#driver.rollbackTransaction(this.#session);
  }

  async #watch<T>(result: Promise<T>): Promise<T> {
    try {
      return await result;
    } catch (error) {
      this.#failure ??= { error };
      throw this.#failure.error;
    }
  }

  streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    return this.#session.streamQuery<R>();
  }
}
