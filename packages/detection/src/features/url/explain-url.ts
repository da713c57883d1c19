import { isMessenger, isShortener } from '../../lexicon/hosting-services.ts';
import { isCounterfeit } from './brand-use.ts';
import type { LinkAddress } from './link-address.ts';
import { suffixGroup } from './suffix-groups.ts';
import { TRAITS, type Trait, type UrlTraits } from './url-traits.ts';

const AT = new Map(TRAITS.map((trait, at) => [trait, at]));
const BRAND_REASONS = {
  odd_suffix: 'it uses the name of a well-known brand under a suffix that the brand does not use',
  in_name: 'it names a well-known brand in a domain that does not belong to the brand',
  inside: 'it names a well-known brand in a domain that does not belong to the brand',
  in_subdomain: 'it puts a well-known brand before a domain that does not belong to the brand',
  look_alike: 'its domain resembles the name of a well-known brand',
  look_alike_start: 'its domain resembles the name of a well-known brand',
  in_path: 'it names a well-known brand in the path of another domain',
} as const;
const MANY_LABELS = 3;
const MANY_HYPHENS = 3;

/**
 * Returns what is typical of phishing in a link, the strongest first. The reasons do not change the score.
 */
export function explainUrl(address: LinkAddress, { values, brand }: UrlTraits): string[] {
  const value = (trait: Trait) => values[AT.get(trait) as number] as number;
  const { use } = brand;
  const namesBrand = use !== 'none' && use !== 'own';
  // The evidence of the finding says this already.
  const counterfeit = isCounterfeit(address, brand);
  const group = suffixGroup(address.suffix);
  const cues: [boolean, string][] = [
    [
      address.disguised && !counterfeit,
      'its domain contains letters of another script that imitate Latin ones',
    ],
    [address.userinfo, 'it hides its domain behind a user name'],
    [address.ip, 'it leads to an IP address instead of a domain'],
    ...(namesBrand && !counterfeit ? [[true, BRAND_REASONS[use]] as [boolean, string]] : []),
    [isShortener(address.site) || isShortener(address.host), 'it is a short link that hides its destination'],
    [isMessenger(address.site), 'it opens a chat in a messenger'],
    [address.hosting !== undefined, 'it is on hosting on which anyone can publish'],
    [value('hosted_document') > 0, 'it is a page that anyone can create at a large provider'],
    [group === 'cheap' || group === 'free', 'its domain has a suffix that scams often use'],
    [
      value('host_credential') > 0 || value('path_credential') > 0,
      'it mentions a sign-in or a check of identity',
    ],
    [value('host_urgency') > 0, 'its domain mentions security or urgency'],
    [value('host_money') > 0, 'its domain mentions money'],
    [value('host_parcel') > 0, 'its domain mentions a parcel or a fee'],
    [value('mail_address') > 0, 'it contains a mail address'],
    [
      value('content_system') > 0 && value('ending') > 0,
      'it is in a folder of a site that should not contain pages',
    ],
    [value('subdomains') >= MANY_LABELS, 'its domain has many parts'],
    [value('host_hyphens') >= MANY_HYPHENS, 'its domain consists of many words'],
    [address.port, 'it specifies a port'],
  ];
  return cues.filter(([holds]) => holds).map(([, words]) => words);
}
