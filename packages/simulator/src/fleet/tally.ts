import type { DeviceResult, Traffic, WorkerMessage } from './worker-protocol.ts';

/** What the workers of a simulation have reported so far. */
export interface Tally {
  /** Numbers of devices by the ids of the events they have recorded. */
  readonly recorded: Map<string, number>;
  /** How many drops each device had declared in former runs. */
  readonly declaredBefore: Map<number, number>;
  readonly recordMs: number[];
  readonly problems: Set<string>;
  readonly results: DeviceResult[];
  /** Of all workers, killed ones included. */
  traffic(): Traffic;
  /** Returns the function that takes the messages of one worker. */
  listenTo(worker: number): (message: WorkerMessage) => void;
  /** Notes that a worker was killed: its successor counts from 0. */
  noteKill(worker: number): void;
}

const NO_TRAFFIC: Traffic = { sent: 0, retried: 0, throttled: 0, offline: 0, waiting: 0 };

/** More different messages than this are not read. */
const MAX_PROBLEMS = 20;

export function createTally(): Tally {
  const ended: Traffic[] = [];
  const running = new Map<number, Traffic>();
  const tally: Tally = {
    recorded: new Map(),
    declaredBefore: new Map(),
    recordMs: [],
    problems: new Set(),
    results: [],
    traffic: () => [...ended, ...running.values()].reduce(add, NO_TRAFFIC),
    listenTo: (worker) => (message) => {
      switch (message[0]) {
        case 'ready':
          for (const [device, count] of message[1]) {
            // The successor of a killed worker sends `ready` again.
            if (!tally.declaredBefore.has(device)) tally.declaredBefore.set(device, count);
          }
          return;
        case 'recorded':
          tally.recorded.set(message[2], message[1]);
          tally.recordMs.push(message[3]);
          return;
        case 'traffic':
          running.set(worker, message[1]);
          return;
        case 'problem':
          if (tally.problems.size < MAX_PROBLEMS) tally.problems.add(message[1]);
          return;
        case 'done':
          tally.results.push(...message[1]);
      }
    },
    noteKill(worker) {
      // Events that wait in a killed worker wait in its successor.
      ended.push({ ...(running.get(worker) ?? NO_TRAFFIC), waiting: 0 });
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
