import { parseUrl, registeredDomain } from '../../indicators/canonical.ts';

const SHOWN_DOMAIN = /^\s*(?:https?:\/\/)?((?:[a-z0-9-]{1,63}\.){1,6}[a-z]{2,24})(?:[/?#:]\S*)?\s*$/i;

/** Whether a link shows one domain and leads to another. */
export function showsAnotherDomain(shown: string, href: string): boolean {
  const named = SHOWN_DOMAIN.exec(shown)?.[1]?.toLowerCase();
  if (named === undefined || !/^https?:/i.test(href)) return false;
  const shownDomain = registeredDomain(named);
  const host = parseUrl(href.slice(0, 2048))?.host;
  const linked = host === undefined ? undefined : (registeredDomain(host) ?? host);
  return shownDomain !== undefined && linked !== undefined && shownDomain !== linked;
}
