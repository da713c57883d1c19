import type { UnwatchedPage } from './unwatched-page.ts';

/** A page is usable when it has a heading and nothing on it is still loading. */
const IS_USABLE = `document.querySelector('main h1') !== null
  && document.querySelector('main [aria-busy="true"]') === null`;

/** Loads a page, and returns after how many milliseconds it was usable. The page notes that itself. */
export async function loadUntilUsable(page: UnwatchedPage, address: string): Promise<number> {
  await page.runFirst(`(() => {
    const check = () => {
      if (!(${IS_USABLE})) return;
      observer.disconnect();
      globalThis.usableAtMs = performance.now();
    };
    const observer = new MutationObserver(check);
    observer.observe(document, { childList: true, subtree: true, attributes: true, attributeFilter: ['aria-busy'] });
  })()`);
  await page.open(address);
  return page.waitFor<number>('globalThis.usableAtMs');
}

/** Clicks a link, and returns how long it took until the next frame that shows the heading of its page. */
export async function timeRouteChange(
  page: UnwatchedPage,
  { link, heading }: { link: string; heading: string },
): Promise<number> {
  return page.evaluate<number>(
    `(({ link, heading }) => new Promise((resolve) => {
      const start = performance.now();
      const check = () => {
        if (document.querySelector('main h1')?.textContent !== heading) return;
        observer.disconnect();
        requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - start)));
      };
      const observer = new MutationObserver(check);
      observer.observe(document, { childList: true, subtree: true, characterData: true });
      [...document.querySelectorAll('nav a')].find((one) => one.textContent.trim() === link).click();
    }))(${JSON.stringify({ link, heading })})`,
  );
}

/** Begins to record the time between frames, and the tasks that hold the thread for 50 ms or more. */
export async function watchFrames(page: UnwatchedPage): Promise<void> {
  await page.evaluate(`(() => {
    const watch = { longestFrameMs: 0, longestTaskMs: 0, isOn: true };
    globalThis.frameWatch = watch;
    let lastMs;
    const next = (nowMs) => {
      if (!watch.isOn) return;
      if (lastMs !== undefined) watch.longestFrameMs = Math.max(watch.longestFrameMs, nowMs - lastMs);
      lastMs = nowMs;
      requestAnimationFrame(next);
    };
    requestAnimationFrame(next);
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) watch.longestTaskMs = Math.max(watch.longestTaskMs, duration);
    }).observe({ type: 'longtask' });
  })()`);
}

export async function readFrames(
  page: UnwatchedPage,
): Promise<{ longestFrameMs: number; longestTaskMs: number }> {
  return page.evaluate(`(() => { globalThis.frameWatch.isOn = false; return globalThis.frameWatch; })()`);
}
