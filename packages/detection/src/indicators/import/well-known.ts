import { isNamedAfter } from '../../features/url/brand-use.ts';
import { isClickHost } from '../../features/url/click-hosts.ts';
import { parseLinkAddress } from '../../features/url/link-address.ts';
import { listedOwner } from '../../features/url/listed-owner.ts';
import { OPEN_TO_ALL } from '../../features/url/official-site.ts';
import { suffixGroup } from '../../features/url/suffix-groups.ts';
import { findHosting } from '../../lexicon/hosting-services.ts';
import type { IndicatorType } from '../indicator.ts';
import { WELL_KNOWN_HOSTS } from './well-known-hosts.ts';

/** Public name servers, by the documentation of their operators. */
const NAME_SERVERS = new Set(
  (
    '8.8.8.8 8.8.4.4 1.1.1.1 1.0.0.1 1.1.1.2 1.0.0.2 1.1.1.3 1.0.0.3 9.9.9.9 9.9.9.10 9.9.9.11 149.112.112.112 149.112.112.10 149.112.112.11 208.67.222.222 208.67.220.220 ' +
    '94.140.14.14 94.140.15.15 76.76.2.0 76.76.10.0 185.228.168.9 185.228.169.9 4.2.2.1 4.2.2.2 64.6.64.6 64.6.65.6 77.88.8.8 77.88.8.1 114.114.114.114 223.5.5.5 ' +
    '2001:4860:4860::8888 2001:4860:4860::8844 2606:4700:4700::1111 2606:4700:4700::1001 2620:fe::fe 2620:fe::9 2620:119:35::35 2a10:50c0::ad1:ff'
  ).split(' '),
);

/**
 * Returns whether a canonical value names a whole site that people use every day. Lists contain such sites by mistake, for
 * instance because a malicious program looks them up, and each of them would be blocked everywhere.
 */
export function isWellKnown(type: IndicatorType, value: string): boolean {
  if (type === 'domain') return isWellKnownHost(value);
  return type === 'url' && value.endsWith('/') && isWellKnownHost(value.slice(0, -1));
}

function isWellKnownHost(written: string): boolean {
  const host = written.replace(/^www\./, '');
  if (NAME_SERVERS.has(host) || WELL_KNOWN_HOSTS.has(host) || isClickHost(host)) return true;
  if (findHosting(host) !== undefined) return false;
  const address = parseLinkAddress(host);
  if (address === undefined || address.disguised) return false;
  const named = suffixGroup(address.suffix) === 'technical' ? undefined : isNamedAfter(address);
  const owner = listedOwner(address) ?? named;
  if (owner !== undefined && (!OPEN_TO_ALL.has(owner.name) || address.subdomains === '')) return true;
  return address.hosting === undefined && WELL_KNOWN_HOSTS.has(address.site) && isWholeService(address.site);
}

/** On these sites a subdomain is a part of the service, not the site of a customer. */
function isWholeService(site: string): boolean {
  return /^(?:microsoft|microsoftonline|office|office365|windowsupdate|live|msn|bing)\.(?:com|net)$/.test(
    site,
  );
}
