import { type RefObject, useLayoutEffect, useState } from 'react';

/** The list keeps at least this height, in rem: on a low screen the page scrolls. */
const MIN_REM = 22;

/** Returns the height that is left of the window below the top of an element. */
export function useFrameHeight(frame: RefObject<HTMLElement | null>): string {
  const [topPx, setTopPx] = useState(240);
  useLayoutEffect(() => {
    const element = frame.current;
    if (!element) return;
    const measure = () => setTopPx(Math.round(element.getBoundingClientRect().top + scrollY));
    measure();
    // What is above the list changes its height: chips wrap, a banner appears.
    const observer = new ResizeObserver(measure);
    for (const child of element.parentElement?.children ?? []) observer.observe(child);
    observer.observe(document.documentElement);
    return () => observer.disconnect();
  }, [frame]);
  return `max(${MIN_REM}rem, calc(100dvh - ${topPx}px - 1rem))`;
}
