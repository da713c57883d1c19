import type { Page } from '@tps/client';

interface Merge<Item> {
  /** What the reader sees of the page. */
  readonly known: readonly Item[];
  /** What the same request returns now. */
  readonly fetched: Page<Item>;
  readonly idOf: (item: Item) => string;
}

/**
 * Updates a page without moving it under the reader. Items that changed are replaced in place, those that no longer match
 * are removed, and new ones are left out. An item has left if the new answer passes over its place.
 */
export function mergePage<Item>({ known, fetched, idOf }: Merge<Item>): readonly Item[] {
  const byId = new Map(fetched.data.map((item) => [idOf(item), item]));
  const last = known.findLastIndex((item) => byId.has(idOf(item)));
  const end = fetched.has_more ? last : known.length;
  return known.flatMap((item, index) => {
    const now = byId.get(idOf(item));
    if (now !== undefined) return [now];
    return index < end ? [] : [item];
  });
}
