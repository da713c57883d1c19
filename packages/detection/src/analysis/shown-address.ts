import { findBrandInHost } from '../features/url/brand-use.ts';
import { leadsElsewhere } from '../features/url/click-hosts.ts';
import { followLink } from '../features/url/follow-link.ts';
import { type LinkAddress, parseLinkAddress } from '../features/url/link-address.ts';
import { isAuthority, OPEN_TO_ALL } from '../features/url/official-site.ts';
import { registeredDomain } from '../indicators/canonical-value.ts';
import { toUrl } from '../normalize/to-url.ts';

/** The signs of a link that displays another address: of a company or authority, or of any other domain. */
export type ShownSign = 'owner_shown' | 'other_domain_shown';

/** Of the text of a link, as a person reads it. */
export const MAX_SHOWN_LENGTH = 200;
const SHOWN =
  /^[\s"'<(«„“]{0,4}((?:https?:\/\/)?(?:[\p{L}\p{N}-]{1,63}\.){1,6}\p{L}{2,24}(?::\d{1,5})?(?:[/?#]\S*)?)[\s"'>).»“”]{0,4}$/iu;
/** Pages of profiles, videos and groups, which newsletters display and count clicks to. */
const SIGN_IN = /^$|log-?in|sign-?in|account|konto|compte|cuenta|verif|secur|auth|password|payment/i;

/**
 * Compares the address that a link displays with the one to which it leads. A link that displays the site of a
 * well-known company or an authority and leads elsewhere is made to deceive.
 */
export function compareShown(shown: string, href: string): ShownSign | undefined {
  const written = SHOWN.exec(shown.slice(0, MAX_SHOWN_LENGTH).trim())?.[1];
  if (written === undefined || !/^(?:https?:|\/\/)/i.test(href)) return undefined;
  const displayed = parseLinkAddress(written);
  const linked = parseLinkAddress(href.slice(0, 2048));
  if (displayed === undefined || domainOf(written) === domainOf(href)) return undefined;
  const owner = ownerOf(displayed);
  if (owner === undefined) return 'other_domain_shown';
  const isHome = [href, ...followedBy(href, linked)].some((link) => isOf(owner, parseLinkAddress(link)));
  if (isHome) return undefined;
  const isWrapped = linked !== undefined && leadsElsewhere(linked.host);
  const isProfile = OPEN_TO_ALL.has(owner.name) && !SIGN_IN.test(displayed.path);
  return isWrapped || isProfile ? 'other_domain_shown' : 'owner_shown';
}

/** Only a known service is believed that it leads to the address in its link. */
function followedBy(href: string, linked: LinkAddress | undefined): readonly string[] {
  return linked && leadsElsewhere(linked.host) ? followLink(href).links : [];
}

interface Owner {
  readonly name: string;
  readonly owns: ReadonlySet<string>;
}

const AUTHORITIES: Owner = { name: 'authority', owns: new Set(['authority']) };

function ownerOf(address: LinkAddress): Owner | undefined {
  if (address.userinfo || address.ip || address.disguised) return undefined;
  if (isAuthority(address)) return AUTHORITIES;
  const match = findBrandInHost(address);
  return match?.use === 'own' ? match.brand : undefined;
}

/** One company may be listed under several names, such as those of its products. */
function isOf(owner: Owner, address: LinkAddress | undefined): boolean {
  const other = address && ownerOf(address);
  return other !== undefined && [...other.owns].some((name) => owner.owns.has(name));
}

function domainOf(written: string): string | undefined {
  const host = toUrl(
    /^https?:/i.test(written) ? written : `https://${written.replace(/^\/+/, '')}`,
  )?.hostname;
  return host === undefined ? undefined : (registeredDomain(host) ?? host);
}
