import type { LinkAddress } from './link-address.ts';

/**
 * Returns the addresses by which a link is scored: the whole, without its query, and its host alone. The highest
 * score counts, so that a harmless query or path cannot lower it.
 */
export function toLinkViews(address: LinkAddress): LinkAddress[] {
  const views = [address];
  if (address.query !== '') views.push({ ...address, query: '' });
  if (address.path !== '') views.push({ ...address, path: '', query: '' });
  return views;
}
