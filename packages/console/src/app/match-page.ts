import type { Page } from '../kit/index.ts';

/** Returns the page at a path below the tenant, such as `/incidents/inc_1`, before the router is loaded. */
export function matchPage(pages: readonly Page[], path: string): Page | undefined {
  const segments = toSegments(path);
  const isAt = (page: Page) => {
    const pattern = toSegments(page.path);
    return (
      pattern.length === segments.length &&
      pattern.every((part, index) => part.startsWith('$') || part === segments[index])
    );
  };
  // A fixed path before one with a parameter.
  return pages.filter(isAt).sort((one, other) => countParameters(one) - countParameters(other))[0];
}

function toSegments(path: string): string[] {
  return path.split('/').filter((segment) => segment !== '');
}

function countParameters({ path }: Page): number {
  return toSegments(path).filter((segment) => segment.startsWith('$')).length;
}
