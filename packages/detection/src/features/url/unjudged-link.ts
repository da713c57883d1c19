import { parse } from 'tldts';
import type { Clause } from '../../wording/clause.ts';
import { isInternal, toWebUrl } from './link-address.ts';
import { whyReserved } from './reserved-names.ts';

/** Returns a clause on why `parseLinkAddress` cannot place a link on the internet. It never repeats the link. */
export function whyUnjudged(link: string): Clause {
  if (link.trim() === '') return { code: 'empty_link' };
  const url = toWebUrl(link);
  if (!url) return { code: 'no_page' };
  const host = url.hostname.replace(/\.$/, '');
  if (host === 'localhost' || host.endsWith('.localhost')) return { code: 'device_itself' };
  if (parse(host, { extractHostname: false }).isIp || isInternal(host)) {
    return { code: 'local_address' };
  }
  if (!host.includes('.')) return { code: 'no_dot' };
  return whyReserved(host) ?? { code: 'no_public_suffix' };
}
