import type { ComponentType } from 'react';
import type { Page } from '../kit/index.ts';

/** Loads the code of a page, and the style sheets that the first load leaves out. The overview needs none of these. */
export async function loadPage({ path, load }: Page): Promise<{ readonly Page: ComponentType }> {
  if (path === '/') return { Page: await load() };
  const [Page] = await Promise.all([load(), import('./mantine-more.css')]);
  return { Page };
}
