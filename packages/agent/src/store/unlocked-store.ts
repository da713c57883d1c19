import { Journal } from './journal/journal.ts';
import type { JournalRecord } from './journal/journal-record.ts';
import type { JournalState } from './journal/journal-state.ts';
import { toSnapshot } from './journal/snapshot.ts';
import { loadStore } from './loading/load-store.ts';
import type { Outbox } from './outbox/outbox.ts';
import { Ring } from './ring.ts';
import type { Catalog } from './segments/catalog.ts';
import { EventLog } from './segments/event-log.ts';
import type { Settlement } from './segments/segment.ts';
import { type EventStoreOptions, segmentBytesFor } from './store-options.ts';

/** The parts of a store whose keys are available, wired together. */
export interface UnlockedStore {
  readonly catalog: Catalog;
  readonly journalState: JournalState;
  readonly journal: Journal;
  readonly log: EventLog;
  readonly ring: Ring;
  outbox: Outbox | undefined;
  damaged: number;
  /** Records found missing by this opening. */
  readonly missing: number;
}

export interface UnlockOptions extends EventStoreOptions {
  readonly nowIso: () => string;
  readonly onDropped: (count: number) => void;
}

/** Loads the store from disk and prepares it for writing. @throws KeyError, StorageError */
export async function unlockStore(options: UnlockOptions): Promise<UnlockedStore> {
  const loaded = await loadStore(options);
  const { catalog, journalState, journals, leftovers, otherBytes } = loaded;
  const segmentBytes = segmentBytesFor(options.budgetBytes);
  let counter = loaded.highestCounter;
  const nextCounter = () => {
    counter += 1;
    return counter;
  };
  const { storage, keys } = options;
  const shared = { storage, keys, catalog, journalState, segmentBytes, nextCounter, nowIso: options.nowIso };
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
    journalState,
    journal,
    log,
    ring,
    outbox: loaded.outbox,
    damaged: loaded.damaged,
    missing: loaded.missing,
  };
  return store;
}

function snapshot({ catalog, journalState, ring, outbox }: UnlockedStore): JournalRecord[] {
  journalState.forget(catalog.oldestNumber, ring.pending);
  const settlements = new Map<number, Settlement>(outbox?.settlements);
  for (const { entries } of catalog.segments) {
    for (const { number, settlement } of entries) {
      if (settlement !== undefined) {
        settlements.set(number, settlement);
      }
    }
  }
  return toSnapshot(journalState, settlements);
}
