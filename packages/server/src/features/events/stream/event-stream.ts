import { Readable } from 'node:stream';
import type { AdmittedRequest } from '../../../platform/http/route.ts';
import { toHeartbeatText, toMessageText } from '../../../platform/http/stream-message.ts';
import type { ServiceError } from '../../../platform/service-error.ts';
import { type feedStore, matchesFilter } from '../../feed/index.ts';
import type { FeedTail, KeptEntry } from './feed-tail.ts';

/** A part ends with the event that exceeds this. A stream holds one part for a reader that is slower than the feed. */
const PART_BYTES = 65_536;
/** Told to readers: how long they wait before they connect again, in milliseconds. */
const RETRY_MS = 1_000;

/** The name of each message of the feed: the type of the event. */
const EVENT_TYPE = 'risk.event.created';

/** A part of the feed that was read from the store. */
export interface FeedPart {
  readonly entries: readonly feedStore.FeedEntry[];
  /** The position up to which there are no further matching events. */
  readonly reached: number;
}

export interface EventStreamOptions {
  /** Whose credential must stay valid. */
  readonly request: AdmittedRequest;
  readonly filter: feedStore.FeedFilter;
  /** Equal for streams with the same filter and the same cursors: they share their messages. */
  readonly key: string;
  readonly tail: FeedTail;
  /** The stream begins after this position. */
  readonly position: number;
  readonly toCursor: (position: number) => string;
  /** Reads the next part of the feed after a position, for a stream that is behind the tail. */
  readonly read: (after: number) => Promise<FeedPart>;
  /** Runs a step of work when it is the tenant's turn. */
  readonly takeTurn: (work: () => void) => Promise<void>;
  readonly onFailure: (error: unknown) => void;
  readonly onClose: (stream: EventStream) => void;
}

/**
 * The messages of one reader, in parts. It reads from the tail while it keeps up, and pages of the store while it is behind.
 * It makes a part only when the reader has taken the last one, so that a slow reader costs neither memory nor the others'
 * time.
 */
export class EventStream extends Readable {
  readonly #options: EventStreamOptions;
  #position: number;
  /** Whether the reader takes more. */
  #isWanted = false;
  #isReading = false;
  #isEnded = false;
  #changedAtMs = performance.now();

  constructor(options: EventStreamOptions) {
    super({ highWaterMark: 0 });
    this.#options = options;
    this.#position = options.position;
    const ready = { id: options.toCursor(options.position), event: 'ready', data: '{}' };
    this.push(Buffer.from(`retry: ${RETRY_MS}\n${toMessageText(ready)}`));
  }

  /** Everything up to here was sent, or does not match. */
  get position(): number {
    return this.#position;
  }

  get request(): AdmittedRequest {
    return this.#options.request;
  }

  /** For how long the reader has taken nothing although there is something, in milliseconds. */
  stalledMs(nowMs: number): number {
    return this.#isWanted ? 0 : nowMs - this.#changedAtMs;
  }

  /** For how long nothing was sent, in milliseconds. */
  silentMs(nowMs: number): number {
    return this.#isWanted ? nowMs - this.#changedAtMs : 0;
  }

  /** Sends the events after the last one, as far as the reader takes them. */
  pump(): void {
    while (this.#isWanted && !this.#isReading && !this.#isOver()) {
      const entries = this.#options.tail.entriesAfter(this.#position);
      if (entries === undefined) {
        void this.#catchUp();
        return;
      }
      if (entries.length === 0) return;
      this.#sendEntries(entries);
    }
  }

  heartbeat(): void {
    if (!this.#isWanted) return;
    this.#send(Buffer.from(toHeartbeatText(this.#options.toCursor(this.#position))));
  }

  /** Ends the stream with the reason. */
  end({ code, message }: Pick<ServiceError, 'code' | 'message'>): void {
    if (this.#isOver()) return;
    this.#isWanted = false;
    this.#isEnded = true;
    this.push(Buffer.from(toMessageText({ event: 'end', data: JSON.stringify({ code, message }) })));
    this.push(null);
  }

  override _read(): void {
    if (!this.#isWanted) this.#changedAtMs = performance.now();
    this.#isWanted = true;
    // Not within `push`, which calls this.
    queueMicrotask(() => this.pump());
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#options.onClose(this);
    done(error);
  }

  #sendEntries(entries: readonly KeptEntry[]): void {
    const { filter } = this.#options;
    const matching = entries.filter((entry) => matchesFilter(entry, filter));
    const last = entries.at(-1)?.position ?? this.#position;
    this.#sendMessages(matching, { reached: last, toMessage: (entry) => this.#messageOf(entry) });
  }

  /** Streams with the same key share the bytes: making them takes longer than sending them. */
  #messageOf(entry: KeptEntry): Buffer {
    const { key } = this.#options;
    const known = entry.messages.get(key);
    if (known !== undefined) return known;
    const message = this.#toMessage(entry);
    entry.messages.set(key, message);
    return message;
  }

  #toMessage({ position, body }: feedStore.FeedEntry): Buffer {
    return Buffer.from(
      toMessageText({ id: this.#options.toCursor(position), event: EVENT_TYPE, data: body }),
    );
  }

  async #catchUp(): Promise<void> {
    const { read, takeTurn, onFailure } = this.#options;
    this.#isReading = true;
    try {
      const { entries, reached } = await read(this.#position);
      const toMessage = (entry: feedStore.FeedEntry) => this.#toMessage(entry);
      await takeTurn(() => this.#sendMessages(entries, { reached, toMessage }));
    } catch (error) {
      onFailure(error);
      this.end({ code: 'unavailable', message: 'The feed could not be read. Connect again.' });
    }
    this.#isReading = false;
    this.pump();
  }

  /** Sends a bounded part of the entries. If that is all of them, the feed is done up to `reached`. */
  #sendMessages<Entry extends feedStore.FeedEntry>(
    entries: readonly Entry[],
    { reached, toMessage }: { reached: number; toMessage: (entry: Entry) => Buffer },
  ): void {
    if (this.#isOver()) return;
    const messages: Buffer[] = [];
    let bytes = 0;
    for (const entry of entries) {
      if (bytes >= PART_BYTES) break;
      const message = toMessage(entry);
      messages.push(message);
      bytes += message.length;
      this.#position = entry.position;
    }
    if (entries.length === 0 || this.#position === entries.at(-1)?.position) this.#position = reached;
    const [first] = messages;
    if (first) this.#send(messages.length === 1 ? first : Buffer.concat(messages));
  }

  #send(part: Buffer): void {
    this.#changedAtMs = performance.now();
    this.#isWanted = this.push(part);
  }

  #isOver(): boolean {
    return this.#isEnded || this.destroyed;
  }
}
