import type { Page } from '../kit/index.ts';

/** Loads the code of pages while the browser is idle, so that each opens without waiting for the network. */
export function preloadPages(pages: readonly Page[]): void {
  const [next, ...others] = pages;
  if (!next) return;
  const load = () =>
    void next.load().then(
      () => preloadPages(others),
      () => {},
    );
  // Safari has no idle callbacks.
  if ('requestIdleCallback' in window) requestIdleCallback(load);
  else setTimeout(load, 200);
}
