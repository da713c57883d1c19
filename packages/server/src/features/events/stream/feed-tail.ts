import { setTimeout as sleep } from 'node:timers/promises';
import { PollingLoop } from '../../../platform/concurrency/polling-loop.ts';
import type { TenantId } from '../../../platform/tenant-id.ts';
import type { RequestDatabase } from '../../authority/index.ts';
import { feedHeadStore, type TailEntry, tailStore } from '../../feed/index.ts';

/** How often the end of the feed is read when this process appends nothing: other nodes may. */
const POLL_MS = 1_000;
/** The shortest time between two reads, so that a flood of small commits costs few of them. */
const GAP_MS = 50;
/** Events per read: readers take them in one step of a turn. */
const READ_LIMIT = 100;
/** What is kept for readers that are a moment late. Those that are further behind read from the store. */
const KEPT_CHARACTERS = 262_144;

/** An event at the end of the feed, with its messages by the filters of the readers: see `EventStream`. */
export interface KeptEntry extends TailEntry {
  readonly messages: Map<string, Buffer>;
}

export interface FeedTailOptions {
  readonly database: RequestDatabase;
  readonly tenantId: TenantId;
  /** The position to start after. */
  readonly head: number;
  /** Called when there are more entries. The next read waits for it. */
  readonly onAppended: () => Promise<unknown>;
  readonly onFailure: (error: unknown, inARow: number) => void;
}

/**
 * The end of a tenant's feed, read once for all streams of the tenant in this process. Positions have no gaps, so what
 * follows the newest known position is all that is missing.
 */
export class FeedTail {
  readonly #options: FeedTailOptions;
  readonly #loop: PollingLoop;
  /** Entries after `#start` and up to `#head`, without gaps. */
  #entries: KeptEntry[] = [];
  #start: number;
  #head: number;
  #characters = 0;

  constructor(options: FeedTailOptions) {
    this.#options = options;
    this.#start = options.head;
    this.#head = options.head;
    this.#loop = new PollingLoop({ round: (signal) => this.#round(signal), onFailure: options.onFailure });
    this.#loop.start();
  }

  /** The newest position that was read. */
  get head(): number {
    return this.#head;
  }

  /** Returns the entries after a position; undefined if some of them are not kept any more. */
  entriesAfter(position: number): readonly KeptEntry[] | undefined {
    if (position < this.#start) return undefined;
    return this.#entries.slice(Math.max(0, position - this.#start));
  }

  /** Reads at once: events of this tenant were committed. */
  wake(): void {
    this.#loop.wake();
  }

  stop(): void {
    void this.#loop.stop();
  }

  async #round(signal: AbortSignal): Promise<number> {
    const { database, tenantId, onAppended } = this.#options;
    const { position: until } = await feedHeadStore.read(database.read, tenantId);
    if (until <= this.#head) return POLL_MS;
    const span = { after: this.#head, until };
    const entries = await tailStore.listTail(database.read, tenantId, { span, limit: READ_LIMIT });
    if (signal.aborted) return 0;
    this.#keep(entries, until);
    await onAppended();
    // An abort ends the pause early, and the loop with it.
    await sleep(GAP_MS, undefined, { signal }).catch(() => undefined);
    return this.#head < until ? 0 : POLL_MS;
  }

  #keep(entries: readonly TailEntry[], until: number): void {
    const last = entries.at(-1);
    for (const entry of entries) {
      this.#entries.push({ ...entry, messages: new Map() });
      this.#characters += entry.body.length;
    }
    const isComplete = last !== undefined && last.position - this.#head === entries.length;
    this.#head = last !== undefined && entries.length === READ_LIMIT ? last.position : until;
    // A purge has removed events that were not read: what is kept has a gap.
    if (!isComplete || this.#head !== last?.position) this.#forgetAll();
    this.#forgetOldest();
  }

  #forgetOldest(): void {
    let count = 0;
    const left = () => this.#entries.length - count;
    while (left() > READ_LIMIT || (this.#characters > KEPT_CHARACTERS && left() > 1)) {
      this.#characters -= this.#entries[count]?.body.length ?? 0;
      count += 1;
    }
    this.#entries.splice(0, count);
    this.#start += count;
  }

  #forgetAll(): void {
    this.#entries = [];
    this.#characters = 0;
    this.#start = this.#head;
  }
}
