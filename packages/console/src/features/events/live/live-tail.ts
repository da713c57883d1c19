import type { Event, ItemStream, Page, StreamState } from '@tps/client';
import { mergeNewest } from './merge-newest.ts';

/** Where a tail gets its events. Both have the same filters. */
export interface TailSource {
  /** Opens a stream at a cursor, or at the end of the feed. */
  readonly open: (options: StreamRequest) => ItemStream<Event>;
  /** Reads a page of the feed, newest first. */
  readonly readPage: (cursor: string | null, signal: AbortSignal) => Promise<Page<Event>>;
}

interface StreamRequest {
  readonly cursor: string | null;
  readonly signal: AbortSignal;
  readonly onStateChange: (state: StreamState, reason?: unknown) => void;
}

/** `connecting` at first; `broken` while the connection is restored; `failed` when it cannot be. */
type Connection = 'connecting' | 'connected' | 'broken' | 'failed';

/** What is shown of a tail. */
export interface TailSnapshot {
  /** Newest first. */
  readonly items: readonly Event[];
  readonly isLoading: boolean;
  readonly isLoadingMore: boolean;
  readonly hasMore: boolean;
  /** Events that arrived while the tail was held. */
  readonly newCount: number;
  readonly connection: Connection;
  /** Whether the reader has paused it. */
  readonly isPaused: boolean;
  /** Whether the reader looks at older events, so that new ones wait. */
  readonly isScrolled: boolean;
  readonly error: Error | null;
}

/** Whether the reader can reconnect without waiting. After refusals the pauses between attempts grow to an hour. */
export function canReconnect({ connection, error }: TailSnapshot): boolean {
  return connection === 'failed' || (connection === 'broken' && error !== null);
}

/** What is kept while the newest events are on the screen. Older ones are read again when the reader scrolls to them. */
export const MAX_FOLLOWED = 2_000;
/** What is kept of the events that wait. Beyond it, only their number is. */
export const MAX_WAITING = 1_000;
/** New events are shown together, so that 50 a second cost five renderings. */
const FLUSH_MS = 200;
const RETRY_MS = 2_000;
/** Pages that are read to find the place where older events continue. */
const MAX_SEEK_PAGES = 20;

/** A place in the feed whose cursor was dropped with the events after it. */
const CUT = Symbol('cut');

const START: TailSnapshot = {
  items: [],
  isLoading: true,
  isLoadingMore: false,
  hasMore: false,
  newCount: 0,
  connection: 'connecting',
  isPaused: false,
  isScrolled: false,
  error: null,
};

/**
 * The newest events, and those that arrive. What it keeps in memory is bounded while it follows the feed, also when nothing
 * is rendered. Use it with `useSyncExternalStore`.
 */
export class LiveTail {
  readonly #source: TailSource;
  readonly #listeners = new Set<() => void>();
  #stop = new AbortController();
  #snapshot = START;
  /** Ids of the items and of those that wait. */
  #known = new Set<string>();
  /** Oldest first. */
  #waiting: Event[] = [];
  #waitingCount = 0;
  /** Where older events continue. */
  #older: string | null | typeof CUT = null;
  #stream: ItemStream<Event> | undefined;
  #streamCursor: string | null = null;
  /** Until the first page after the start of the stream was read, what arrives waits. */
  #isJoined = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(source: TailSource) {
    this.#source = source;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly getSnapshot = (): TailSnapshot => this.#snapshot;

  start(): void {
    this.#stop = new AbortController();
    const { signal } = this.#stop;
    // Without a cursor the stream begins at the end of the feed, and what was stored before has to be read.
    if (this.#streamCursor === null) this.#isJoined = false;
    if (this.#snapshot.items.length === 0) void this.#readNewest(signal);
    void this.#follow(signal);
  }

  stop(): void {
    this.#stop.abort();
    this.#streamCursor = this.#stream?.cursor ?? this.#streamCursor;
    this.#stream = undefined;
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  /** Connects again after a failure. */
  readonly retry = (): void => {
    this.stop();
    this.#set({ error: null, connection: 'connecting', isLoading: this.#snapshot.items.length === 0 });
    this.start();
  };

  /** Says at once that the browser is offline: the silence of a connection is noticed much later. */
  readonly setOnline = (isOnline: boolean): void => {
    this.stop();
    if (isOnline) this.retry();
    else this.#set({ connection: 'broken', error: null });
  };

  readonly setPaused = (isPaused: boolean): void => {
    this.#set({ isPaused });
    this.#flushSoon(0);
  };

  /** New events wait while the reader looks at older ones. */
  readonly setScrolled = (isScrolled: boolean): void => {
    if (this.#snapshot.isScrolled === isScrolled) return;
    this.#set({ isScrolled });
    this.#flushSoon(0);
  };

  /** Shows the events that wait. */
  readonly showNew = (): void => {
    this.#set({ isPaused: false, isScrolled: false });
    this.#flush();
  };

  readonly loadMore = (): void => {
    const { isLoadingMore, hasMore } = this.#snapshot;
    if (isLoadingMore || !hasMore) return;
    this.#set({ isLoadingMore: true });
    const { signal } = this.#stop;
    this.#readOlder(signal).then(
      () => this.#set({ isLoadingMore: false }),
      (error: unknown) => {
        if (!signal.aborted) this.#set({ isLoadingMore: false, error: toError(error) });
      },
    );
  };

  /** Receives events until it is stopped. The stream restores its connection by itself. */
  async #follow(signal: AbortSignal): Promise<void> {
    const stream = this.#source.open({
      cursor: this.#streamCursor,
      signal,
      onStateChange: (state, reason) => {
        if (signal.aborted) return;
        const isConnected = state === 'connected';
        this.#set({
          connection: isConnected ? 'connected' : 'broken',
          error: isConnected || reason === undefined ? null : toError(reason),
        });
        if (isConnected && !this.#isJoined) void this.#join(signal);
      },
    });
    this.#stream = stream;
    try {
      for await (const event of stream) this.#arrive(event);
    } catch (error) {
      if (!signal.aborted) this.#set({ connection: 'failed', error: toError(error) });
    }
  }

  /** Reads the page before the stream connects, so that the reader does not wait for it. */
  async #readNewest(signal: AbortSignal): Promise<void> {
    try {
      this.#merge(await this.#source.readPage(null, signal));
    } catch (error) {
      if (!signal.aborted) this.#set({ isLoading: false, error: toError(error) });
    }
  }

  /** Reads what was stored before the stream began. What it has received since is newer. */
  async #join(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        this.#merge(await this.#source.readPage(null, signal));
        this.#isJoined = true;
        this.#flushSoon(0);
        return;
      } catch {
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
      }
    }
  }

  #merge(page: Page<Event>): void {
    const { items, isGapless } = mergeNewest(this.#snapshot.items, page.data);
    if (!isGapless || this.#snapshot.items.length === 0)
      this.#older = page.has_more ? page.next_cursor : null;
    this.#known = new Set(items.map(({ event_id }) => event_id));
    this.#waiting = this.#waiting.filter(({ event_id }) => !this.#known.has(event_id));
    this.#waitingCount = this.#waiting.length;
    for (const { event_id } of this.#waiting) this.#known.add(event_id);
    this.#set({ items, isLoading: false, hasMore: this.#older !== null });
  }

  #arrive(event: Event): void {
    if (this.#known.has(event.event_id)) return;
    this.#waitingCount += 1;
    if (this.#waiting.length < MAX_WAITING) {
      this.#known.add(event.event_id);
      this.#waiting.push(event);
    }
    this.#flushSoon(FLUSH_MS);
  }

  #flushSoon(ms: number): void {
    this.#timer ??= setTimeout(() => this.#flush(), ms);
  }

  #flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const { isPaused, isScrolled, items } = this.#snapshot;
    if (!this.#isJoined) return;
    if (isPaused || isScrolled) {
      this.#set({ newCount: this.#waitingCount });
      return;
    }
    if (this.#waitingCount > this.#waiting.length) this.#startOver();
    else if (this.#waiting.length > 0) this.#prepend(items);
    else if (this.#snapshot.newCount > 0) this.#set({ newCount: 0 });
  }

  #prepend(items: readonly Event[]): void {
    const all = [...this.#waiting.reverse(), ...items];
    this.#waiting = [];
    this.#waitingCount = 0;
    const shown = all.slice(0, MAX_FOLLOWED);
    for (const { event_id } of all.slice(MAX_FOLLOWED)) this.#known.delete(event_id);
    if (all.length > MAX_FOLLOWED) this.#older = CUT;
    this.#set({ items: shown, newCount: 0, hasMore: this.#older !== null });
  }

  /** More events waited than were kept: reads the newest page instead. */
  #startOver(): void {
    this.#waiting = [];
    this.#waitingCount = 0;
    this.#isJoined = false;
    this.#set({ newCount: 0 });
    void this.#join(this.#stop.signal);
  }

  async #readOlder(signal: AbortSignal): Promise<void> {
    const last = this.#snapshot.items.at(-1);
    let cursor = this.#older === CUT ? null : this.#older;
    const isSought = this.#older === CUT;
    for (let pages = 0; pages < MAX_SEEK_PAGES; pages += 1) {
      const page = await this.#source.readPage(cursor, signal);
      const at = isSought ? page.data.findIndex(({ event_id }) => event_id === last?.event_id) : -1;
      cursor = page.has_more ? page.next_cursor : null;
      if (!isSought || at >= 0) return this.#append(page.data.slice(at + 1), cursor);
      if (cursor === null) break;
    }
    this.#append([], null);
  }

  #append(events: readonly Event[], older: string | null): void {
    const added = events.filter(({ event_id }) => !this.#known.has(event_id));
    for (const { event_id } of added) this.#known.add(event_id);
    this.#older = older;
    this.#set({ items: [...this.#snapshot.items, ...added], hasMore: older !== null });
  }

  #set(change: Partial<TailSnapshot>): void {
    this.#snapshot = { ...this.#snapshot, ...change };
    for (const listener of this.#listeners) listener();
  }
}

function toError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
