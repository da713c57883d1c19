import type { BrandMatch } from './brand-use.ts';
import type { LinkAddress } from './link-address.ts';

/** Registered for authorities only: `gov`, `gov.uk`, `gouv.fr`, `gob.es`. */
const GOVERNMENT = /^(?:gov|gouv|gob)(?:\.[a-z]{2})?$/;
/** Companies under whose names anybody can put a page, a form, a file, a group or a way on to elsewhere. */
const OF_EVERYBODY = new Set(
  (
    'google gmail facebook messenger meta instagram whatsapp telegram signal viber linkedin snapchat twitter youtube tiktok ' +
    'pinterest reddit discord twitch github gitlab adobe microsoft office365 outlook onedrive sharepoint hotmail dropbox ' +
    'docusign wetransfer notion canva airtable trello atlassian wix squarespace shopify wordpress godaddy mailchimp ' +
    'salesforce eventbrite strava zoom slack yahoo aol protonmail mailru yandex steam steamcommunity roblox amazonaws'
  ).split(' '),
);
/** Shorter names are somebody else's as often as not. */
const MIN_NAME = 3;

/** Whether a link leads to the site of a well-known company or of a government, where not everybody can put a page. */
export function isOfficialSite(address: LinkAddress, { use, brand }: BrandMatch): boolean {
  const { hosting, userinfo, port, disguised, ip, suffix } = address;
  if (hosting !== undefined || userinfo || port || disguised || ip) return false;
  if (GOVERNMENT.test(suffix)) return true;
  return (
    use === 'own' && brand !== undefined && brand.name.length >= MIN_NAME && !OF_EVERYBODY.has(brand.name)
  );
}
