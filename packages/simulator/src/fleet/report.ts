import type { FeedCheck } from '../check-feed.ts';
import type { Tally } from './tally.ts';

/** The result of a simulation. */
export interface SimulationReport {
  readonly ok: boolean;
  readonly devices: number;
  readonly recorded: number;
  /** Below the requested rate when the machine cannot keep up. */
  readonly recorded_per_second: number;
  readonly delivered: number;
  /** Dropped because a device's log was full, and declared to the service. */
  readonly dropped_and_declared: number;
  /** Neither delivered nor declared as dropped: lost, unless they still wait on their devices. */
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

/** Sums up a simulation. It is `ok` when each recorded event was delivered exactly once or declared as dropped. */
export function toReport(
  tally: Tally,
  { check, devices, kills, seconds }: { check: FeedCheck; devices: number; kills: number; seconds: number },
): SimulationReport {
  const { sent, retried, throttled, offline } = tally.traffic();
  const sum = (of: 'waiting' | 'refused') => tally.results.reduce((total, result) => total + result[of], 0);
  const { declared, missing } = explainMissing(tally, check.missing);
  const isComplete = missing === 0 && check.repeated.length === 0 && tally.results.length === devices;
  return {
    // A run that recorded nothing proves nothing.
    ok: isComplete && tally.recorded.size > 0,
    devices,
    recorded: tally.recorded.size,
    recorded_per_second: round(tally.recorded.size / seconds),
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
    troubles: [...tally.problems],
  };
}

/**
 * Counts only what each device has declared in this run: declarations of another device, or of a former run, do not
 * explain an event that is missing.
 */
function explainMissing({ recorded, declaredBefore, results }: Tally, missing: readonly string[]) {
  const missingByDevice = new Map<number | undefined, number>();
  for (const id of missing) {
    const device = recorded.get(id);
    missingByDevice.set(device, (missingByDevice.get(device) ?? 0) + 1);
  }
  let declared = 0;
  let explained = 0;
  for (const result of results) {
    const declaredNow = result.declared - (declaredBefore.get(result.number) ?? 0);
    declared += declaredNow;
    explained += Math.min(missingByDevice.get(result.number) ?? 0, declaredNow);
  }
  return { declared, missing: missing.length - explained };
}

/** Returns 0 for an empty list. */
function percentile(times: readonly number[], share: number): number {
  const sorted = Float64Array.from(times).sort();
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

function round(ms: number): number {
  return Math.round(ms * 100) / 100;
}
