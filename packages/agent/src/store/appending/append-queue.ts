import type { SerialQueue } from '../../concurrency/serial-queue.ts';
import { KeyError } from '../../ports/keys.ts';
import type { AgentStorage } from '../../ports/storage.ts';
import type { NewRecord, SafeModeReason } from '../event-store.ts';
import { assertFits } from '../segments/record.ts';
import { type EventStoreOptions, segmentBytesFor } from '../store-options.ts';
import type { UnlockedStore } from '../unlocked-store.ts';
import { type Arrival, MemoryHold } from './memory-buffer.ts';
import { REASON_IN_WORDS, safeModeReason } from './safe-mode.ts';

export interface IntakeOptions extends EventStoreOptions {
  readonly queue: SerialQueue;
  /** Gives the opened store, opening it first where need be. @throws KeyError, StorageError */
  readonly unlock: () => Promise<UnlockedStore>;
}

interface Call {
  readonly arrivals: readonly Arrival[];
  readonly resolve: (kept: 'persisted' | 'held') => void;
  readonly reject: (reason: unknown) => void;
}

/** An append does not try more often than this whether the cause of safe mode is gone. */
const RETRY_AFTER_MS = 1000;
const PROBE_FILE = 'probe';
const PROBE_BYTES = 4096;

/** Takes in new events: to disk, those that come at once with one write, or into memory while that cannot be. */
export class Intake {
  readonly hold: MemoryHold;
  reason: SafeModeReason | undefined;
  readonly #options: IntakeOptions;
  #waiting: Call[] = [];
  #triedAtMs = Number.NEGATIVE_INFINITY;

  constructor(options: IntakeOptions) {
    this.#options = options;
    this.hold = new MemoryHold(options.memoryBudgetBytes);
  }

  async append(records: readonly NewRecord[]): Promise<'persisted' | 'held'> {
    const arrivals = records.map((record) => ({ record, bytes: assertFits(record) }));
    return new Promise((resolve, reject) => {
      this.#waiting.push({ arrivals, resolve, reject });
      if (this.#waiting.length === 1) {
        this.#options.queue.run(() => this.#takeAll()).catch(reject);
      }
    });
  }

  /** Tries whether the cause of safe mode is gone, and then stores what is held. */
  async recover(): Promise<void> {
    this.#triedAtMs = this.#options.clock.nowMs();
    try {
      const store = await this.#options.unlock();
      if (this.reason === undefined && this.hold.size === 0) {
        return;
      }
      await probe(this.#options.storage);
      await store.log.trim();
      await store.ring.removeLeftovers();
      await this.#journalDropped(store);
      while (this.hold.size > 0) {
        const part = this.#firstPart(this.hold.arrivals);
        await storeArrivals(store, part);
        this.hold.release(part.length);
      }
      this.reason = undefined;
      this.#notify('recovered', 'Events are stored on disk again');
    } catch (error) {
      this.enterSafeMode(error);
      if (error instanceof KeyError && error.code !== 'unavailable') {
        throw error;
      }
    }
  }

  /** Notes why nothing can be stored. @throws what it is given when that is no such reason */
  enterSafeMode(error: unknown): void {
    const reason = safeModeReason(error);
    if (reason === undefined) {
      throw error;
    }
    if (this.reason !== reason) {
      this.reason = reason;
      this.#triedAtMs = this.#options.clock.nowMs();
      this.#notify('safe_mode', `Events are held in memory: ${REASON_IN_WORDS[reason]}`);
    }
  }

  async #takeAll(): Promise<void> {
    const calls = this.#waiting;
    this.#waiting = [];
    const arrivals = calls.flatMap((call) => call.arrivals);
    let stored = 0;
    try {
      stored = await this.#take(arrivals);
    } catch (error) {
      for (const call of calls) {
        call.reject(error);
      }
      return;
    }
    let end = 0;
    for (const call of calls) {
      end += call.arrivals.length;
      call.resolve(end <= stored ? 'persisted' : 'held');
    }
  }

  /** Gives how many of them are on disk now. The others are held. */
  async #take(arrivals: readonly Arrival[]): Promise<number> {
    if (this.reason !== undefined && this.#isTimeToRetry()) {
      await this.recover().catch(() => undefined);
    }
    let stored = 0;
    while (this.reason === undefined && stored < arrivals.length) {
      const part = this.#firstPart(arrivals.slice(stored));
      try {
        await storeArrivals(await this.#options.unlock(), part);
        stored += part.length;
      } catch (error) {
        this.enterSafeMode(error);
      }
    }
    const dropped = this.hold.add(arrivals.slice(stored));
    if (dropped > 0) {
      this.#notify('dropped', `${dropped} events left memory for want of room`);
    }
    return stored;
  }

  /** As many as make one write of at most a segment's size; at least one. */
  #firstPart(arrivals: readonly Arrival[]): readonly Arrival[] {
    const limit = segmentBytesFor(this.#options.budgetBytes);
    let [bytes, count] = [0, 0];
    for (const arrival of arrivals) {
      bytes += arrival.bytes;
      if (count > 0 && bytes > limit) {
        break;
      }
      count += 1;
    }
    return count === arrivals.length ? arrivals : arrivals.slice(0, count);
  }

  async #journalDropped(store: UnlockedStore): Promise<void> {
    const { dropped } = this.hold;
    if (Object.keys(dropped).length > 0) {
      await store.journal.write({ kind: 'dropped', dropped });
      this.hold.releaseDropped();
    }
  }

  /** The clock may have been put back meanwhile. */
  #isTimeToRetry(): boolean {
    return Math.abs(this.#options.clock.nowMs() - this.#triedAtMs) >= RETRY_AFTER_MS;
  }

  #notify(kind: 'safe_mode' | 'recovered' | 'dropped', message: string): void {
    this.#options.onNotice?.({ kind, message });
  }
}

async function storeArrivals({ log, ring }: UnlockedStore, arrivals: readonly Arrival[]): Promise<void> {
  const { prepared, bytes } = log.prepare(arrivals.map(({ record }) => record));
  await ring.makeRoom(bytes);
  await log.append(prepared);
}

/** Finds out, at little cost, whether the disk takes anything. */
async function probe(storage: AgentStorage): Promise<void> {
  await storage.replace(PROBE_FILE, new Uint8Array(PROBE_BYTES));
  await storage.remove(PROBE_FILE);
}
