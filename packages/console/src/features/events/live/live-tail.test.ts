import type { Event, ItemStream, Page, StreamState } from '@tps/client';
import { expect, test } from 'vitest';
import { canReconnect, LiveTail, MAX_FOLLOWED, MAX_WAITING, type TailSource } from './live-tail.ts';

type StateListener = (state: StreamState, reason?: unknown) => void;

/** A feed in memory, with one stream that a test can break. */
class TestFeed implements TailSource {
  readonly events: Event[] = [];
  #queue: Event[] = [];
  #wake: (() => void) | undefined;
  #listener: StateListener | undefined;
  pages = 0;
  pageSize = 100;

  readonly open: TailSource['open'] = ({ signal, onStateChange }) => {
    this.#listener = onStateChange;
    queueMicrotask(() => onStateChange('connected'));
    const next = () => this.#next(signal);
    const iterate = async function* (): AsyncGenerator<Event> {
      for (let event = await next(); event !== undefined; event = await next()) yield event;
    };
    return { cursor: 'c', [Symbol.asyncIterator]: iterate } satisfies ItemStream<Event>;
  };

  readonly readPage: TailSource['readPage'] = async (cursor) => {
    this.pages += 1;
    const newestFirst = this.events.toReversed();
    const from = cursor === null ? 0 : newestFirst.findIndex(({ event_id }) => event_id === cursor) + 1;
    const data = newestFirst.slice(from, from + this.pageSize);
    const has_more = from + this.pageSize < newestFirst.length;
    return { data, has_more, next_cursor: has_more ? (data.at(-1)?.event_id ?? null) : null } as Page<Event>;
  };

  add(count: number): void {
    for (let added = 0; added < count; added += 1) {
      const event = { event_id: `evt_${this.events.length}` } as Event;
      this.events.push(event);
      if (this.#listener) this.#queue.push(event);
    }
    this.#wake?.();
  }

  say(state: StreamState, reason?: unknown): void {
    this.#listener?.(state, reason);
  }

  async #next(signal: AbortSignal): Promise<Event | undefined> {
    while (this.#queue.length === 0 && !signal.aborted) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
        signal.addEventListener('abort', () => resolve(), { once: true });
      });
    }
    return this.#queue.shift();
  }
}

const idsOf = (tail: LiveTail) => tail.getSnapshot().items.map(({ event_id }) => event_id);
const newestOf = (feed: TestFeed, count: number) =>
  feed.events
    .slice(-count)
    .reverse()
    .map(({ event_id }) => event_id);

async function start(stored: number) {
  const feed = new TestFeed();
  feed.add(stored);
  const tail = new LiveTail(feed);
  tail.start();
  await expect.poll(() => tail.getSnapshot().connection).toBe('connected');
  await expect.poll(() => tail.getSnapshot().isLoading).toBe(false);
  return { feed, tail };
}

test('events that arrive are shown first, each once, in the order of the feed', async () => {
  const { feed, tail } = await start(10);
  feed.add(5);
  await expect.poll(() => idsOf(tail)).toEqual(newestOf(feed, 15));
  feed.add(3);
  await expect.poll(() => idsOf(tail)).toEqual(newestOf(feed, 18));
  tail.stop();
});

test('events that were stored while the stream connected are not missed', async () => {
  const feed = new TestFeed();
  feed.add(3);
  const tail = new LiveTail(feed);
  tail.start();
  feed.add(2);
  await expect.poll(() => idsOf(tail)).toEqual(newestOf(feed, 5));
  tail.stop();
});

test.each(['paused', 'scrolled'] as const)(
  'a tail that is %s counts what waits, and shows it then',
  async (how) => {
    const { feed, tail } = await start(10);
    if (how === 'paused') tail.setPaused(true);
    else tail.setScrolled(true);
    const before = idsOf(tail);
    feed.add(7);
    await expect.poll(() => tail.getSnapshot().newCount).toBe(7);
    expect(idsOf(tail)).toEqual(before);
    tail.showNew();
    expect(idsOf(tail)).toEqual(newestOf(feed, 17));
    expect(tail.getSnapshot().newCount).toBe(0);
    tail.stop();
  },
);

test('older events are read page by page to the first one', async () => {
  const { feed, tail } = await start(250);
  while (tail.getSnapshot().hasMore) {
    const { length } = idsOf(tail);
    tail.loadMore();
    await expect.poll(() => idsOf(tail).length).toBeGreaterThan(length);
  }
  expect(idsOf(tail)).toEqual(newestOf(feed, 250));
  tail.stop();
});

test('memory is bounded while it follows, and the rest can still be read', async () => {
  const { feed, tail } = await start(50);
  // As many as an hour has at 50 a second.
  for (let part = 0; part < 12; part += 1) {
    feed.add(15_000);
    const last = newestOf(feed, 1)[0];
    await expect.poll(() => idsOf(tail)[0]).toBe(last);
    expect(idsOf(tail).length).toBeLessThanOrEqual(MAX_FOLLOWED);
  }
  const shown = idsOf(tail);
  expect(shown).toEqual(newestOf(feed, shown.length));
  feed.pageSize = 500;
  expect(tail.getSnapshot().hasMore).toBe(true);
  tail.loadMore();
  await expect.poll(() => idsOf(tail).length).toBeGreaterThan(shown.length);
  expect(idsOf(tail)).toEqual(newestOf(feed, idsOf(tail).length));
  tail.stop();
});

test('of many events that wait only the number is kept, and the newest are read then', async () => {
  const { feed, tail } = await start(10);
  tail.setPaused(true);
  feed.add(MAX_WAITING + 500);
  await expect.poll(() => tail.getSnapshot().newCount).toBe(MAX_WAITING + 500);
  tail.showNew();
  await expect.poll(() => idsOf(tail)[0]).toBe(newestOf(feed, 1)[0]);
  expect(idsOf(tail)).toEqual(newestOf(feed, idsOf(tail).length));
  feed.add(1);
  await expect.poll(() => idsOf(tail)[0]).toBe(newestOf(feed, 1)[0]);
  expect(idsOf(tail)).toEqual(newestOf(feed, idsOf(tail).length));
  tail.stop();
});

test('a broken connection is shown with its reason until it is restored', async () => {
  const { feed, tail } = await start(1);
  feed.say('disconnected', new Error('cut'));
  expect(tail.getSnapshot()).toMatchObject({ connection: 'broken', error: { message: 'cut' } });
  expect(canReconnect(tail.getSnapshot())).toBe(true);
  feed.say('connected');
  expect(tail.getSnapshot()).toMatchObject({ connection: 'connected', error: null });
  expect(canReconnect(tail.getSnapshot())).toBe(false);
  tail.stop();
});
