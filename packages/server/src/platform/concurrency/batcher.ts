import { ServiceError } from '../service-error.ts';
import { FairQueue, type Waiter } from './fair-queue.ts';

type QueuedItem<Item, Result> = Waiter & {
  readonly item: Item;
  readonly resolve: (value: Result) => void;
  readonly reject: (reason: unknown) => void;
};

export type BatcherOptions<Item, Result> = {
  /**
   * Runs one batch and returns each item's outcome, in order. An exception fails the whole batch. At most `concurrency`
   * calls overlap.
   */
  run: (items: Item[]) => Promise<PromiseSettledResult<Result>[]>;
  /** The most that the items of a batch may weigh together. An item that weighs more runs alone. */
  maxBatch: number;
  /** What an item weighs (default: 1). */
  weigh?: (item: Item) => number;
  /** How many batches may be under way (default: 1). */
  concurrency?: number;
  /**
   * How many items may wait for a batch. When there are more, the newest item of the line with the most is rejected as
   * `unavailable`.
   */
  maxQueue: number;
  /** The line of an item, such as its tenant. Lines take turns, so that one cannot delay the others (default: one line). */
  lineOf?: (item: Item) => string;
  /** How long an item waits for its outcome before it is rejected as `unavailable` (default: any time). */
  maxWaitMs?: number;
};

export type Batcher<Item, Result> = {
  /**
   * Adds one item to the next batch and returns the item's own result.
   * @throws ServiceError `unavailable` when too many items wait or the batcher is closed.
   */
  submit(item: Item): Promise<Result>;
  /** Items without an outcome yet, queued or running. */
  pending(): number;
  /** Accepts no more items and resolves once every item has its outcome. */
  close(): Promise<void>;
};

/**
 * Groups concurrent work into batches without adding delay: a batch starts in the next turn of the event loop, and
 * items that arrive while it runs form the next batch. A lone item does not wait, and batches grow with load.
 */
export function createBatcher<Item, Result>(options: BatcherOptions<Item, Result>): Batcher<Item, Result> {
  const { run, maxBatch, concurrency = 1, maxQueue, maxWaitMs, weigh = () => 1, lineOf = () => '' } = options;
  const queue = new FairQueue<QueuedItem<Item, Result>>({ waiters: maxQueue, bytes: 0 });
  let underWay = 0;
  let running = 0;
  let isScheduled = false;
  let isClosed = false;
  let onIdle: (() => void)[] = [];

  function schedule(): void {
    if (isScheduled || running >= concurrency) return;
    if (queue.size === 0) {
      if (running > 0) return;
      const resolvers = onIdle;
      onIdle = [];
      // In the next turn, after all outcomes have been delivered.
      setImmediate(() => {
        for (const resolve of resolvers) resolve();
      });
      return;
    }
    isScheduled = true;
    // After the poll phase: the batch includes everything that the sockets delivered in this turn.
    setImmediate(() => void flush());
  }

  async function flush(): Promise<void> {
    isScheduled = false;
    const batch = takeNext(queue, { maxBatch, weigh });
    underWay += batch.length;
    running += 1;
    schedule();
    const settle = await runBatch(batch, run);
    underWay -= batch.length;
    running -= 1;
    if (queue.size === 0 || isScheduled) {
      settle();
      schedule();
      return;
    }
    // The next batch starts before the callers get their outcomes: their work, 60 µs per event, would delay it.
    void flush();
    setImmediate(settle);
  }

  return {
    submit(item) {
      if (isClosed) return Promise.reject(unavailable('The service is stopping.'));
      return new Promise((resolve, reject) => {
        const queued = { item, resolve, reject, line: lineOf(item), bytes: 0 };
        const leave = (late: QueuedItem<Item, Result>) => queue.remove(late);
        const dropped = queue.add(
          maxWaitMs === undefined ? queued : withDeadline(queued, { maxWaitMs, leave }),
        );
        for (const one of dropped) one.reject(unavailable('The service is overloaded.'));
        schedule();
      });
    },
    pending: () => queue.size + underWay,
    close() {
      isClosed = true;
      return new Promise((resolve) => {
        onIdle.push(resolve);
        schedule();
      });
    },
  };
}

/** Removes and returns the waiting items that form the next batch. */
function takeNext<Item, Result>(
  queue: FairQueue<QueuedItem<Item, Result>>,
  { maxBatch, weigh }: { maxBatch: number; weigh: (item: Item) => number },
): QueuedItem<Item, Result>[] {
  const batch: QueuedItem<Item, Result>[] = [];
  let weight = 0;
  const fits = (_line: string, { item }: QueuedItem<Item, Result>) =>
    batch.length === 0 || weight + weigh(item) <= maxBatch;
  for (let next = queue.next(fits); next; next = queue.next(fits)) {
    batch.push(next);
    weight += weigh(next.item);
  }
  return batch;
}

/** Rejects an item when its time is over. An item that is still in the queue is removed and never runs. */
function withDeadline<Item, Result>(
  { resolve, reject, ...queued }: QueuedItem<Item, Result>,
  { maxWaitMs, leave }: { maxWaitMs: number; leave: (queued: QueuedItem<Item, Result>) => void },
): QueuedItem<Item, Result> {
  const timer = setTimeout(() => {
    leave(timed);
    reject(
      unavailable(
        'This takes too long, and may still be done. Send the same content again in a new request.',
      ),
    );
  }, maxWaitMs);
  const timed: QueuedItem<Item, Result> = {
    ...queued,
    resolve(value) {
      clearTimeout(timer);
      resolve(value);
    },
    reject(reason) {
      clearTimeout(timer);
      reject(reason);
    },
  };
  return timed;
}

/** Returns a function that gives each item its outcome. */
async function runBatch<Item, Result>(
  batch: QueuedItem<Item, Result>[],
  run: BatcherOptions<Item, Result>['run'],
): Promise<() => void> {
  try {
    const outcomes = await run(batch.map(({ item }) => item));
    if (outcomes.length !== batch.length) {
      throw new Error(`a batch of ${batch.length} items returned ${outcomes.length} outcomes`);
    }
    return () => {
      for (const [index, outcome] of outcomes.entries()) {
        if (outcome.status === 'fulfilled') batch[index]?.resolve(outcome.value);
        else batch[index]?.reject(outcome.reason);
      }
    };
  } catch (error) {
    return () => {
      for (const { reject } of batch) reject(error);
    };
  }
}

function unavailable(message: string): ServiceError {
  return new ServiceError('unavailable', message, { retryAfterSeconds: 1 });
}
