import type { TraceStep } from '@tps/client';
import { toDuration } from '../../../kit/index.ts';

export interface Run {
  readonly run: number;
  readonly traceId: string;
  /** In the order in which they ran. */
  readonly steps: readonly TraceStep[];
}

/** Groups steps, which are listed newest first, by their run: the last run first. */
export function toRuns(steps: readonly TraceStep[]): Run[] {
  const runs = new Map<string, TraceStep[]>();
  for (const step of steps) runs.set(step.trace_id, [step, ...(runs.get(step.trace_id) ?? [])]);
  return [...runs].map(([traceId, ofRun]) => ({ run: ofRun[0]?.run ?? 1, traceId, steps: ofRun }));
}

/** Returns how long a step took: milliseconds below half a minute. */
export function durationOf({
  started_at: from,
  finished_at: to,
}: Pick<TraceStep, 'started_at' | 'finished_at'>): string {
  if (from === null || to === null) return '';
  const ms = new Date(to).getTime() - new Date(from).getTime();
  return toDuration(ms) ?? `${ms.toLocaleString()} ms`;
}
