import { Readable } from 'node:stream';
import type { AdmittedRequest } from '../../../platform/http/route.ts';
import { toHeartbeatText, toMessageText } from '../../../platform/http/stream-message.ts';
import type { ServiceError } from '../../../platform/service-error.ts';
import { type feedStore, matchesFilter } from '../../feed/index.ts';
import type { FeedTail, KeptEntry } from './feed-tail.ts';

/** What a stream may hold for a reader that is slower than the feed, in bytes. */
const BUFFER_BYTES = 65_536;
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
 * The messages of one reader. It reads from the tail while it keeps up, and pages of the store while it is behind, so that
 * a slow reader costs neither memory nor the others' time.
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
    super({ highWaterMark: BUFFER_BYTES });
    this.#options = options;
    this.#position = options.position;
    const ready = { id: options.toCursor(options.position), event: 'ready', data: '{}' };
    this.push(`retry: ${RETRY_MS}\n${toMessageText(ready)}`);
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
    this.#send(toHeartbeatText(this.#options.toCursor(this.#position)));
  }

  /** Ends the stream with the reason. */
  end({ code, message }: Pick<ServiceError, 'code' | 'message'>): void {
    if (this.#isOver()) return;
    this.#isWanted = false;
    this.#isEnded = true;
    this.push(toMessageText({ event: 'end', data: JSON.stringify({ code, message }) }));
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
    this.#sendMessages(matching, { reached: last, toText: (entry) => this.#messageOf(entry) });
  }

  /** Streams with the same key share the text: making it takes longer than sending it. */
  #messageOf(entry: KeptEntry): string {
    const { key } = this.#options;
    const known = entry.messages.get(key);
    if (known !== undefined) return known;
    const message = this.#toMessage(entry);
    entry.messages.set(key, message);
    return message;
  }

  #toMessage({ position, body }: feedStore.FeedEntry): string {
    return toMessageText({ id: this.#options.toCursor(position), event: EVENT_TYPE, data: body });
  }

  async #catchUp(): Promise<void> {
    const { read, takeTurn, onFailure } = this.#options;
    this.#isReading = true;
    try {
      const { entries, reached } = await read(this.#position);
      const toText = (entry: feedStore.FeedEntry) => this.#toMessage(entry);
      await takeTurn(() => this.#sendMessages(entries, { reached, toText }));
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
    { reached, toText }: { reached: number; toText: (entry: Entry) => string },
  ): void {
    if (this.#isOver()) return;
    let text = '';
    for (const entry of entries) {
      if (text.length >= BUFFER_BYTES) break;
      text += toText(entry);
      this.#position = entry.position;
    }
    if (entries.length === 0 || this.#position === entries.at(-1)?.position) this.#position = reached;
    if (text !== '') this.#send(text);
  }

  #send(text: string): void {
    this.#changedAtMs = performance.now();
    this.#isWanted = this.push(text);
  }

  #isOver(): boolean {
    return this.#isEnded || this.destroyed;
  }
}
