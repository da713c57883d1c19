import type { Page } from '../kit/index.ts';

/** Loads the code of a page, and the style sheets that the first load leaves out. The overview needs none of these. */
export async function loadPage({ path, load }: Page): ReturnType<Page['load']> {
  if (path === '/') return load();
  const [code] = await Promise.all([load(), import('./mantine-more.css')]);
  return code;
}
