import { setTimeout as sleep } from 'node:timers/promises';
import type { FleetDevice } from './enrol-fleet.ts';
import { createRandom } from './random.ts';
import type { Tally } from './tally.ts';
import { startWorker, type WorkerProcess } from './worker-process.ts';
import type { WorkerPlan } from './worker-protocol.ts';

export interface SimulationOptions {
  readonly fleet: readonly FleetDevice[];
  readonly credential: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly ratePerSecond: number;
  readonly durationMs: number;
  readonly offlineShare: number;
  readonly clockSkewMs: number;
  /** Share of the processes that are killed in the course of it, at least one unless it is 0. */
  readonly killShare: number;
  readonly seed: number;
  readonly drainMs: number;
  /** Ends the recording early; what was recorded is delivered all the same. */
  readonly signal: AbortSignal;
  readonly tally: Tally;
}

const DEVICES_PER_WORKER = 100;
const MAX_WORKERS = 16;
/** So that a kill takes some devices and leaves others. */
const FEW_WORKERS = 4;

/** Lets a fleet decide, record and upload for a while, kills some of it, and lets it deliver what is left. */
export async function runSimulation(options: SimulationOptions): Promise<{
  kills: number;
  /** How long it recorded. */
  seconds: number;
}> {
  const { tally } = options;
  const plans = planWorkers(options);
  const workers = plans.map((plan, index) =>
    startWorker({
      plan,
      credential: options.credential,
      env: options.env,
      onMessage: tally.listenTo(index),
    }),
  );
  // No process of theirs outlives ours.
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

/** Shares the devices out among processes. */
export function planWorkers(
  options: Omit<SimulationOptions, 'tally' | 'signal' | 'credential' | 'env'>,
): WorkerPlan[] {
  const { fleet, ratePerSecond, offlineShare, clockSkewMs, seed, drainMs } = options;
  const wanted = Math.max(Math.ceil(fleet.length / DEVICES_PER_WORKER), FEW_WORKERS);
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

/** Waits for the whole duration, and kills processes at moments spread over it. */
async function killSome(workers: readonly WorkerProcess[], options: SimulationOptions): Promise<number> {
  const { killShare, durationMs, seed, signal, tally } = options;
  const random = createRandom(seed + 1);
  const kills = Math.ceil(killShare * workers.length);
  const moments = Array.from({ length: kills }, () => (0.2 + random() * 0.6) * durationMs).sort(
    (a, b) => a - b,
  );
  const startedAt = performance.now();
  const until = (ms: number) =>
    sleep(Math.max(0, startedAt + ms - performance.now()), undefined, { signal }).catch(() => undefined);
  let killed = 0;
  for (const moment of moments) {
    await until(moment);
    if (signal.aborted) return killed;
    const index = Math.floor(random() * workers.length);
    await workers[index]?.kill();
    tally.endOf(index);
    killed += 1;
  }
  await until(durationMs);
  return killed;
}
