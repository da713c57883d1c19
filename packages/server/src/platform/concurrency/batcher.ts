import { ServiceError } from '../service-error.ts';

type QueuedItem<Item, Result> = {
  item: Item;
  resolve: (value: Result) => void;
  reject: (reason: unknown) => void;
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
  /** How many items may wait for a batch. When the queue is full, `submit` is rejected as `unavailable`. */
  maxQueue: number;
  /** How long an item waits for its outcome before it is rejected as `unavailable` (default: any time). */
  maxWaitMs?: number;
};

export type Batcher<Item, Result> = {
  /**
   * Adds one item to the next batch and returns the item's own result.
   * @throws ServiceError `unavailable` when the queue is full or the batcher is closed.
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
  const { run, maxBatch, concurrency = 1, maxQueue, maxWaitMs, weigh = () => 1 } = options;
  const queue: QueuedItem<Item, Result>[] = [];
  let underWay = 0;
  let running = 0;
  let isScheduled = false;
  let isClosed = false;
  let onIdle: (() => void)[] = [];

  function schedule(): void {
    if (isScheduled || running >= concurrency) return;
    if (queue.length === 0) {
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
    const batch = queue.splice(0, countNext(queue, { maxBatch, weigh }));
    underWay += batch.length;
    running += 1;
    schedule();
    const settle = await runBatch(batch, run);
    underWay -= batch.length;
    running -= 1;
    if (queue.length === 0 || isScheduled) {
      settle();
      schedule();
      return;
    }
    // The next batch starts before the callers get their outcomes: their work, 60 µs per event, would delay it.
    void flush();
    setImmediate(settle);
  }

  function leave(queued: QueuedItem<Item, Result>): void {
    const index = queue.indexOf(queued);
    if (index !== -1) queue.splice(index, 1);
  }

  return {
    submit(item) {
      if (isClosed) return Promise.reject(unavailable('The service is stopping.'));
      if (queue.length >= maxQueue) return Promise.reject(unavailable('The service is overloaded.'));
      return new Promise((resolve, reject) => {
        const queued = { item, resolve, reject };
        queue.push(maxWaitMs === undefined ? queued : withDeadline(queued, { maxWaitMs, leave }));
        schedule();
      });
    },
    pending: () => queue.length + underWay,
    close() {
      isClosed = true;
      return new Promise((resolve) => {
        onIdle.push(resolve);
        schedule();
      });
    },
  };
}

/** Returns how many of the waiting items form the next batch. */
function countNext<Item, Result>(
  queue: readonly QueuedItem<Item, Result>[],
  { maxBatch, weigh }: { maxBatch: number; weigh: (item: Item) => number },
): number {
  let weight = 0;
  const end = queue.findIndex(({ item }, index) => {
    weight += weigh(item);
    return index > 0 && weight > maxBatch;
  });
  return end === -1 ? queue.length : end;
}

/** Rejects an item when its time is over. An item that is still in the queue is removed and never runs. */
function withDeadline<Item, Result>(
  { item, resolve, reject }: QueuedItem<Item, Result>,
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
    item,
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
