import type { FeedCheck } from './check-feed.ts';
import { percentile, type Tally } from './tally.ts';

/** What a simulation came to. */
export interface SimulationReport {
  readonly ok: boolean;
  readonly devices: number;
  readonly recorded: number;
  /** Below the rate that was asked for where the machine cannot keep up with it. */
  readonly recorded_per_second: number;
  readonly delivered: number;
  /** Dropped for want of room, and declared as that to the service. */
  readonly dropped_and_declared: number;
  /** Neither delivered nor declared as dropped: lost, unless it still waits on its device. */
  readonly missing: number;
  readonly repeated: number;
  readonly waiting: number;
  readonly refused: number;
  readonly processes_killed: number;
  readonly requests: number;
  readonly retried: number;
  readonly throttled: number;
  readonly attempts_offline: number;
  readonly record_ms: { readonly p50: number; readonly p99: number };
  readonly troubles: readonly string[];
}

/** Sums up: good is when each promise was kept exactly once, or its breach declared. */
export function toReport(
  tally: Tally,
  { check, devices, kills, seconds }: { check: FeedCheck; devices: number; kills: number; seconds: number },
): SimulationReport {
  const { sent, retried, throttled, offline } = tally.traffic();
  const sum = (of: 'waiting' | 'refused') => tally.results.reduce((total, result) => total + result[of], 0);
  const { declared, missing } = explainMissing(tally, check.missing);
  const isWhole = missing === 0 && check.repeated.length === 0 && tally.results.length === devices;
  return {
    // Who promised nothing has broken no promise, and proves nothing.
    ok: isWhole && tally.promised.size > 0,
    devices,
    recorded: tally.promised.size,
    recorded_per_second: round(tally.promised.size / seconds),
    delivered: check.delivered,
    dropped_and_declared: declared,
    missing,
    repeated: check.repeated.length,
    waiting: sum('waiting'),
    refused: sum('refused'),
    processes_killed: kills,
    requests: sent,
    retried,
    throttled,
    attempts_offline: offline,
    record_ms: { p50: round(percentile(tally.recordMs, 0.5)), p99: round(percentile(tally.recordMs, 0.99)) },
    troubles: [...tally.troubles],
  };
}

/** Each device's own declarations count, and those of this run alone: another's would hide what was lost. */
function explainMissing({ promised, declaredBefore, results }: Tally, ids: readonly string[]) {
  const missingOf = new Map<number | undefined, number>();
  for (const id of ids) missingOf.set(promised.get(id), (missingOf.get(promised.get(id)) ?? 0) + 1);
  let declared = 0;
  let explained = 0;
  for (const result of results) {
    const ofThisRun = result.declared - (declaredBefore.get(result.number) ?? 0);
    declared += ofThisRun;
    explained += Math.min(missingOf.get(result.number) ?? 0, ofThisRun);
  }
  return { declared, missing: ids.length - explained };
}

function round(ms: number): number {
  return Math.round(ms * 100) / 100;
}
