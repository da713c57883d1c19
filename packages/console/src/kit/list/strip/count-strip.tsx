import { useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, type PointerEvent, useMemo, useState } from 'react';
import { useClient } from '../../../session/index.ts';
import { toCount } from '../../values/words.ts';
import { SYNC_MS } from '../data/use-list-data.ts';
import type { ListModel } from '../use-list.ts';
import classes from './count-strip.module.css';
import { type Bar, type Brush, rangeOfBrush, toBars } from './strip-bars.ts';

const SHORT = new Intl.DateTimeFormat(undefined, {
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
});

/** How many items there are over time. Dragging over bars, or Shift and the arrow keys, narrows the list to them. */
export function CountStrip<Item>({ list, address }: Pick<ListModel<Item>, 'list' | 'address'>) {
  const client = useClient();
  const { sort: _sort, ...query } = address.query;
  const counts = useQuery({
    queryKey: [list.queryKey, 'counts', query],
    queryFn: ({ signal }) => list.count?.(client, query, { signal }) ?? null,
    placeholderData: (before) => before,
    refetchInterval: SYNC_MS,
  });
  const range = list.filters.find((filter) => filter.kind === 'time-range');
  const [sinceName, untilName] = [range?.name ?? 'since', range?.until ?? 'until'];
  const { data, dataUpdatedAt } = counts;
  const [since, until] = [query[sinceName], query[untilName]];
  const bars = useMemo(
    () => (data ? toBars(data, { since, until, nowMs: dataUpdatedAt }) : []),
    [data, dataUpdatedAt, since, until],
  );
  if (!list.count || counts.isError) return null;
  return (
    <div className={classes.strip}>
      <div className={classes.total} aria-live="polite">
        {data && `${data.complete ? '' : 'more than '}${toCount(data.total, list.noun)}`}
      </div>
      <Bars
        bars={bars}
        noun={list.noun}
        isBrushable={range !== undefined}
        onBrush={(brush) => {
          const chosen = rangeOfBrush(bars, brush);
          if (chosen) address.setFilters({ [sinceName]: chosen.since, [untilName]: chosen.until });
        }}
      />
      <div className={classes.axis} aria-hidden="true">
        <span>{bars[0] && SHORT.format(bars[0].startMs)}</span>
        <span>{bars.length > 1 && SHORT.format(bars.at(-1)?.endMs)}</span>
      </div>
    </div>
  );
}

interface BarsProps {
  readonly bars: readonly Bar[];
  readonly noun: { readonly one: string; readonly many: string };
  readonly isBrushable: boolean;
  readonly onBrush: (brush: Brush) => void;
}

const HEIGHT = 32;

function Bars({ bars, noun, isBrushable, onBrush }: BarsProps) {
  const [brush, setBrush] = useState<Brush>();
  const [isDragging, setDragging] = useState(false);
  const max = Math.max(1, ...bars.map(({ count }) => count));
  const at = brush && bars[brush.to];
  const barOf = (event: PointerEvent<Element>) => {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    return Math.max(0, Math.min(bars.length - 1, Math.floor(((event.clientX - left) / width) * bars.length)));
  };
  const apply = () => {
    if (brush) onBrush(brush);
    setBrush(undefined);
  };
  return (
    <div className={classes.bars}>
      <div
        className={classes.drawing}
        role="slider"
        tabIndex={isBrushable && bars.length > 1 ? 0 : -1}
        aria-label={`${noun.many} over time`}
        aria-valuemin={0}
        aria-valuemax={Math.max(0, bars.length - 1)}
        aria-valuenow={brush?.to ?? bars.length - 1}
        aria-valuetext={brush ? wordsOf(bars, brush, noun) : summaryOf(bars, noun)}
        onKeyDown={(event) => {
          const next = brushByKey(event, brush, bars.length);
          if (next === 'apply') apply();
          else if (next === 'clear') setBrush(undefined);
          else if (next) setBrush(next);
          if (next) {
            event.preventDefault();
            event.stopPropagation();
          }
        }}
        onBlur={() => setBrush(undefined)}
        onPointerDown={(event) => {
          if (!isBrushable) return;
          event.currentTarget.setPointerCapture(event.pointerId);
          setDragging(true);
          setBrush({ from: barOf(event), to: barOf(event) });
        }}
        onPointerMove={(event) => {
          const bar = barOf(event);
          setBrush((now) => ({ from: isDragging && now ? now.from : bar, to: bar }));
        }}
        onPointerLeave={() => !isDragging && setBrush(undefined)}
        onPointerUp={() => {
          setDragging(false);
          if (isBrushable) apply();
        }}
      >
        <svg
          viewBox={`0 0 ${Math.max(1, bars.length)} ${HEIGHT}`}
          preserveAspectRatio="none"
          aria-hidden="true"
        >
          {bars.map((bar, index) => (
            <Column key={bar.startMs} bar={bar} index={index} max={max} isBrushed={isWithin(brush, index)} />
          ))}
        </svg>
      </div>
      {at && (
        <div
          className={classes.hint}
          style={{ left: `${(100 * (brush.to + 0.5)) / bars.length}%` }}
          aria-hidden="true"
        >
          {wordsOf(bars, brush, noun)}
        </div>
      )}
    </div>
  );
}

function Column({
  bar,
  index,
  max,
  isBrushed,
}: {
  bar: Bar;
  index: number;
  max: number;
  isBrushed: boolean;
}) {
  // A single item among thousands still has a bar that can be seen.
  const height = bar.count === 0 ? 0 : Math.max(2, (HEIGHT * bar.count) / max);
  return (
    <>
      {isBrushed && <rect className={classes.brushed} x={index} y={0} width={1} height={HEIGHT} />}
      <rect className={classes.bar} x={index + 0.1} y={HEIGHT - height} width={0.8} height={height} />
    </>
  );
}

function isWithin(brush: Brush | undefined, index: number): boolean {
  return (
    brush !== undefined && index >= Math.min(brush.from, brush.to) && index <= Math.max(brush.from, brush.to)
  );
}

function brushByKey(
  { key, shiftKey }: KeyboardEvent,
  brush: Brush | undefined,
  count: number,
): Brush | 'apply' | 'clear' | undefined {
  if (key === 'Enter') return brush && 'apply';
  if (key === 'Escape') return brush && 'clear';
  const step = { ArrowLeft: -1, ArrowRight: 1, Home: -count, End: count }[key];
  if (step === undefined) return undefined;
  const to = Math.max(0, Math.min(count - 1, (brush?.to ?? count - 1) + (brush ? step : 0)));
  return { from: shiftKey && brush ? brush.from : to, to };
}

function wordsOf(bars: readonly Bar[], { from, to }: Brush, noun: BarsProps['noun']): string {
  const shown = bars.slice(Math.min(from, to), Math.max(from, to) + 1);
  const count = shown.reduce((sum, bar) => sum + bar.count, 0);
  const [first, last] = [shown[0], shown.at(-1)];
  if (!first || !last) return '';
  return `${SHORT.format(first.startMs)} – ${SHORT.format(last.endMs)}: ${toCount(count, noun)}`;
}

function summaryOf(bars: readonly Bar[], noun: BarsProps['noun']): string {
  const peak = bars.reduce<Bar | undefined>(
    (top, bar) => (top && top.count >= bar.count ? top : bar),
    undefined,
  );
  if (!peak) return 'No data';
  return `${wordsOf(bars, { from: 0, to: bars.length - 1 }, noun)}, most at ${SHORT.format(peak.startMs)} (${peak.count})`;
}
