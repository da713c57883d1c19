import { useSyncExternalStore } from 'react';
import { toDateTime, toRelative, toUtc } from './time-words.ts';

interface TimeValueProps {
  /** ISO 8601, as the API returns it. */
  readonly value: string | null | undefined;
  /** `relative` is `3 min ago` and becomes the date after a week; `full` is date and time in the reader's zone. */
  readonly format?: 'relative' | 'full';
  /** Shown for a missing time. Default: a dash. */
  readonly absent?: string;
}

/** A time in the reader's zone. The pointer shows it in UTC. */
export function TimeValue({ value, format = 'relative', absent }: TimeValueProps) {
  const nowMs = useNow();
  if (value === null || value === undefined) return absent ?? <span title="Never">–</span>;
  return (
    <time dateTime={value} title={`${toDateTime(value)} · ${toUtc(value)}`}>
      {format === 'relative' ? toRelative(value, nowMs) : toDateTime(value)}
    </time>
  );
}

const TICK_MS = 15_000;
const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;
let nowMs = Date.now();

/** One clock for all relative times: a page with a thousand of them has one timer. */
function useNow(): number {
  return useSyncExternalStore(subscribe, () => nowMs);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(() => {
    nowMs = Date.now();
    for (const one of listeners) one();
  }, TICK_MS);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}
