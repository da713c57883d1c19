import { useEffect, useRef } from 'react';
import UPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { type ChartData, stacked } from './chart-series.ts';
import { useThemeKey } from './use-theme-key.ts';

export interface CanvasProps extends ChartData {
  readonly kind: 'bars' | 'lines';
  readonly height: number;
  /** Called with the bucket under the pointer. */
  readonly onHover: (index: number | undefined) => void;
  /** Called with a range that the reader has drawn. */
  readonly onSelect?: ((sinceMs: number, untilMs: number) => void) | undefined;
}

const DAY_S = 86_400;
const COUNT = new Intl.NumberFormat(undefined, { notation: 'compact', maximumFractionDigits: 1 });

/** Draws with uPlot, which is loaded with the first chart. */
export function UplotCanvas(props: CanvasProps) {
  const host = useRef<HTMLDivElement>(null);
  const latest = useRef(props);
  latest.current = props;
  const { kind, height, startsMs, stepMs, series } = props;
  const theme = useThemeKey();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the colours of the theme are read while drawing.
  useEffect(() => {
    const element = host.current;
    if (!element) return undefined;
    const sums = kind === 'bars' ? stacked(series).toReversed() : series.map(({ values }) => [...values]);
    const data = [startsMs.map((ms) => ms / 1000), ...sums] as UPlot.AlignedData;
    const options = toOptions({ kind, height, startsMs, stepMs, series }, latest);
    const plot = new UPlot({ ...options, width: element.clientWidth }, data, element);
    const observer = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height }));
    observer.observe(element);
    return () => {
      observer.disconnect();
      plot.destroy();
    };
  }, [kind, height, startsMs, stepMs, series, theme]);
  return <div ref={host} aria-hidden="true" />;
}

type Drawn = Pick<CanvasProps, 'kind' | 'height' | 'startsMs' | 'stepMs' | 'series'>;

function toOptions(drawn: Drawn, latest: { readonly current: CanvasProps }): Omit<UPlot.Options, 'width'> {
  const { kind, height, startsMs, stepMs, series } = drawn;
  const ordered = kind === 'bars' ? series.toReversed() : series;
  const isDays = stepMs / 1000 >= DAY_S;
  const [quiet, line] = [colorOf('--quiet'), colorOf('--line')];
  const axis = { stroke: quiet, font: '12px system-ui, sans-serif', ticks: { show: false } };
  const bars = UPlot.paths.bars?.({ align: 1, size: [0.85, 48] });
  return {
    height,
    padding: [8, 20, 0, 0],
    legend: { show: false },
    tzDate: (seconds) =>
      isDays ? UPlot.tzDate(new Date(seconds * 1000), 'Etc/UTC') : new Date(seconds * 1000),
    cursor: {
      y: false,
      points: { show: kind === 'lines' },
      drag: { x: latest.current.onSelect !== undefined, y: false, setScale: false },
    },
    scales: {
      x: { time: true, range: () => toRange(startsMs, stepMs) },
      y: { range: (_plot, _min, max) => [0, Math.max(4, max * 1.05)] },
    },
    axes: [
      {
        ...axis,
        size: 28,
        grid: { show: false },
        space: 70,
        values: (_plot, splits) => toTimeLabels(splits, isDays),
      },
      {
        ...axis,
        size: 44,
        grid: { stroke: line, width: 1 },
        incrs: WHOLE_STEPS,
        values: (_plot, splits) => splits.map((value) => COUNT.format(value)),
      },
    ],
    series: [
      {},
      ...ordered.map(({ label, color }) => ({
        label,
        stroke: colorOf(color),
        ...(kind === 'bars'
          ? { fill: colorOf(color), width: 0, points: { show: false }, ...(bars ? { paths: bars } : {}) }
          : { width: 2, points: { show: false } }),
      })),
    ],
    hooks: {
      setCursor: [({ cursor }) => latest.current.onHover(cursor.idx ?? undefined)],
      setSelect: [(plot) => reportSelection(plot, stepMs, latest.current)],
    },
  };
}

/** Counts have no fractions. */
const WHOLE_STEPS = Array.from({ length: 10 }, (_, power) =>
  [1, 2, 5].map((step) => step * 10 ** power),
).flat();

function toRange(startsMs: readonly number[], stepMs: number): [number, number] {
  const first = startsMs[0] ?? 0;
  return [first / 1000, ((startsMs.at(-1) ?? first) + stepMs) / 1000];
}

function reportSelection(plot: UPlot, stepMs: number, { onSelect }: CanvasProps): void {
  const { left, width } = plot.select;
  if (!onSelect || width < 4) return;
  const toMs = (x: number) => plot.posToVal(x, 'x') * 1000;
  const sinceMs = Math.floor(toMs(left) / stepMs) * stepMs;
  const untilMs = Math.ceil(toMs(left + width) / stepMs) * stepMs;
  plot.setSelect({ left: 0, width: 0, top: 0, height: 0 }, false);
  onSelect(sinceMs, untilMs);
}

/** Hours of the reader's day, or dates. */
function toTimeLabels(splits: readonly number[], isDays: boolean): string[] {
  const [first = 0, second = first] = splits;
  const zone = isDays ? { timeZone: 'UTC' } : {};
  const isDate = second - first >= DAY_S;
  const format = new Intl.DateTimeFormat(
    undefined,
    isDate ? { day: 'numeric', month: 'short', ...zone } : { hour: '2-digit', minute: '2-digit', ...zone },
  );
  return splits.map((seconds) => format.format(new Date(seconds * 1000)));
}

function colorOf(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}
