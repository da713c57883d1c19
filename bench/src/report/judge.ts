import type { Figure, Recorder } from '../recorder.ts';

/** What a measured target came to. */
export interface TargetResult {
  readonly title: string;
  readonly wanted: string;
  readonly measured: string;
  readonly isReached: boolean;
}

/** Holds what was recorded against a target. Gives nothing when its rows were not measured in this run. */
export interface Judge {
  /** The ratio of a figure to that of another row must be at least this. */
  ratio(figure: Figure, row: string, base: { row: string; least: number }): TargetResult[];
  atMost(figure: Figure, row: string, limit: { most: number; unit: string }): TargetResult[];
  /** A figure may be so many times another one of the same row. */
  growth(later: Figure, row: string, base: { earlier: Figure; most: number }): TargetResult[];
}

export function createJudge(recorder: Recorder): Judge {
  return {
    ratio(figure, row, { row: base, least }) {
      const value = recorder.ratio(figure, row, base);
      if (value === undefined) return [];
      return [
        toResult(
          `${row} / ${base}`,
          { wanted: `≥ ${least.toFixed(2)}`, measured: value.toFixed(2) },
          value >= least,
        ),
      ];
    },
    atMost(figure, row, { most, unit }) {
      const value = recorder.median(row, figure);
      if (value === undefined) return [];
      const title = `${row}: ${FIGURE_NAMES[figure] ?? figure}`;
      return [
        toResult(
          title,
          { wanted: `≤ ${most} ${unit}`, measured: `${value.toFixed(1)} ${unit}` },
          value <= most,
        ),
      ];
    },
    growth(later, row, { earlier, most }) {
      const [end, start] = [recorder.median(row, later), recorder.median(row, earlier)];
      if (end === undefined || start === undefined) return [];
      const title = `${row}: ${FIGURE_NAMES[later] ?? later} / ${FIGURE_NAMES[earlier] ?? earlier}`;
      const value = end / start;
      return [toResult(title, { wanted: `≤ ${most.toFixed(2)}`, measured: value.toFixed(2) }, value <= most)];
    },
  };
}

const FIGURE_NAMES: Partial<Record<Figure, string>> = {
  p50Ms: 'p50',
  p99Ms: 'p99',
  readyMs: 'ready',
  peakMiB: 'memory',
  serverMs: 'server time',
  earlyMiB: 'after the first fifth',
  lateMiB: 'memory at the end',
};

function toResult(
  title: string,
  { wanted, measured }: { wanted: string; measured: string },
  isReached: boolean,
): TargetResult {
  return { title, wanted, measured, isReached };
}
