import { SerialQueue } from '../concurrency/serial-queue.ts';
import { KeyError } from '../ports/keys.ts';
import { Intake } from './appending/append-queue.ts';
import { safeModeReason } from './appending/safe-mode.ts';
import type {
  ChainReport,
  EventStore,
  NewRecord,
  SealedBatch,
  SealLimits,
  StoredRecord,
  StoreState,
  Verdict,
} from './event-store.ts';
import { storedRecordOf } from './history.ts';
import { sealBatch, settleBatch } from './outbox/upload-batch.ts';
import { removeArchived } from './remove-archived.ts';
import { rewrapStore } from './rewrap-store.ts';
import { hashOfId } from './segments/record.ts';
import type { EventStoreOptions } from './store-options.ts';
import { countsOf } from './store-state.ts';
import { streamRecords } from './stream-records.ts';
import { type UnlockedStore, unlockStore } from './unlocked-store.ts';
import { verifyChain } from './verify-chain.ts';

/** The event store on its ports. Whatever changes it runs alone, one after the other. */
export class LocalEventStore implements EventStore {
  readonly #options: EventStoreOptions;
  readonly #queue = new SerialQueue();
  readonly #intake: Intake;
  #store: UnlockedStore | undefined;
  #isClosed = false;

  constructor(options: EventStoreOptions) {
    this.#options = options;
    this.#intake = new Intake({ ...options, queue: this.#queue, unlock: () => this.#unlock() });
  }

  /** Opens what is on disk. With the key store locked, or the disk out of order, it stays in safe mode instead. */
  async open(): Promise<void> {
    try {
      await this.#unlock();
    } catch (error) {
      const isLasting = error instanceof KeyError && error.code !== 'unavailable';
      if (isLasting) {
        throw error;
      }
      this.#intake.enterSafeMode(error);
    }
  }

  append(records: readonly NewRecord[]): Promise<'persisted' | 'held'> {
    return this.#isClosed ? Promise.reject(closedError()) : this.#intake.append(records);
  }

  seal(limits: SealLimits): Promise<SealedBatch | undefined> {
    const options = { ...this.#options, onDamaged: () => this.#noticeDamaged(1) };
    return this.#change(async (store) => store && sealBatch(store, options, limits));
  }

  settle(verdicts: readonly Verdict[]): Promise<void> {
    const deliveredAt = this.#nowIso();
    return this.#change(async (store) => {
      if (store !== undefined) {
        await settleBatch(store, verdicts, { deliveredAt, nowIso: () => this.#nowIso() });
      }
    });
  }

  async find(eventId: string): Promise<StoredRecord | undefined> {
    const store = this.#store;
    for (const { segment, entry } of store?.catalog.candidates(hashOfId(eventId)) ?? []) {
      const read = await store?.log.read(segment, entry);
      if (read?.content.event.event_id === eventId) {
        return storedRecordOf(read.content, entry);
      }
    }
    const held = this.#intake.hold.arrivals.find(({ record }) => record.event.event_id === eventId)?.record;
    return (
      held && {
        number: 0,
        event: held.event,
        history: { created: held.createdAt, enriched: held.enrichedAt },
        refusal: undefined,
      }
    );
  }

  async *records(): AsyncGenerator<StoredRecord> {
    if (this.#store !== undefined) {
      for await (const { content, entry } of streamRecords(this.#store)) {
        yield storedRecordOf(content, entry);
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
        throw new KeyError('unavailable', 'The store cannot be wrapped anew while it is locked');
      }
      await rewrapStore(store, this.#options);
    });
  }

  recover(): Promise<void> {
    return this.#queue.run(() => this.#intake.recover());
  }

  async verify(): Promise<ChainReport> {
    return this.#store ? verifyChain(this.#store, this.#options.keys) : { records: 0, breaks: [] };
  }

  state(): StoreState {
    const { hold, reason } = this.#intake;
    return countsOf({ store: this.#store, hold, reason, budgetBytes: this.#options.budgetBytes });
  }

  async close(): Promise<void> {
    if (this.#isClosed) {
      return;
    }
    this.#isClosed = true;
    await this.#queue.run(async () => {
      if (this.#intake.hold.size > 0) {
        await this.#intake.recover().catch(() => undefined);
      }
      try {
        await this.#store?.journal.close();
      } finally {
        // Whatever fails, the keys go and the directory is free for the next one.
        await this.#store?.log.close();
        await this.#options.storage.close();
      }
    });
  }

  /** Runs alone. A disk or key store that fails sends the store into safe mode, and the caller hears of it. */
  #change<Result>(task: (store: UnlockedStore | undefined) => Promise<Result>): Promise<Result> {
    return this.#queue.run(async () => {
      if (this.#isClosed) {
        throw closedError();
      }
      try {
        return await task(this.#store);
      } catch (error) {
        if (safeModeReason(error) !== undefined && this.#store !== undefined) {
          this.#intake.enterSafeMode(error);
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
          message: `${count} events left the disk for want of room`,
        });
      };
      const store = await unlockStore({ ...this.#options, onDropped, nowIso: () => this.#nowIso() });
      this.#store = store;
      if (store.damaged > 0) {
        this.#noticeDamaged(store.damaged);
      }
      // What cannot be removed now is tried again before the next batch.
      await store.ring.removeLeftovers().catch(() => undefined);
    }
    return this.#store;
  }

  #noticeDamaged(count: number): void {
    this.#options.onNotice?.({ kind: 'damaged', message: `${count} stored records could not be read back` });
  }

  #nowIso(): string {
    return new Date(this.#options.clock.nowMs()).toISOString();
  }
}

function closedError(): Error {
  return new Error('The event store is closed');
}
