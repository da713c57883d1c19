import { countOf } from '@tps/contract/vocabulary';
import type { SerialQueue } from '../../concurrency/serial-queue.ts';
import { KeyError } from '../../ports/keys.ts';
import type { AgentStorage } from '../../ports/storage.ts';
import type { NewRecord, SafeModeReason } from '../event-store.ts';
import { assertFits } from '../segments/record.ts';
import { type EventStoreOptions, segmentBytesFor } from '../store-options.ts';
import type { UnlockedStore } from '../unlocked-store.ts';
import { MemoryBuffer, type PendingRecord } from './memory-buffer.ts';
import { safeModeReason } from './safe-mode.ts';

export interface AppendQueueOptions extends EventStoreOptions {
  readonly queue: SerialQueue;
  /** Returns the unlocked store, unlocking it first if necessary. @throws KeyError, StorageError */
  readonly unlock: () => Promise<UnlockedStore>;
}

interface AppendCall {
  readonly records: readonly PendingRecord[];
  readonly resolve: (kept: 'persisted' | 'held') => void;
  readonly reject: (reason: unknown) => void;
}

const REASON_TEXT: Readonly<Record<SafeModeReason, string>> = {
  key_unavailable: 'the key store is locked',
  disk_full: 'the disk is full',
  disk_read_only: 'the disk is read-only',
  disk_failed: 'the disk failed',
};
/** In safe mode, appends check for recovery at most this often. */
const RETRY_AFTER_MS = 1000;
const PROBE_FILE = 'probe';
const PROBE_BYTES = 4096;

/** Stores new events: on disk, concurrent appends with one write; in memory while the disk or the keys are unavailable. */
export class AppendQueue {
  readonly buffer: MemoryBuffer;
  reason: SafeModeReason | undefined;
  readonly #options: AppendQueueOptions;
  #waiting: AppendCall[] = [];
  #triedAtMs = Number.NEGATIVE_INFINITY;

  constructor(options: AppendQueueOptions) {
    this.#options = options;
    this.buffer = new MemoryBuffer(options.memoryBudgetBytes);
  }

  async append(newRecords: readonly NewRecord[]): Promise<'persisted' | 'held'> {
    const records = newRecords.map((record) => ({ record, bytes: assertFits(record) }));
    return new Promise((resolve, reject) => {
      this.#waiting.push({ records, resolve, reject });
      if (this.#waiting.length === 1) {
        this.#options.queue.run(() => this.#processCalls()).catch(reject);
      }
    });
  }

  /** Checks whether the cause of safe mode is resolved, and then stores the events held in memory. */
  async recover(): Promise<void> {
    this.#triedAtMs = this.#options.clock.nowMs();
    try {
      const store = await this.#options.unlock();
      if (this.reason === undefined && this.buffer.size === 0) {
        return;
      }
      await probe(this.#options.storage);
      await store.log.trim();
      await store.ring.removeLeftovers();
      await this.#journalDropped(store);
      while (this.buffer.size > 0) {
        const part = this.#firstPart(this.buffer.records);
        await storeRecords(store, part);
        this.buffer.release(part.length);
      }
      this.reason = undefined;
      this.#notify('recovered', 'Events are stored on disk again.');
    } catch (error) {
      this.enterSafeMode(error);
      if (error instanceof KeyError && error.code !== 'unavailable') {
        throw error;
      }
    }
  }

  /** Starts safe mode for a failure of the disk or the key store. @throws any other error that it is given */
  enterSafeMode(error: unknown): void {
    const reason = safeModeReason(error);
    if (reason === undefined) {
      throw error;
    }
    if (this.reason !== reason) {
      this.reason = reason;
      this.#triedAtMs = this.#options.clock.nowMs();
      this.#notify('safe_mode', `Events are held in memory: ${REASON_TEXT[reason]}.`);
    }
  }

  async #processCalls(): Promise<void> {
    const calls = this.#waiting;
    this.#waiting = [];
    const records = calls.flatMap((call) => call.records);
    let stored = 0;
    try {
      stored = await this.#store(records);
    } catch (error) {
      for (const call of calls) {
        call.reject(error);
      }
      return;
    }
    let end = 0;
    for (const call of calls) {
      end += call.records.length;
      call.resolve(end <= stored ? 'persisted' : 'held');
    }
  }

  /** Returns how many of the records are on disk now. The others are held in memory. */
  async #store(records: readonly PendingRecord[]): Promise<number> {
    if (this.reason !== undefined && this.#isTimeToRetry()) {
      await this.recover().catch(() => undefined);
    }
    let stored = 0;
    while (this.reason === undefined && stored < records.length) {
      const part = this.#firstPart(records.slice(stored));
      try {
        await storeRecords(await this.#options.unlock(), part);
        stored += part.length;
      } catch (error) {
        this.enterSafeMode(error);
      }
    }
    const dropped = this.buffer.add(records.slice(stored));
    if (dropped > 0) {
      this.#notify(
        'dropped',
        `${countOf(dropped, 'event was', 'events were')} dropped because the memory budget is used up.`,
      );
    }
    return stored;
  }

  /** Returns the first records that fit into one write of at most a segment's size; at least one. */
  #firstPart(records: readonly PendingRecord[]): readonly PendingRecord[] {
    const limit = segmentBytesFor(this.#options.budgetBytes);
    let [bytes, count] = [0, 0];
    for (const record of records) {
      bytes += record.bytes;
      if (count > 0 && bytes > limit) {
        break;
      }
      count += 1;
    }
    return count === records.length ? records : records.slice(0, count);
  }

  async #journalDropped(store: UnlockedStore): Promise<void> {
    const { dropped } = this.buffer;
    if (Object.keys(dropped).length > 0) {
      await store.journal.write({ kind: 'dropped', dropped });
      this.buffer.releaseDropped();
    }
  }

  /** Uses the absolute difference, since the clock may have been set back. */
  #isTimeToRetry(): boolean {
    return Math.abs(this.#options.clock.nowMs() - this.#triedAtMs) >= RETRY_AFTER_MS;
  }

  #notify(kind: 'safe_mode' | 'recovered' | 'dropped', message: string): void {
    this.#options.onNotice?.({ kind, message });
  }
}

async function storeRecords(
  { journal, log, ring }: UnlockedStore,
  records: readonly PendingRecord[],
): Promise<void> {
  await journal.open();
  const { prepared, bytes } = log.prepare(records.map(({ record }) => record));
  await ring.makeRoom(bytes);
  await log.append(prepared);
  journal.noteHead();
}

/** Tests whether the disk accepts a small file. */
async function probe(storage: AgentStorage): Promise<void> {
  await storage.replace(PROBE_FILE, new Uint8Array(PROBE_BYTES));
  await storage.remove(PROBE_FILE);
}
