import { parse } from 'tldts';
import { isInternal, toWebUrl } from './link-address.ts';
import { whyReserved } from './reserved-names.ts';

/** Returns a clause on why `parseLinkAddress` cannot place a link on the internet. It never repeats the link. */
export function whyUnjudged(link: string): string {
  if (link.trim() === '') return 'it is not the URL of a web page';
  const url = toWebUrl(link);
  if (!url) return 'it does not open a web page';
  const host = url.hostname.replace(/\.$/, '');
  if (host === 'localhost' || host.endsWith('.localhost')) return 'the link leads to the device itself';
  if (parse(host, { extractHostname: false }).isIp || isInternal(host)) {
    return 'the link leads to an address in the network of the device, whose pages the model does not know';
  }
  if (!host.includes('.')) return 'a host name without a dot exists only in a local network';
  return (
    whyReserved(host) ?? 'its host name ends in no public suffix, so it leads to no page on the internet'
  );
}
