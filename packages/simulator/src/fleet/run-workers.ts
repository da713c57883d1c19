import { setTimeout as sleep } from 'node:timers/promises';
import type { EnrolledDevice } from '../enrol-devices.ts';
import { createRandom } from '../random.ts';
import type { Tally } from './tally.ts';
import { startWorker, type WorkerProcess } from './worker-process.ts';
import type { WorkerPlan } from './worker-protocol.ts';

/** What a fleet does, and which faults it meets. */
export interface FleetLoad {
  readonly ratePerSecond: number;
  readonly durationMs: number;
  readonly offlineShare: number;
  readonly clockSkewMs: number;
  /** Share of the processes that are killed during the run: at least one, unless it is 0. */
  readonly killShare: number;
  readonly seed: number;
  readonly drainMs: number;
}

export interface RunWorkersOptions {
  readonly fleet: readonly EnrolledDevice[];
  readonly load: FleetLoad;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Ends the recording early. Events recorded until then are still delivered. */
  readonly signal: AbortSignal;
  readonly tally: Tally;
}

const DEVICES_PER_WORKER = 100;
const MAX_WORKERS = 16;
/** So that killing one process affects only part of a small fleet. */
const MIN_WORKERS = 4;

/** Lets a fleet decide, record and upload, kills some of its processes, and then waits until everything is delivered. */
export async function runWorkers(options: RunWorkersOptions): Promise<{
  readonly kills: number;
  /** How long the fleet recorded. */
  readonly seconds: number;
}> {
  const { fleet, load, env, tally } = options;
  const workers = planWorkers(fleet, load).map((plan, index) =>
    startWorker({ plan, env, onMessage: tally.listenTo(index) }),
  );
  // The workers must not outlive this process.
  const abandonAll = () => {
    for (const worker of workers) worker.abandon();
  };
  process.once('exit', abandonAll);
  try {
    await Promise.all(workers.map(({ ready }) => ready));
    const startedAt = performance.now();
    const kills = await killSome(workers, options);
    const seconds = (performance.now() - startedAt) / 1000;
    await Promise.all(workers.map((worker) => worker.drain()));
    return { kills, seconds };
  } finally {
    process.off('exit', abandonAll);
    abandonAll();
  }
}

/** Distributes the devices over processes, and the rate in proportion. */
export function planWorkers(fleet: readonly EnrolledDevice[], load: FleetLoad): WorkerPlan[] {
  const { ratePerSecond, offlineShare, clockSkewMs, seed, drainMs } = load;
  const wanted = Math.max(Math.ceil(fleet.length / DEVICES_PER_WORKER), MIN_WORKERS);
  const count = Math.min(wanted, MAX_WORKERS, fleet.length);
  return Array.from({ length: count }, (_, index) => {
    const devices = fleet.filter((_device, number) => number % count === index);
    return {
      devices: devices.map(({ number, directory }) => ({ number, directory })),
      ratePerSecond: (ratePerSecond * devices.length) / fleet.length,
      offlineShare,
      clockSkewMs,
      seed,
      drainMs,
    };
  });
}

/** Waits for the whole duration and kills processes at random times between 20 % and 80 % of it. */
async function killSome(
  workers: readonly WorkerProcess[],
  { load, signal, tally }: RunWorkersOptions,
): Promise<number> {
  const { killShare, durationMs, seed } = load;
  const random = createRandom(seed + 1);
  const kills = Math.ceil(killShare * workers.length);
  const times = Array.from({ length: kills }, () => (0.2 + random() * 0.6) * durationMs);
  const startedAt = performance.now();
  const waitUntil = (ms: number) =>
    sleep(Math.max(0, startedAt + ms - performance.now()), undefined, { signal }).catch(() => undefined);
  let killed = 0;
  for (const time of times.sort((a, b) => a - b)) {
    await waitUntil(time);
    if (signal.aborted) return killed;
    const index = Math.floor(random() * workers.length);
    await workers[index]?.kill();
    tally.noteKill(index);
    killed += 1;
  }
  await waitUntil(durationMs);
  return killed;
}
