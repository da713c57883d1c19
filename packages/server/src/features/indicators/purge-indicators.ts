import type { Database } from '../../database/index.ts';
import { runThenPause } from '../../platform/concurrency/run-then-pause.ts';
import * as indicatorSourceStore from './indicator-source-store.ts';
import type { Owner, StoredIndicatorKey } from './indicator-store.ts';
import * as indicatorStore from './indicator-store.ts';

/** The most rows that one transaction checks, so that events never wait long. */
const ROWS_PER_TRANSACTION = 1000;

/**
 * Deletes the rows that replacing imports and removed sources left in the table; reads already ignore them. It can be
 * stopped at any moment: the next run starts the source again.
 */
export async function purgeIndicators(database: Database, signal?: AbortSignal): Promise<void> {
  for (const { owner, source } of await indicatorSourceStore.listUnpurged(database.read)) {
    const record = await indicatorSourceStore.find(database.read, owner, source);
    if (!record) continue;
    // A concurrent replacement leaves further rows behind; the next run deletes those.
    const before = record.keptSince;
    let after: StoredIndicatorKey | undefined;
    do {
      signal?.throwIfAborted();
      const range = { source, before, after, limit: ROWS_PER_TRANSACTION };
      after = await runThenPause(
        () => database.transaction((tx) => indicatorStore.purgeSome(tx, owner, range)),
        signal,
      );
    } while (after);
    await recordPurged(database, { owner, source, before });
  }
}

/** Records that a source was purged, and removes the source if it has no indicators left. */
async function recordPurged(
  database: Database,
  { owner, source, before }: { owner: Owner; source: string; before: number },
): Promise<void> {
  await database.transaction(async (tx) => {
    await indicatorSourceStore.lockHead(tx, owner);
    const record = await indicatorSourceStore.find(tx, owner, source);
    if (!record) return;
    const isEmpty = record.keptSince === before && record.keptSince > record.importNumber;
    if (isEmpty) await indicatorSourceStore.remove(tx, owner, source);
    else await indicatorSourceStore.save(tx, owner, { ...record, sweptBefore: before });
  });
}
