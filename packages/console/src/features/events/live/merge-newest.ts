import type { Event } from '@tps/client';

interface MergedEvents {
  readonly items: readonly Event[];
  /** Whether the page reaches the known events. If not, these are left out: there may be others between. */
  readonly isGapless: boolean;
}

/** Puts the newest page before the older events that are known. Both are newest first. */
export function mergeNewest(known: readonly Event[], page: readonly Event[]): MergedEvents {
  const inPage = new Set(page.map(({ event_id }) => event_id));
  const last = known.findLastIndex(({ event_id }) => inPage.has(event_id));
  if (last < 0) return { items: page, isGapless: false };
  return { items: [...page, ...known.slice(last + 1)], isGapless: true };
}
