import { Journal } from './journal/journal.ts';
import type { JournalRecord } from './journal/journal-record.ts';
import type { Ledger } from './journal/journal-state.ts';
import { snapshotOf } from './journal/snapshot.ts';
import { loadStore } from './loading/load-store.ts';
import type { Outbox } from './outbox/outbox.ts';
import { Ring } from './ring.ts';
import type { Catalog } from './segments/catalog.ts';
import { EventLog } from './segments/event-log.ts';
import type { Outcome } from './segments/segment.ts';
import { type EventStoreOptions, segmentBytesFor } from './store-options.ts';

/** The parts of a store whose keys are open, wired together. */
export interface UnlockedStore {
  readonly catalog: Catalog;
  readonly ledger: Ledger;
  readonly journal: Journal;
  readonly log: EventLog;
  readonly ring: Ring;
  outbox: Outbox | undefined;
  damaged: number;
}

export interface UnlockOptions extends EventStoreOptions {
  readonly nowIso: () => string;
  readonly onDropped: (count: number) => void;
}

/** Reads what is on disk, and makes it ready for more. @throws KeyError, StorageError */
export async function unlockStore(options: UnlockOptions): Promise<UnlockedStore> {
  const loaded = await loadStore(options);
  const { catalog, ledger, journals, leftovers, otherBytes } = loaded;
  const segmentBytes = segmentBytesFor(options.budgetBytes);
  let counter = loaded.highestCounter;
  const nextCounter = () => {
    counter += 1;
    return counter;
  };
  const { storage, keys } = options;
  const shared = { storage, keys, catalog, ledger, segmentBytes, nextCounter, nowIso: options.nowIso };
  const log = new EventLog({ ...shared, fsync: options.fsync });
  const journal = new Journal({
    ...shared,
    before: journals,
    snapshot: () => snapshot(store),
  });
  const ring = new Ring({
    ...shared,
    journal,
    log,
    otherBytes,
    leftovers,
    budgetBytes: options.budgetBytes,
    onDropped: options.onDropped,
    outbox: () => store.outbox,
  });
  const store: UnlockedStore = {
    catalog,
    ledger,
    journal,
    log,
    ring,
    outbox: loaded.outbox,
    damaged: loaded.damaged,
  };
  return store;
}

function snapshot({ catalog, ledger, ring, outbox }: UnlockedStore): JournalRecord[] {
  ledger.forget(catalog.oldestNumber, ring.pending);
  const outcomes = new Map<number, Outcome>(outbox?.outcomes);
  for (const { entries } of catalog.segments) {
    for (const { number, outcome } of entries) {
      if (outcome !== undefined) {
        outcomes.set(number, outcome);
      }
    }
  }
  return snapshotOf(ledger, outcomes);
}
