import { useEffect, useReducer, useRef, useState } from 'react';
import { RowSlots } from './row-slots.ts';

/**
 * How many rows come onto the screen in one frame: on a slow phone, each takes 5 to 8 ms of layout and paint. With two, a reader
 * who scrolls by less than 3,800 pixels a second sees no row come late.
 */
const LIMIT = { least: 2, first: 4, most: 12 } as const;

/** A frame below `FAST_MS` has time for another row. After a frame above `SLOW_MS`, the next one renders half the rows. */
const FAST_MS = 20;
const SLOW_MS = 36;

interface RowSlotsOptions {
  /** The id of the item of a row. */
  readonly idAt: (index: number) => string;
  /** The rows of the list. */
  readonly count: number;
}

/** Returns the rows to show now. Where more are wanted than fit into a frame, the others follow in the next ones. */
export function useRowSlots(wanted: readonly number[], { idAt, count }: RowSlotsOptions) {
  const [slots] = useState(() => new RowSlots());
  const [, renderNext] = useReducer((renders: number) => renders + 1, 0);
  const pace = useRef<{ limit: number; frameAtMs: number | undefined }>({
    limit: LIMIT.first,
    frameAtMs: undefined,
  });
  const { limit } = pace.current;
  const { rows, isComplete } = slots.next(wanted, { idAt, count, limit, focused: slotOfFocus() });
  useEffect(() => {
    if (isComplete) {
      // A limit from a fast moment can be too high later: a first frame with twelve rows took 133 ms on a busy machine.
      pace.current = { limit: Math.min(limit, LIMIT.first), frameAtMs: undefined };
      return;
    }
    const frame = requestAnimationFrame((nowMs) => {
      const { limit, frameAtMs = nowMs - FAST_MS } = pace.current;
      pace.current = { limit: nextLimit(limit, nowMs - frameAtMs), frameAtMs: nowMs };
      renderNext();
    });
    return () => cancelAnimationFrame(frame);
  });
  return rows;
}

function nextLimit(limit: number, tookMs: number): number {
  if (tookMs < FAST_MS) return Math.min(LIMIT.most, limit + 1);
  return tookMs > SLOW_MS ? Math.max(LIMIT.least, Math.floor(limit / 2)) : limit;
}

const ID = /^list-row-(\d+)$/;

/** The id of the elements of a row. There is one list on a page. */
export function toElementId(slot: number): string {
  return `list-row-${slot}`;
}

function slotOfFocus(): number | undefined {
  const match = ID.exec(document.activeElement?.closest('[role=row]')?.id ?? '');
  return match ? Number(match[1]) : undefined;
}
