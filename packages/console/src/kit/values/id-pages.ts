import type { ID_PREFIXES } from '@tps/contract/vocabulary';

type IdPrefix = (typeof ID_PREFIXES)[keyof typeof ID_PREFIXES];

/** The page of each kind of object, by the prefix of its ids. Ids of other kinds have no page. */
const PAGES_BY_PREFIX: Partial<Record<IdPrefix, string>> = {
  evt: '/events',
  dev: '/devices',
  inc: '/incidents',
  alr: '/alerts',
  thr: '/threats',
  job: '/jobs',
  pol: '/policies',
  whk: '/webhooks',
  nch: '/notice-channels',
  tok: '/keys',
  cli: '/oauth-clients',
  acc: '/members',
  drq: '/data-requests',
};

/** Returns the path of the page of an object, such as `/incidents/inc_1`; undefined for ids without a page. */
export function pageOfId(id: string): string | undefined {
  const [prefix = ''] = id.split('_', 1);
  const list = Object.hasOwn(PAGES_BY_PREFIX, prefix) ? PAGES_BY_PREFIX[prefix as IdPrefix] : undefined;
  return list === undefined ? undefined : `${list}/${encodeURIComponent(id)}`;
}
