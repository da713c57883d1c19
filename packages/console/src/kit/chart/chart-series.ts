/** One series of a chart. */
export interface ChartSeries {
  readonly label: string;
  /** One per bucket. */
  readonly values: readonly number[];
  /** A variable of `global.css`, such as `--severity-high`. */
  readonly color: string;
  /** Shown in the legend in place of the sum, where the values cannot be added. */
  readonly summary?: string;
}

/** What a chart shows: counts per bucket of time. */
export interface ChartData {
  /** The starts of the buckets in milliseconds, ascending. */
  readonly startsMs: readonly number[];
  readonly stepMs: number;
  readonly series: readonly ChartSeries[];
}

const DAY_MS = 86_400_000;

/** Returns the sums of the series up to each one, so that bars that are drawn behind each other look stacked. */
export function stacked(series: readonly ChartSeries[]): number[][] {
  const sums: number[][] = [];
  for (const { values } of series) {
    const below = sums.at(-1);
    sums.push(values.map((value, index) => value + (below?.[index] ?? 0)));
  }
  return sums;
}

/** Returns what the legend shows of a series: the sum of its values. */
export function summaryOf({ values, summary }: ChartSeries): string {
  return summary ?? values.reduce((sum, value) => sum + value, 0).toLocaleString();
}

/** Joins neighbouring buckets, so that there are at most this many: narrower bars could not be told apart. */
export function withFewerBuckets(data: ChartData, most: number): ChartData {
  const joined = Math.ceil(data.startsMs.length / most);
  if (joined <= 1) return data;
  // From the end, so that the newest bucket is whole.
  const offset = data.startsMs.length % joined;
  const starts = data.startsMs.filter((_, index) => index >= offset && (index - offset) % joined === 0);
  return {
    startsMs: starts,
    stepMs: data.stepMs * joined,
    series: data.series.map((one) => ({
      ...one,
      summary: summaryOf(one),
      values: starts.map((_, index) => {
        const from = offset + index * joined;
        return one.values.slice(from, from + joined).reduce((sum, value) => sum + value, 0);
      }),
    })),
  };
}

/** Returns the words for a bucket. Days are UTC days, as the service counts them; hours are in the reader's zone. */
export function bucketWords(startMs: number, stepMs: number): string {
  const isDay = stepMs >= DAY_MS;
  return (isDay ? DAY : HOUR).format(new Date(startMs));
}

const DAY = new Intl.DateTimeFormat(undefined, {
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  timeZone: 'UTC',
});
const HOUR = new Intl.DateTimeFormat(undefined, {
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
});

/** Describes a chart to people who cannot see it. */
export function describeChart(label: string, { series, startsMs, stepMs }: ChartData): string {
  const first = startsMs[0];
  const last = startsMs.at(-1);
  const range =
    first === undefined || last === undefined
      ? ''
      : `, ${bucketWords(first, stepMs)} to ${bucketWords(last, stepMs)}`;
  const totals = series.map((one) => `${one.label} ${summaryOf(one)}`).join(', ');
  return `${label}${range}: ${totals}`;
}
