import { FIGURES, type Figure, type SampleRecorder } from '../figures.ts';

/** A target and what was measured for it. */
export interface TargetResult {
  readonly title: string;
  readonly wanted: string;
  readonly measured: string;
  readonly isReached: boolean;
}

/** Compares what was recorded with targets. Each returns an empty list when its rows were not measured in this run. */
export interface Targets {
  /** A figure is at least, or at most, this many times the same figure of another row. */
  ratio(
    figure: Figure,
    row: string,
    base: { row: string } & ({ min: number } | { max: number }),
  ): TargetResult[];
  atMost(figure: Figure, row: string, limit: { max: number; unit: string }): TargetResult[];
  /** A figure is at most this many times another figure of the same row. */
  growth(later: Figure, row: string, base: { earlier: Figure; max: number }): TargetResult[];
}

export function createTargets(recorder: SampleRecorder): Targets {
  return {
    ratio(figure, row, { row: base, ...wanted }) {
      const value = recorder.ratio(figure, row, base);
      if (value === undefined) return [];
      const title = `${row} / ${base}${'name' in FIGURES[figure] ? `: ${toName(figure)}` : ''}`;
      const limit =
        'min' in wanted
          ? { wanted: `≥ ${wanted.min.toFixed(2)}`, isReached: value >= wanted.min }
          : { wanted: `≤ ${wanted.max.toFixed(2)}`, isReached: value <= wanted.max };
      return [{ title, measured: value.toFixed(2), ...limit }];
    },
    atMost(figure, row, { max, unit }) {
      const value = recorder.median(row, figure);
      if (value === undefined) return [];
      const texts = { wanted: `≤ ${max} ${unit}`, measured: `${value.toFixed(1)} ${unit}` };
      return [{ title: `${row}: ${toName(figure)}`, ...texts, isReached: value <= max }];
    },
    growth(later, row, { earlier, max }) {
      const [end, start] = [recorder.median(row, later), recorder.median(row, earlier)];
      if (end === undefined || start === undefined) return [];
      const title = `${row}: ${toName(later)} / ${toName(earlier)}`;
      const texts = { wanted: `≤ ${max.toFixed(2)}`, measured: (end / start).toFixed(2) };
      return [{ title, ...texts, isReached: end / start <= max }];
    },
  };
}

function toName(figure: Figure): string {
  const { title, name = title }: { title: string; name?: string } = FIGURES[figure];
  return name;
}
