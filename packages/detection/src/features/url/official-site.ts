import type { BrandMatch } from './brand-use.ts';
import type { LinkAddress } from './link-address.ts';

/** Suffixes reserved for authorities: `gov`, `gov.uk`, `gouv.fr`, `gob.es`, and what they share, such as `service.gov.uk`. */
const GOVERNMENT = /(?:^|\.)(?:gov|gouv|gob)(?:\.[a-z]{2})?$/;
/** Companies on whose domains anyone can publish a page, a form, a file, a group or a redirect. */
export const OPEN_TO_ALL: ReadonlySet<string> = new Set(
  (
    'google gmail facebook messenger meta instagram whatsapp telegram signal viber linkedin snapchat twitter youtube tiktok ' +
    'pinterest reddit discord twitch github gitlab adobe microsoft office365 outlook onedrive sharepoint hotmail dropbox ' +
    'docusign wetransfer notion canva airtable trello atlassian wix squarespace shopify wordpress godaddy mailchimp ' +
    'salesforce eventbrite strava zoom slack yahoo aol protonmail mailru yandex steam steamcommunity roblox amazonaws'
  ).split(' '),
);
/** A shorter name often belongs to someone else. */
const MIN_NAME = 3;

/** The owner of every site of an authority. */
const AUTHORITY = 'authority';

/**
 * Returns the name of the well-known company, or `authority`, to whose site a link leads; undefined for other links,
 * and for sites on which everyone can publish.
 */
export function ownerOfSite(address: LinkAddress, { use, brand }: BrandMatch): string | undefined {
  const { hosting, userinfo, port, disguised, ip } = address;
  if (hosting !== undefined || userinfo || port || disguised || ip) return undefined;
  const isOwn = use === 'own' && brand !== undefined && brand.name.length >= MIN_NAME;
  if (isOwn && !OPEN_TO_ALL.has(brand.name)) return brand.name;
  return isAuthority(address) ? AUTHORITY : undefined;
}

/** Returns whether only authorities can register names under the suffix of an address. */
export function isAuthority({ suffix }: LinkAddress): boolean {
  return GOVERNMENT.test(suffix);
}
