import type { Statistics, StatisticsSeries } from '@tps/client';
import { type ChartData, type ChartSeries, type Share, toWords, withFewerBuckets } from '../../kit/index.ts';

type Measure = StatisticsSeries['measure'];

const HOUR_MS = 3_600_000;
const MAX_BARS = 61;
const MAX_POINTS = 31;

/** Returns the series of a measure, or of one value of its breakdown. Zeros if it was not read. */
export function seriesOf(counts: Statistics, measure: Measure, key: string | null = null): StatisticsSeries {
  const found = counts.series.find((each) => each.measure === measure && each.key === key);
  return found ?? { measure, breakdown: null, key, total: 0, values: counts.starts.map(() => 0) };
}

export function toChart(counts: Statistics, series: readonly ChartSeries[]): ChartData {
  return withFewerBuckets(toBuckets(counts, series), MAX_BARS);
}

function toBuckets(counts: Statistics, series: readonly ChartSeries[]): ChartData {
  return {
    startsMs: counts.starts.map((start) => Date.parse(start)),
    stepMs: counts.interval === 'hour' ? HOUR_MS : 24 * HOUR_MS,
    series,
  };
}

/** Returns the course of a measure in few points. */
export function trendOf(counts: Statistics, measure: Measure): readonly number[] {
  const { values } = seriesOf(counts, measure);
  const data = {
    startsMs: values.map((_, index) => index),
    stepMs: 1,
    series: [{ label: '', color: '', values }],
  };
  return withFewerBuckets(data, MAX_POINTS).series[0]?.values ?? [];
}

/** The actions, most serious at the bottom of the chart. */
export function actionSeries(counts: Statistics): ChartSeries[] {
  return (
    [
      ['block', 'Blocked', '--chart-block'],
      ['warn', 'Warned', '--chart-warn'],
      ['allow', 'Allowed', '--chart-calm'],
    ] as const
  ).map(([key, label, color]) => ({ label, color, values: seriesOf(counts, 'events', key).values }));
}

export function triageSeries(counts: Statistics): ChartSeries[] {
  return (
    [
      ['alerts', 'Alerts', '--chart-calm'],
      ['incidents_opened', 'Incidents opened', '--chart-block'],
      ['incidents_resolved', 'Incidents resolved', '--good'],
    ] as const
  ).map(([measure, label, color]) => ({ label, color, values: seriesOf(counts, measure).values }));
}

export function deliverySeries(counts: Statistics): ChartSeries[] {
  return (
    [
      ['deliveries_failed', 'Failed attempts', '--chart-block'],
      ['deliveries_delivered', 'Delivered', '--chart-calm'],
    ] as const
  ).map(([measure, label, color]) => ({ label, color, values: seriesOf(counts, measure).values }));
}

/** The devices with an event in each hour or day. They are not joined: a device can be in several. */
export function deviceChart(counts: Statistics): ChartData {
  const { values } = seriesOf(counts, 'devices');
  const most = `at most ${Math.max(0, ...values).toLocaleString()}`;
  return toBuckets(counts, [{ label: 'Devices', color: '--chart-calm', values, summary: most }]);
}

/** The parts of the events by a breakdown. `filter` is the member with which the list of events shows them. */
export function sharesOf(
  counts: Statistics,
  breakdown: NonNullable<StatisticsSeries['breakdown']>,
  { measure = 'events', filter, words = toWords }: ShareOptions = {},
): Share[] {
  return counts.series
    .filter((each) => each.measure === measure && each.breakdown === breakdown)
    .flatMap(({ key, total }) => (key === null ? [] : [{ key, count: total ?? 0 }]))
    .filter(({ key, count }) => key !== 'unknown' || count > 0)
    .map(({ key, count }) => ({
      key,
      count,
      label: words(key),
      ...(filter && key !== 'unknown' ? { to: '/events', search: { [filter]: key } } : {}),
    }));
}

interface ShareOptions {
  readonly measure?: Measure;
  readonly filter?: string;
  readonly words?: (key: string) => string;
}

const PLATFORM_WORDS: Readonly<Record<string, string>> = {
  ios: 'iOS',
  macos: 'macOS',
  unknown: 'Not stated',
};

export function platformWords(key: string): string {
  return PLATFORM_WORDS[key] ?? toWords(key);
}
