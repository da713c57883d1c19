import type { Operation, ScanResult } from '@tps/contract';
import { ID_PREFIXES } from '@tps/contract/vocabulary';
import { batchWithFallback, oncePerKey, type Queries } from '../../database/index.ts';
import { type Batcher, createBatcher } from '../../platform/concurrency/batcher.ts';
import type { Exchange, Reply } from '../../platform/http/route.ts';
import { createId } from '../../platform/identifiers.ts';
import { ServiceError } from '../../platform/service-error.ts';
import type { TenantId } from '../../platform/tenant-id.ts';
import type { RequestDatabase } from '../authority/index.ts';
import { statisticsStore } from '../statistics/index.ts';
import * as scanStore from './scan-store.ts';

/** Small, so that other writers do not wait long for a transaction of scans. */
const MAX_BATCH = 64;
const MAX_WAITING = 1_024;

/** A scan that this transaction has stored. */
interface StoredScan {
  readonly tenantId: TenantId;
  readonly atMs: number;
  readonly verdict: ScanResult['verdict'];
}

/** A classified scan to store. */
export interface ClassifiedScan {
  readonly exchange: Exchange<Operation>;
  /** SHA-256 of the body if its bytes were transferred. */
  readonly bodyDigest: Buffer | undefined;
  readonly nowMs: number;
  readonly toResult: (scanId: string) => ScanResult;
}

/** Group commit: scans that are classified during a transaction are stored together by the next one. */
export class ScanWriter {
  readonly #database: RequestDatabase;
  readonly #stored: (verdict: ScanResult['verdict']) => void;
  readonly #batcher: Batcher<ClassifiedScan, Reply>;

  /** @param stored called for each stored scan, after the commit */
  constructor(database: RequestDatabase, stored: (verdict: ScanResult['verdict']) => void) {
    this.#database = database;
    this.#stored = stored;
    const ownerOf = ({ exchange }: ClassifiedScan) => exchange.tenantId;
    const run = (scans: ClassifiedScan[]) =>
      batchWithFallback(scans, (some) => this.#transact(some), ownerOf);
    this.#batcher = createBatcher({ run, maxBatch: MAX_BATCH, maxQueue: MAX_WAITING, lineOf: ownerOf });
  }

  /**
   * Stores a result once for each `Idempotency-Key` and returns the response.
   * @throws ServiceError `idempotency_conflict`, `invalid_parameter`, `unavailable`
   */
  write(scan: ClassifiedScan): Promise<Reply> {
    return this.#batcher.submit(scan);
  }

  /** Resolves when every submitted scan has its outcome. */
  close(): Promise<void> {
    return this.#batcher.close();
  }

  async #transact(scans: readonly ClassifiedScan[]): Promise<PromiseSettledResult<Reply>[]> {
    const requests = scans.map(({ exchange }) => exchange);
    const { replies, stored } = await this.#database.groupTransaction(requests, async (tx, refusalOf) => {
      const outcomes = new Map<ClassifiedScan, PromiseSettledResult<Reply>>();
      const stored: StoredScan[] = [];
      for (const scan of sortByKey(scans)) {
        const reason = refusalOf(scan.exchange);
        outcomes.set(scan, reason ? { status: 'rejected', reason } : await storeOne(tx, scan, stored));
      }
      // Last, because other transactions wait for these rows.
      await statisticsStore.add(tx, 'scan_statistics', stored.map(toCounts));
      return { replies: scans.map((scan) => outcomes.get(scan) as PromiseSettledResult<Reply>), stored };
    });
    for (const { verdict } of stored) this.#stored(verdict);
    return replies;
  }
}

/** Sorts by key, so that two nodes lock the same keys in the same order. */
function sortByKey(scans: readonly ClassifiedScan[]): ClassifiedScan[] {
  const keyOf = ({ exchange }: ClassifiedScan) =>
    `${exchange.tenantId} ${exchange.caller.tokenId} ${exchange.header('idempotency-key') ?? ''}`;
  return [...scans].sort((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));
}

function toCounts({ tenantId, atMs, verdict }: StoredScan): statisticsStore.TenantCounts<'scan_statistics'> {
  return { tenantId, atMs, counts: { [`verdict_${verdict}` as const]: 1 } };
}

/** Stores a scan and, unless it is a repeated request, adds it to what was stored. */
async function storeOne(
  tx: Queries,
  { exchange, bodyDigest, nowMs, toResult }: ClassifiedScan,
  stored: StoredScan[],
): Promise<PromiseSettledResult<Reply>> {
  const work = async () => {
    const result = toResult(createId(ID_PREFIXES.scan, nowMs));
    await scanStore.create(tx, exchange.tenantId, { result, nowMs });
    stored.push({ tenantId: exchange.tenantId, atMs: nowMs, verdict: result.verdict });
    return { status: 200, body: result };
  };
  try {
    const value = await oncePerKey(tx, { exchange, nowMs, bodyDigest, work, forRepeat: ({ body }) => body });
    return { status: 'fulfilled', value };
  } catch (reason) {
    // These are rejected before anything is written. Any other error fails the whole transaction.
    const isRefusal =
      reason instanceof ServiceError && ['idempotency_conflict', 'invalid_parameter'].includes(reason.code);
    if (!isRefusal) throw reason;
    return { status: 'rejected', reason };
  }
}
