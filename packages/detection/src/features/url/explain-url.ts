import { isShortener } from '../../lexicon/hosting-services.ts';
import { isCounterfeit } from './brand-use.ts';
import type { LinkAddress } from './link-address.ts';
import { suffixGroup } from './suffix-groups.ts';
import { TRAITS, type Trait, type UrlTraits } from './url-traits.ts';

const AT = new Map(TRAITS.map((trait, at) => [trait, at]));
const BRAND_REASONS = {
  odd_suffix: 'it has the very name of a well-known brand under an ending that brand does not use',
  in_name: "it names a well-known brand in a domain that is not that brand's",
  inside: "it names a well-known brand in a domain that is not that brand's",
  in_subdomain: "it puts a well-known brand before a domain that is not that brand's",
  look_alike: 'its domain nearly spells a well-known brand',
  look_alike_start: 'its domain nearly spells a well-known brand',
  in_path: "it names a well-known brand on somebody else's domain",
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
    [address.disguised && !counterfeit, 'its domain passes letters of another script off as Latin ones'],
    [address.userinfo, 'it hides its domain behind a user name'],
    [address.ip, 'it leads to a bare number instead of a domain'],
    ...(namesBrand && !counterfeit ? [[true, BRAND_REASONS[use]] as [boolean, string]] : []),
    [isShortener(address.site) || isShortener(address.host), 'it is shortened, so that its goal is hidden'],
    [address.hosting !== undefined, 'it stands on hosting that anybody can use without being known'],
    [value('hosted_document') > 0, 'it is a page that anybody can put up at a large provider'],
    [group === 'cheap' || group === 'free', 'its domain ends in one of the endings that scams often use'],
    [
      value('host_credential') > 0 || value('path_credential') > 0,
      'it asks for signing in or for proof of who one is',
    ],
    [value('host_urgency') > 0, 'its domain speaks of security or of haste'],
    [value('host_money') > 0, 'its domain speaks of money'],
    [value('host_parcel') > 0, 'its domain speaks of a parcel or a fee'],
    [value('mail_address') > 0, 'it carries a mail address'],
    [
      value('content_system') > 0 && value('ending') > 0,
      'it lies in a folder of a site where no pages belong',
    ],
    [value('subdomains') >= MANY_LABELS, 'its domain has many parts'],
    [value('host_hyphens') >= MANY_HYPHENS, 'its domain is joined of many words'],
    [address.port, 'it names a port of its own'],
  ];
  return cues.filter(([holds]) => holds).map(([, words]) => words);
}
