import type { Database } from '../../database/index.ts';
import { runThenPause } from '../../platform/concurrency/run-then-pause.ts';
import * as indicatorSourceStore from './indicator-source-store.ts';
import type { Owner, StoredIndicatorKey } from './indicator-store.ts';
import * as indicatorStore from './indicator-store.ts';

/** Indicators that one transaction looks at: nobody's events wait for long. */
const ROWS_PER_TRANSACTION = 1000;

/**
 * Takes out of the table what replaced and removed sources have left in it, which nobody sees any more. It can be stopped
 * at any moment: the next sweep begins the source again.
 */
export async function purgeIndicators(database: Database, signal?: AbortSignal): Promise<void> {
  for (const { owner, source } of await indicatorSourceStore.listUnswept(database.read)) {
    const record = await indicatorSourceStore.find(database.read, owner, source);
    if (!record) continue;
    // A replacement that comes meanwhile leaves more behind than this: what it says then is not swept yet.
    const before = record.keptSince;
    let after: StoredIndicatorKey | undefined;
    do {
      signal?.throwIfAborted();
      const stretch = { source, before, after, limit: ROWS_PER_TRANSACTION };
      after = await runThenPause(
        () => database.transaction((tx) => indicatorStore.purgeSome(tx, owner, stretch)),
        signal,
      );
    } while (after);
    await recordPurged(database, { owner, source, before });
  }
}

/** A source that has nothing any more is forgotten. */
async function recordPurged(
  database: Database,
  { owner, source, before }: { owner: Owner; source: string; before: number },
): Promise<void> {
  await database.transaction(async (tx) => {
    await indicatorSourceStore.lockHead(tx, owner);
    const record = await indicatorSourceStore.find(tx, owner, source);
    if (!record) return;
    const isOver = record.keptSince === before && record.keptSince > record.importNumber;
    if (isOver) await indicatorSourceStore.remove(tx, owner, source);
    else await indicatorSourceStore.save(tx, owner, { ...record, sweptBefore: before });
  });
}
