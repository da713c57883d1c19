import { useEffect, useRef } from 'react';
import type { Cursor } from './use-cursor.ts';

/** Scrolls to the row of the cursor when a key has moved it, and takes the focus to its cell. */
export function useFocusOnMove(
  { index, column, moves, takesFocus }: Cursor,
  scroller: HTMLElement | null,
  rowHeight: number,
) {
  const at = useRef({ index, column, takesFocus, rowHeight });
  at.current = { index, column, takesFocus, rowHeight };
  useEffect(() => {
    if (moves === 0 || !scroller) return;
    reveal(scroller, at.current);
    if (!at.current.takesFocus) return;
    // Focus at once, because until then Enter activates the link or button that has the focus.
    if (focusCell(scroller, at.current)) return;
    // A row that comes onto the screen is rendered in the next frame.
    const frame = requestAnimationFrame(() => focusCell(scroller, at.current));
    return () => cancelAnimationFrame(frame);
  }, [moves, scroller]);
}

function focusCell(scroller: HTMLElement, { index, column }: { index: number; column: number }): boolean {
  const row = scroller.querySelector(`[data-index="${index}"]`);
  const cell = row?.querySelectorAll<HTMLElement>('[data-column]')[column];
  cell?.focus({ preventScroll: true });
  return cell !== undefined;
}

function reveal(scroller: HTMLElement, { index, rowHeight }: { index: number; rowHeight: number }) {
  const head = scroller.querySelector<HTMLElement>('[aria-rowindex="1"]')?.offsetHeight ?? 0;
  const top = index * rowHeight;
  const bottom = top + rowHeight;
  if (top < scroller.scrollTop) scroller.scrollTop = top;
  else if (bottom > scroller.scrollTop + scroller.clientHeight - head) {
    scroller.scrollTop = bottom - scroller.clientHeight + head;
  }
}
