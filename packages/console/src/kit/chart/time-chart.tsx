import { Button, Skeleton } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import { bucketWords, type ChartData, type ChartSeries, describeChart, summaryOf } from './chart-series.ts';
import classes from './time-chart.module.css';

const UplotCanvas = lazy(() =>
  import('./uplot-canvas.tsx').then(({ UplotCanvas }) => ({ default: UplotCanvas })),
);

interface TimeChartProps extends ChartData {
  /** What is counted: `Events`. */
  readonly label: string;
  /** Bars are stacked, the first series at the bottom. */
  readonly kind: 'bars' | 'lines';
  readonly height?: number;
  /** Lets the reader draw a range, which is rounded to buckets. */
  readonly onSelect?: (sinceMs: number, untilMs: number) => void;
}

/** Counts over time: drawn, as a legend with the values under the pointer, and as a table for those who read one. */
export function TimeChart({ label, kind, height = 180, onSelect, ...data }: TimeChartProps) {
  const [hovered, setHovered] = useState<number>();
  const [isTable, setTable] = useState(false);
  const start = hovered === undefined ? undefined : data.startsMs[hovered];
  return (
    <figure className={classes.chart} aria-label={describeChart(label, data)}>
      <figcaption className={classes.legend}>
        {data.series.map((series) => (
          <LegendItem
            key={series.label}
            series={series}
            hovered={start === undefined ? undefined : hovered}
          />
        ))}
        <span className={classes.bucket}>{start !== undefined && bucketWords(start, data.stepMs)}</span>
        <Button
          size="compact-xs"
          variant="subtle"
          className={classes.toggle}
          aria-pressed={isTable}
          onClick={() => setTable(!isTable)}
        >
          {isTable ? 'Chart' : 'Table'}
        </Button>
      </figcaption>
      {isTable ? (
        <ChartTable label={label} height={height} {...data} />
      ) : (
        <div className={classes.canvas} style={{ height }}>
          <Suspense fallback={<Skeleton height={height} />}>
            <UplotCanvas kind={kind} height={height} onHover={setHovered} onSelect={onSelect} {...data} />
          </Suspense>
        </div>
      )}
    </figure>
  );
}

function LegendItem({
  series,
  hovered,
}: {
  readonly series: ChartSeries;
  readonly hovered: number | undefined;
}) {
  const value = hovered === undefined ? summaryOf(series) : (series.values[hovered] ?? 0).toLocaleString();
  return (
    <span className={classes.item}>
      <span className={classes.swatch} style={{ background: `var(${series.color})` }} aria-hidden="true" />
      {series.label} <span className={classes.value}>{value}</span>
    </span>
  );
}

function ChartTable({
  label,
  height,
  startsMs,
  stepMs,
  series,
}: ChartData & { readonly label: string; readonly height: number }) {
  const newestFirst = startsMs.map((startMs, index) => ({ startMs, index })).toReversed();
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard (WCAG 2.1.1).
    <section className={classes.scroll} style={{ maxHeight: height * 1.5 }} tabIndex={0} aria-label={label}>
      <table className={classes.table}>
        <thead>
          <tr>
            <th scope="col">{stepMs >= 86_400_000 ? 'Day (UTC)' : 'Hour'}</th>
            {series.map((one) => (
              <th key={one.label} scope="col">
                {one.label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {newestFirst.map(({ startMs, index }) => (
            <tr key={startMs}>
              <th scope="row">{bucketWords(startMs, stepMs)}</th>
              {series.map((one) => (
                <td key={one.label}>{(one.values[index] ?? 0).toLocaleString()}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
