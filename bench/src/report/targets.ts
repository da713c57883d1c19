import { ENGINES } from '../options.ts';
import type { Figure, Recorder } from '../recorder.ts';
import { ROWS } from '../row-names.ts';

/** What a measured target came to. Undefined when it was not measured in this run. */
export interface TargetResult {
  readonly title: string;
  readonly wanted: string;
  readonly measured: string;
  readonly isReached: boolean;
}

/** Holds what was recorded against what is aimed at. Targets whose rows were not measured are left out. */
export function judgeTargets(recorder: Recorder, feedRows: number): TargetResult[] {
  const ratio = (figure: Figure, row: string, base: string, least: number) => {
    const value = recorder.ratio(figure, row, base);
    const title = `${row} / ${base}`;
    return value === undefined
      ? []
      : [toResult(title, `≥ ${least.toFixed(2)}`, value.toFixed(2), value >= least)];
  };
  const atMost = (figure: Figure, row: string, { most, unit }: { most: number; unit: string }) => {
    const value = recorder.median(row, figure);
    const title = `${row}: ${FIGURE_NAMES[figure] ?? figure}`;
    return value === undefined
      ? []
      : [toResult(title, `≤ ${most} ${unit}`, `${value.toFixed(1)} ${unit}`, value <= most)];
  };
  return [
    ...ratio('requestsPerSecond', ROWS.single('sqlite'), ROWS.fastifyEcho, 0.6),
    ...ratio('requestsPerSecond', ROWS.single('postgres'), ROWS.fastifyEcho, 0.45),
    ...ratio('eventsPerSecond', ROWS.batch('sqlite'), ROWS.bareInserts('sqlite'), 0.6),
    ...ratio('eventsPerSecond', ROWS.batch('postgres'), ROWS.bareInserts('postgres'), 0.5),
    ...ENGINES.flatMap((engine) => [
      ...atMost('p99Ms', ROWS.single(engine), { most: 50, unit: 'ms' }),
      ...atMost('readyMs', ROWS.single(engine), { most: 1500, unit: 'ms' }),
      ...atMost('peakMiB', ROWS.single(engine), { most: 250, unit: 'MiB' }),
      ...atMost('peakMiB', ROWS.batch(engine), { most: 250, unit: 'MiB' }),
      ...atMost('serverMs', ROWS.feed(engine, 1000, 'whole'), { most: 3, unit: 'ms' }),
      ...atMost('serverMs', ROWS.feed(engine, feedRows, 'start'), { most: 3, unit: 'ms' }),
      ...atMost('serverMs', ROWS.feed(engine, feedRows, 'end'), { most: 3, unit: 'ms' }),
    ]),
  ];
}

const FIGURE_NAMES: Partial<Record<Figure, string>> = {
  p99Ms: 'p99',
  readyMs: 'ready',
  peakMiB: 'memory',
  serverMs: 'server time',
};

function toResult(title: string, wanted: string, measured: string, isReached: boolean): TargetResult {
  return { title, wanted, measured, isReached };
}
