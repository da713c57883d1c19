import { isMessenger, isShortener } from '../../lexicon/hosting-services.ts';
import type { LinkTrait } from '../../wording/clause.ts';
import { isCounterfeit } from './brand-use.ts';
import type { LinkAddress } from './link-address.ts';
import { suffixGroup } from './suffix-groups.ts';
import { TRAITS, type Trait, type UrlTraits } from './url-traits.ts';

const AT = new Map(TRAITS.map((trait, at) => [trait, at]));
const BRAND_REASONS = {
  odd_suffix: 'brand_odd_suffix',
  in_name: 'brand_in_name',
  inside: 'brand_in_name',
  in_subdomain: 'brand_in_subdomain',
  look_alike: 'brand_look_alike',
  look_alike_start: 'brand_look_alike',
  in_path: 'brand_in_path',
} as const;
const MANY_LABELS = 3;
const MANY_HYPHENS = 3;

/**
 * Returns what is typical of phishing in a link, the strongest first. The traits do not change the score.
 */
export function explainUrl(address: LinkAddress, { values, brand }: UrlTraits): LinkTrait[] {
  const value = (trait: Trait) => values[AT.get(trait) as number] as number;
  const { use } = brand;
  const namesBrand = use !== 'none' && use !== 'own';
  // The evidence of the finding says this already.
  const counterfeit = isCounterfeit(address, brand);
  const group = suffixGroup(address.suffix);
  const cues: [boolean, LinkTrait][] = [
    [address.disguised && !counterfeit, 'look_alike_letters'],
    [address.userinfo, 'user_name'],
    [address.ip, 'ip_address'],
    ...(namesBrand && !counterfeit ? [[true, BRAND_REASONS[use]] as [boolean, LinkTrait]] : []),
    [isShortener(address.site) || isShortener(address.host), 'short_link'],
    [isMessenger(address.site), 'messenger'],
    [address.hosting !== undefined, 'open_hosting'],
    [value('hosted_document') > 0, 'hosted_document'],
    [group === 'cheap' || group === 'free', 'scam_suffix'],
    [value('host_credential') > 0 || value('path_credential') > 0, 'says_sign_in'],
    [value('host_urgency') > 0, 'says_urgency'],
    [value('host_money') > 0, 'says_money'],
    [value('host_parcel') > 0, 'says_parcel'],
    [value('mail_address') > 0, 'mail_address'],
    [value('content_system') > 0 && value('ending') > 0, 'odd_folder'],
    [value('subdomains') >= MANY_LABELS, 'many_parts'],
    [value('host_hyphens') >= MANY_HYPHENS, 'many_words'],
    [address.port, 'port'],
  ];
  return cues.filter(([holds]) => holds).map(([, trait]) => trait);
}
