import { countOf } from '@tps/contract/vocabulary';
import { SerialQueue } from '../concurrency/serial-queue.ts';
import { KeyError } from '../ports/keys.ts';
import { AppendQueue } from './appending/append-queue.ts';
import { safeModeReason } from './appending/safe-mode.ts';
import type {
  ChainReport,
  EventStore,
  NewRecord,
  SealedBatch,
  SealLimits,
  StoredRecord,
  StoreState,
  UploadResult,
} from './event-store.ts';
import { sealBatch, settleBatch } from './outbox/upload-batch.ts';
import { readRecords, toStoredRecord } from './read-records.ts';
import { removeArchived } from './remove-archived.ts';
import { rewrapStore } from './rewrap-store.ts';
import { hashId } from './segments/record.ts';
import { type EventStoreOptions, MIN_BUDGET_BYTES } from './store-options.ts';
import { toStoreState } from './store-state.ts';
import { type UnlockedStore, unlockStore } from './unlocked-store.ts';
import { verifyChain } from './verify-chain.ts';

/**
 * Opens the event store of one device. While the key store is locked or the disk fails, it opens in safe mode: events
 * are held in memory until `recover` succeeds.
 *
 * @throws KeyError when the keys do not belong to this store, or are damaged. The store is unchanged then, and the caller
 *   still has to close the storage.
 */
export async function openEventStore(options: EventStoreOptions): Promise<EventStore> {
  if (!(options.budgetBytes >= MIN_BUDGET_BYTES)) {
    throw new TypeError(`budgetBytes must be at least ${MIN_BUDGET_BYTES}.`);
  }
  const store = new LocalEventStore(options);
  await store.open();
  return store;
}

/** The event store on its ports. Changes run one at a time. */
class LocalEventStore implements EventStore {
  readonly #options: EventStoreOptions;
  readonly #queue = new SerialQueue();
  readonly #appendQueue: AppendQueue;
  #store: UnlockedStore | undefined;
  #isClosed = false;

  constructor(options: EventStoreOptions) {
    this.#options = options;
    this.#appendQueue = new AppendQueue({ ...options, queue: this.#queue, unlock: () => this.#unlock() });
  }

  /** Loads the store. If the key store is locked or the disk fails, it starts in safe mode instead. */
  async open(): Promise<void> {
    try {
      await this.#unlock();
    } catch (error) {
      const isLasting = error instanceof KeyError && error.code !== 'unavailable';
      if (isLasting) {
        throw error;
      }
      this.#appendQueue.enterSafeMode(error);
    }
  }

  append(records: readonly NewRecord[]): Promise<'persisted' | 'held'> {
    return this.#isClosed ? Promise.reject(closedError()) : this.#appendQueue.append(records);
  }

  seal(limits: SealLimits): Promise<SealedBatch | undefined> {
    const options = { ...this.#options, onDamaged: () => this.#reportDamaged(1) };
    return this.#change(async (store) => store && sealBatch(store, options, limits));
  }

  settle(results: readonly UploadResult[]): Promise<void> {
    const deliveredAt = this.#nowIso();
    return this.#change(async (store) => {
      if (store !== undefined) {
        await settleBatch(store, results, { deliveredAt, nowIso: () => this.#nowIso() });
      }
    });
  }

  async find(eventId: string): Promise<StoredRecord | undefined> {
    const store = this.#store;
    for (const { segment, entry } of store?.catalog.candidates(hashId(eventId)) ?? []) {
      const read = await store?.log.read(segment, entry);
      if (read?.content.event.event_id === eventId) {
        return toStoredRecord(read.content, entry);
      }
    }
    const held = this.#appendQueue.buffer.records.find(({ record }) => record.event.event_id === eventId);
    return (
      held && {
        number: 0,
        event: held.record.event,
        history: { created: held.record.createdAt, enriched: held.record.enrichedAt },
        refusal: undefined,
      }
    );
  }

  async *records(): AsyncGenerator<StoredRecord> {
    if (this.#store !== undefined) {
      for await (const { content, entry } of readRecords(this.#store)) {
        yield toStoredRecord(content, entry);
      }
    }
  }

  declareDropped(count: number): Promise<void> {
    return this.#change(async (store) => {
      await store?.journal.write({ kind: 'declared', count });
    });
  }

  removeArchivedBefore(archivedBeforeMs: number): Promise<number> {
    return this.#change(async (store) => (store ? removeArchived(store, archivedBeforeMs) : 0));
  }

  rewrap(): Promise<void> {
    return this.#change(async (store) => {
      if (store === undefined) {
        throw new KeyError('unavailable', 'The event store is locked: its data keys cannot be wrapped again');
      }
      await rewrapStore(store, this.#options);
    });
  }

  recover(): Promise<void> {
    return this.#queue.run(() => this.#appendQueue.recover());
  }

  async verify(): Promise<ChainReport> {
    return this.#store ? verifyChain(this.#store, this.#options.keys) : { records: 0, breaks: [] };
  }

  state(): StoreState {
    const { buffer, reason } = this.#appendQueue;
    return toStoreState({ store: this.#store, buffer, reason, budgetBytes: this.#options.budgetBytes });
  }

  async close(): Promise<void> {
    if (this.#isClosed) {
      return;
    }
    this.#isClosed = true;
    await this.#queue.run(async () => {
      if (this.#appendQueue.buffer.size > 0) {
        await this.#appendQueue.recover().catch(() => undefined);
      }
      try {
        await this.#store?.journal.close();
      } finally {
        // On any failure, still destroy the keys and release the directory.
        await this.#store?.log.close();
        await this.#options.storage.close();
      }
    });
  }

  /** Runs a change alone. A failing disk or key store starts safe mode, and the caller gets the error. */
  #change<Result>(task: (store: UnlockedStore | undefined) => Promise<Result>): Promise<Result> {
    return this.#queue.run(async () => {
      if (this.#isClosed) {
        throw closedError();
      }
      try {
        return await task(this.#store);
      } catch (error) {
        if (safeModeReason(error) !== undefined && this.#store !== undefined) {
          this.#appendQueue.enterSafeMode(error);
        }
        throw error;
      }
    });
  }

  async #unlock(): Promise<UnlockedStore> {
    if (this.#store === undefined) {
      const onDropped = (count: number) => {
        this.#options.onNotice?.({
          kind: 'dropped',
          message: `${countOf(count, 'event was', 'events were')} dropped because the disk budget is used up.`,
        });
      };
      const store = await unlockStore({ ...this.#options, onDropped, nowIso: () => this.#nowIso() });
      this.#store = store;
      if (store.damaged > 0) {
        this.#reportDamaged(store.damaged);
      }
      if (store.missing > 0) {
        const message = `${store.missing} stored records are missing: files of the event store were removed, cut off or damaged.`;
        this.#options.onNotice?.({ kind: 'missing', message });
      }
      // Files that cannot be removed now are removed before the next batch.
      await store.ring.removeLeftovers().catch(() => undefined);
    }
    return this.#store;
  }

  #reportDamaged(count: number): void {
    this.#options.onNotice?.({ kind: 'damaged', message: `${count} stored records are damaged.` });
  }

  #nowIso(): string {
    return new Date(this.#options.clock.nowMs()).toISOString();
  }
}

function closedError(): Error {
  return new Error('The event store is closed');
}
