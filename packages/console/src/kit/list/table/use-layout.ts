import { useEffect, useState } from 'react';

export type TableLayout = 'rows' | 'cards';

/** Below this width, in rem, rows become cards of two lines: also at 400 % zoom. */
const CARDS_BELOW_REM = 40;

const ROW_REM: Readonly<Record<TableLayout, number>> = { rows: 2, cards: 3.5 };

/** Returns how the rows of a table are laid out in the width that it has, and their height in pixels. */
export function useLayout(frame: HTMLElement | null): {
  layout: TableLayout;
  rowHeight: number;
  widthPx: number;
} {
  const [size, setSize] = useState(() => ({ widthPx: innerWidth, rem: readRem() }));
  useEffect(() => {
    if (!frame) return;
    const observer = new ResizeObserver(([entry]) => {
      if (entry) setSize({ widthPx: entry.contentRect.width, rem: readRem() });
    });
    observer.observe(frame);
    return () => observer.disconnect();
  }, [frame]);
  const { widthPx, rem } = size;
  const layout = widthPx < CARDS_BELOW_REM * rem ? 'cards' : 'rows';
  return { layout, widthPx, rowHeight: Math.round(ROW_REM[layout] * rem) };
}

function readRem(): number {
  return Number.parseFloat(getComputedStyle(document.documentElement).fontSize) || 16;
}
