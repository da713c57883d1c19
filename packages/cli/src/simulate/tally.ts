import type { DeviceResult, TrafficCounts, WorkerMessage } from './worker-protocol.ts';

/** What a simulation has done so far. */
export interface Tally {
  /** Ids that an agent has promised to keep, and the number of its device. */
  readonly promised: Map<string, number>;
  /** How many drops each device had declared before it first recorded here. */
  readonly declaredBefore: Map<number, number>;
  readonly recordMs: number[];
  readonly troubles: Set<string>;
  readonly results: DeviceResult[];
  /** Of all workers, those that were killed included. */
  traffic(): TrafficCounts & { readonly waiting: number };
  /** Takes the messages of one worker. */
  listenTo(worker: number): (message: WorkerMessage) => void;
  /** Notes that a worker was killed: its next one counts from 0 again. */
  endOf(worker: number): void;
}

type Traffic = TrafficCounts & { readonly waiting: number };
const NOTHING: Traffic = { sent: 0, retried: 0, throttled: 0, offline: 0, waiting: 0 };

/** As many different sentences as anybody reads. */
const MAX_TROUBLES = 20;

export function createTally(): Tally {
  const ended: Traffic[] = [];
  const running = new Map<number, Traffic>();
  const tally: Tally = {
    promised: new Map(),
    declaredBefore: new Map(),
    recordMs: [],
    troubles: new Set(),
    results: [],
    traffic: () => [...ended, ...running.values()].reduce(add, NOTHING),
    listenTo: (worker) => (message) => {
      switch (message[0]) {
        case 'ready':
          for (const [device, count] of message[1]) {
            // A worker that was killed is ready a second time.
            if (!tally.declaredBefore.has(device)) tally.declaredBefore.set(device, count);
          }
          return;
        case 'recorded':
          tally.promised.set(message[2], message[1]);
          tally.recordMs.push(message[3]);
          return;
        case 'traffic':
          running.set(worker, message[1]);
          return;
        case 'trouble':
          if (tally.troubles.size < MAX_TROUBLES) tally.troubles.add(message[1]);
          return;
        case 'done':
          tally.results.push(...message[1]);
      }
    },
    endOf(worker) {
      // What waits in a killed worker waits in the next one.
      ended.push({ ...(running.get(worker) ?? NOTHING), waiting: 0 });
      running.delete(worker);
    },
  };
  return tally;
}

function add(one: Traffic, other: Traffic): Traffic {
  return {
    sent: one.sent + other.sent,
    retried: one.retried + other.retried,
    throttled: one.throttled + other.throttled,
    offline: one.offline + other.offline,
    waiting: one.waiting + other.waiting,
  };
}

/** Gives what this share of the times are not longer than; 0 when there are none. */
export function percentile(times: readonly number[], share: number): number {
  const sorted = Float64Array.from(times).sort();
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}
