import type { Page } from '../kit/index.ts';
import { loadPage } from './load-page.ts';
import { whenIdle } from './when-idle.ts';

/** Loads the code of pages while the browser is idle, so that each opens without waiting for the network. */
export function preloadPages(pages: readonly Page[]): void {
  const [next, ...others] = pages;
  if (!next) return;
  const load = () =>
    void loadPage(next).then(
      () => preloadPages(others),
      () => {},
    );
  whenIdle(load);
}
