import type { Operation, ScanResult } from '@tps/contract';
import { ID_PREFIXES } from '@tps/contract';
import { batchWithFallback, type Database, oncePerKey, type Queries } from '../../database/index.ts';
import { type Batcher, createBatcher } from '../../platform/concurrency/batcher.ts';
import type { Exchange, Reply } from '../../platform/http/route.ts';
import { createId } from '../../platform/identifiers.ts';
import { ServiceError } from '../../platform/service-error.ts';
import * as scanStore from './scan-store.ts';

/** Short, so that nobody waits long behind a transaction of scans. */
const MAX_BATCH = 64;
const MAX_WAITING = 1_024;

/** A classified scan that is to be stored. */
export interface ClassifiedScan {
  readonly exchange: Exchange<Operation>;
  /** SHA-256 of the body where its bytes were given away. */
  readonly bodyDigest: Buffer | undefined;
  readonly nowMs: number;
  readonly toResult: (scanId: string) => ScanResult;
}

/** Group commit: scans that are classified while a transaction runs are stored by the next one, each answered after it. */
export class ScanWriter {
  readonly #database: Database;
  readonly #batcher: Batcher<ClassifiedScan, Reply>;

  constructor(database: Database) {
    this.#database = database;
    const run = (scans: ClassifiedScan[]) => batchWithFallback(scans, (some) => this.#transact(some));
    this.#batcher = createBatcher({ run, maxBatch: MAX_BATCH, maxQueue: MAX_WAITING });
  }

  /**
   * Stores a result once per `Idempotency-Key`, and gives the answer.
   * @throws ServiceError `idempotency_conflict`, `invalid_parameter`, `unavailable`
   */
  write(scan: ClassifiedScan): Promise<Reply> {
    return this.#batcher.submit(scan);
  }

  /** Resolves when everything that was submitted has its outcome. */
  close(): Promise<void> {
    return this.#batcher.close();
  }

  #transact(scans: readonly ClassifiedScan[]): Promise<PromiseSettledResult<Reply>[]> {
    return this.#database.transaction(async (tx) => {
      const outcomes = new Map<ClassifiedScan, PromiseSettledResult<Reply>>();
      for (const scan of inOneOrder(scans)) outcomes.set(scan, await storeOne(tx, scan));
      return scans.map((scan) => outcomes.get(scan) as PromiseSettledResult<Reply>);
    });
  }
}

/** So that two nodes that take the same keys take them in the same order. */
function inOneOrder(scans: readonly ClassifiedScan[]): ClassifiedScan[] {
  const keyOf = ({ exchange }: ClassifiedScan) =>
    `${exchange.tenantId} ${exchange.caller.tokenId} ${exchange.header('idempotency-key') ?? ''}`;
  return [...scans].sort((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));
}

async function storeOne(
  tx: Queries,
  { exchange, bodyDigest, nowMs, toResult }: ClassifiedScan,
): Promise<PromiseSettledResult<Reply>> {
  const work = async () => {
    const result = toResult(createId(ID_PREFIXES.scan, nowMs));
    await scanStore.create(tx, exchange.tenantId, { result, nowMs });
    return { status: 200, body: result };
  };
  try {
    const value = await oncePerKey(tx, { exchange, nowMs, bodyDigest, work, forRepeat: ({ body }) => body });
    return { status: 'fulfilled', value };
  } catch (reason) {
    // Refused before anything was written. Whatever else went wrong concerns the whole transaction.
    const isRefusal =
      reason instanceof ServiceError && ['idempotency_conflict', 'invalid_parameter'].includes(reason.code);
    if (!isRefusal) throw reason;
    return { status: 'rejected', reason };
  }
}
