import { GIVEN_NAMES } from '../../lexicon/given-names.ts';
import { HOSTING_KINDS, isHostedDocument, isShortener } from '../../lexicon/hosting-services.ts';
import { BRAND_USES, type BrandMatch, findBrandInHost, findBrandInPath } from './brand-use.ts';
import { letterOddity } from './letter-oddity.ts';
import type { LinkAddress } from './link-address.ts';
import { SUFFIX_GROUPS, suffixGroup } from './suffix-groups.ts';
import { groupsInside, wordGroup } from './url-words.ts';

/** General knowledge about a link, as numbers. The order is part of a model. */
export const TRAITS = [
  'suffix_group',
  'hosting',
  'brand',
  'ip',
  'port',
  'userinfo',
  'disguised',
  'shortener',
  'hosted_document',
  'host_length',
  'name_length',
  'subdomains',
  'host_hyphens',
  'host_digits',
  'digit_run',
  'consonant_run',
  'name_vowels',
  'name_entropy',
  'name_oddity',
  'subdomain_oddity',
  'suffix_inside',
  'repeated_letter',
  'subdomain_length',
  'host_words',
  'person',
  'personal_word',
  'bare',
  'path_depth',
  'path_length',
  'query_length',
  'parameters',
  'longest_part',
  'path_digits',
  'path_upper',
  'random_part',
  'path_oddity',
  'code_part',
  'guid',
  'slug_words',
  'escapes',
  'hex_run',
  'mail_address',
  'link_inside',
  'dated',
  'ending',
  'content_system',
  'front_page',
  'tilde',
  'host_credential',
  'host_account',
  'host_urgency',
  'host_money',
  'host_parcel',
  'host_lure',
  'host_help',
  'host_document',
  'host_site',
  'host_clone',
  'path_credential',
  'path_account',
  'path_urgency',
  'path_money',
  'path_parcel',
  'path_lure',
  'path_help',
  'path_document',
  'path_site',
  'path_clone',
] as const;
export type Trait = (typeof TRAITS)[number];

const AT = Object.fromEntries(TRAITS.map((trait, at) => [trait, at])) as Readonly<Record<Trait, number>>;
const ENDINGS = [
  /\.php\d?$/i,
  /\.html?$/i,
  /\.(?:aspx?|jspx?|cgi|cfm|do|pl)$/i,
  /\.(?:pdf|docx?|xlsx?|pptx?|jpe?g|png|gif|svg|css|js|xml|rss|json|md|txt)$/i,
  /\.(?:zip|exe|apk|rar|7z|msi|dmg|jar|iso|tgz|gz|mp[34])$/i,
];

const GUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/i;
const PERSONAL =
  /(?:^|[-.\d])(?:my|iam|the)?(?:portfolio|resume|cv|folio|blog|dev|codes?)|(?:portfolio|folio|resume|dev|blog|codes)(?:$|[-.\d])/;

export interface UrlTraits {
  readonly values: Float32Array;
  readonly brand: BrandMatch;
}

/** What the views of a link have in common. */
export interface HostTraits {
  readonly values: Float32Array;
  readonly brand: BrandMatch | undefined;
}

/** Computes the traits of a link. */
export function toUrlTraits(address: LinkAddress, host = toHostTraits(address)): UrlTraits {
  const values = Float32Array.from(host.values);
  const set = setterOf(values);
  const brand = host.brand ?? findBrandInPath(address);
  set('brand', BRAND_USES.indexOf(brand.use));
  set('hosted_document', isHostedDocument(address.host, `/${address.path}`));
  readPath(address, set);
  countWords(values, AT.path_credential, `${address.path}?${address.query}`.slice(0, 300), false);
  return { values, brand };
}

/** Computes the traits that a link has by its host. */
export function toHostTraits(address: LinkAddress): HostTraits {
  const values = new Float32Array(TRAITS.length);
  const set = setterOf(values);
  set('suffix_group', SUFFIX_GROUPS.indexOf(suffixGroup(address.suffix)));
  set('hosting', address.hosting === undefined ? 0 : 1 + HOSTING_KINDS.indexOf(address.hosting));
  set('ip', address.ip);
  set('port', address.port);
  set('userinfo', address.userinfo);
  set('disguised', address.disguised);
  set('shortener', isShortener(address.site) || isShortener(address.host));
  readHost(address, set);
  countWords(values, AT.host_credential, `${address.subdomains}.${address.name}`, true);
  return { values, brand: findBrandInHost(address) };
}

function setterOf(values: Float32Array): SetTrait {
  return (trait, value) => {
    values[AT[trait]] = Number(value);
  };
}

type SetTrait = (trait: Trait, value: number | boolean) => void;

function readHost({ host, name, subdomains }: LinkAddress, set: SetTrait): void {
  const labels = subdomains === '' ? name : `${subdomains}.${name}`;
  set('host_length', labels.length);
  set('name_length', name.length);
  set('subdomain_length', subdomains.length);
  set('subdomains', subdomains === '' ? 0 : subdomains.split('.').length);
  set('host_hyphens', count(labels, /-/g));
  set('host_digits', count(labels, /\d/g));
  set('digit_run', longest(labels, /\d+/g));
  set('consonant_run', longest(labels, /[bcdfghjklmnpqrstvwxz]+/g));
  set('name_vowels', name === '' ? 0 : count(name, /[aeiouy]/g) / name.length);
  set('name_entropy', entropy(name));
  set('name_oddity', letterOddity(name, 3));
  set('subdomain_oddity', letterOddity(subdomains, 3));
  set(
    'suffix_inside',
    /(?:^|[.-])(?:com|net|org|gov|co|www|http|https|html)(?=[.-])/.test(`${subdomains}.`) ||
      /-(?:com|net|org|gov)$|^(?:www|com|http|https)-/.test(name) ||
      /\.(?:com|net|org)\.(?!com$)[a-z]{3,}$/.test(host),
  );
  set('repeated_letter', /([a-z])\1\1/.test(labels) ? 2 : /([a-z])\1/.test(name) ? 1 : 0);
  set('host_words', labels.split(/[.-]/).length);
  set('person', startsWithName(name));
  set('personal_word', PERSONAL.test(labels));
}

/** The longest given name at the start of a label, if it is not part of an ordinary word. */
function startsWithName(label: string): number {
  const letters = /^[a-z]*/.exec(label)?.[0] ?? '';
  for (let length = Math.min(letters.length, 12); length >= 4; length -= 1) {
    if (GIVEN_NAMES.has(letters.slice(0, length))) return length === letters.length ? 2 : 1;
  }
  return 0;
}

function readPath({ path, query }: LinkAddress, set: SetTrait): void {
  const whole = query === '' ? path : `${path}?${query}`;
  const parts = path === '' ? [] : path.split('/');
  const last = parts.at(-1) ?? '';
  set('bare', whole === '');
  set('path_depth', parts.length);
  set('path_length', path.length);
  set('query_length', query.length);
  set('parameters', query === '' ? 0 : query.split('&').length);
  set('longest_part', longest(whole, /[^/?&=._-]+/g));
  set('path_digits', whole === '' ? 0 : count(whole, /\d/g) / whole.length);
  set('path_upper', whole === '' ? 0 : count(whole, /[A-Z]/g) / whole.length);
  set('random_part', parts.some(looksRandom) ? 1 : 0);
  set('path_oddity', letterOddity(whole, 5));
  set('code_part', parts.some(looksLikeCode));
  set('guid', GUID.test(whole));
  set('slug_words', Math.max(0, ...parts.map((part) => count(part, /[a-z]{2,}(?=[-_]|$)/gi))));
  set('escapes', count(whole, /%[0-9a-f]{2}/gi));
  set('hex_run', longest(whole, /[0-9a-f]{8,}/gi));
  set('mail_address', /[^\s/@]@[a-z0-9-]+\.[a-z]/i.test(whole));
  set('link_inside', /https?(?::|%3a)/i.test(whole));
  set('dated', /(?:^|[/_-])(?:19|20)\d\d[/_-](?:0?[1-9]|1[0-2])(?:[/_-]|$)/.test(whole));
  set('ending', 1 + ENDINGS.findIndex((ending) => ending.test(last)));
  set(
    'content_system',
    /(?:^|\/)(?:wp-(?:content|includes|admin)|\.well-known|cgi-bin|includes|plugins|components|vendor)(?:\/|$)/.test(
      path,
    ),
  );
  set(
    'front_page',
    /(?:^|\/)(?:index|home|default|main|login|signin|page|verify|start)\d*\.[a-z]{3,5}$/i.test(path),
  );
  set('tilde', path.startsWith('~') || path.includes('/~'));
}

function countWords(values: Float32Array, from: number, written: string, inside: boolean): void {
  for (const run of written.toLowerCase().split(/[^a-z]+/)) {
    if (run.length < 2) continue;
    const group = wordGroup(run);
    if (group !== undefined) values[from + group] = (values[from + group] as number) + 1;
    else if (inside)
      groupsInside(run, (each) => {
        values[from + each] = (values[from + each] as number) + 1;
      });
  }
}

/** Returns whether a part has only letters, in a case that words do not have, such as `QCQQCPYB` or `khFoViicf`. */
function looksLikeCode(part: string): boolean {
  return /^[A-Z]{6,12}$/.test(part) || (/^[a-zA-Z]{6,16}$/.test(part) && count(part, /[a-z][A-Z]/g) >= 2);
}

function looksRandom(part: string): boolean {
  return (
    part.length >= 6 &&
    !part.includes('-') &&
    /\d/.test(part) &&
    (/[a-z]/.test(part) ? /[A-Z]/.test(part) || count(part, /\d[a-z]|[a-z]\d/g) >= 3 : /[A-Z]/.test(part))
  );
}

function count(text: string, pattern: RegExp): number {
  let found = 0;
  for (pattern.lastIndex = 0; pattern.test(text); ) found += 1;
  return found;
}

function longest(text: string, pattern: RegExp): number {
  let max = 0;
  pattern.lastIndex = 0;
  for (let match = pattern.exec(text); match; match = pattern.exec(text))
    max = Math.max(max, match[0].length);
  return max;
}

/** Bits per letter (Shannon). */
function entropy(text: string): number {
  const counts = new Map<string, number>();
  for (const letter of text) counts.set(letter, (counts.get(letter) ?? 0) + 1);
  let bits = 0;
  for (const each of counts.values()) bits -= (each / text.length) * Math.log2(each / text.length);
  return bits;
}
