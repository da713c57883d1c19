import { BRANDS, type Brand } from './brands.ts';
import type { LinkAddress } from './link-address.ts';
import { listedOwner } from './listed-owner.ts';
import { isUsualForCompanies } from './suffix-groups.ts';
import { createWordIndex } from './word-index.ts';

/** How a host uses the name of a well-known company, from not at all to the boldest use. */
export const BRAND_USES = [
  'none',
  /** In a domain that belongs to the company. */
  'own',
  /** The exact name under a suffix that companies seldom use. */
  'odd_suffix',
  /** As one word of a longer name. */
  'in_name',
  /** Joined with other letters. */
  'inside',
  /** Before a domain that belongs to someone else. */
  'in_subdomain',
  /** Almost the name: one letter changed, or letters of another script. */
  'look_alike',
  /** Almost the name at the start of a longer word, on a host that anyone can register. */
  'look_alike_start',
  /** Only in the path. */
  'in_path',
] as const;
type BrandUse = (typeof BRAND_USES)[number];

export interface BrandMatch {
  readonly use: BrandUse;
  readonly brand: Brand | undefined;
  /** As written in the host, so that features can leave it out. */
  readonly written: string;
}

const NONE: BrandMatch = { use: 'none', brand: undefined, written: '' };
const BY_NAME: ReadonlyMap<string, Brand> = new Map(BRANDS.map((brand) => [brand.name, brand]));
const BY_OWN: ReadonlyMap<string, Brand> = new Map(
  BRANDS.flatMap((brand) => Array.from(brand.owns, (own) => [own, brand] as const)),
);
const INSIDE = BRANDS.filter(({ wholeWordOnly }) => !wholeWordOnly);
const INSIDE_INDEX = createWordIndex(INSIDE.map((brand) => [brand.name, brand]));
const MIN_LOOK_ALIKE = 6;
const NEAR = nearNames();
/** Words that are close to a company's name by chance. */
const NOT_MEANT = new Set(
  'finance financ leader leaders amazing amazin steamy reading google lender blender target linked notion signal stripes stripe airline mobile modern spring school strike discover discovery simple master coffee payday dropboxes parcel'.split(
    ' ',
  ),
);
const SEPARATORS = /[.\-_]+/;
const DIGITS_FOR_LETTERS: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'l',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '8': 'b',
  '9': 'g',
};

/** Finds the boldest use of a company's name. */
export function findBrand(address: LinkAddress): BrandMatch {
  return findBrandInHost(address) ?? findBrandInPath(address);
}

/** Finds the boldest use of a company's name in the host alone. */
export function findBrandInHost(address: LinkAddress): BrandMatch | undefined {
  const { name, subdomains, suffix, hosting, disguised, shown } = address;
  const listed = listedOwner(address);
  if (listed) return { use: 'own', brand: listed, written: name };
  if (hosting === undefined) {
    const owner = companyNamed(name);
    // No company writes its own name in letters of another script.
    if (owner && disguised && !shown.includes(name))
      return { use: 'look_alike', brand: owner, written: name };
    if (owner) {
      const use = isUsualForCompanies(suffix) ? 'own' : 'odd_suffix';
      return { use, brand: owner, written: name };
    }
  }
  return (
    matchWord(subdomains, 'in_subdomain', name) ??
    matchWord(name, 'in_name', name) ??
    matchInside(name, 'inside') ??
    matchInside(subdomains, 'in_subdomain') ??
    lookAlike(name) ??
    lookAlike(subdomains) ??
    (hosting === undefined ? undefined : lookAlikeStart(name))
  );
}

/** Returns the company after which a domain is named, if companies usually have such a suffix. */
export function isNamedAfter({ name, suffix, hosting, disguised }: LinkAddress): Brand | undefined {
  return hosting === undefined && !disguised && isUsualForCompanies(suffix) ? companyNamed(name) : undefined;
}

function companyNamed(name: string): Brand | undefined {
  return BY_NAME.get(name.replaceAll('-', '')) ?? BY_OWN.get(name);
}

/**
 * Returns whether the host contains the name of a company in letters of another script. This does not happen
 * by chance: all 14 such links that were measured are phishing.
 */
export function isCounterfeit(
  { disguised, shown }: LinkAddress,
  { brand, use, written }: BrandMatch,
): boolean {
  return disguised && brand !== undefined && use !== 'in_path' && !shown.includes(written);
}

function matchWord(labels: string, use: BrandUse, name: string): BrandMatch | undefined {
  if (labels === '') return undefined;
  const joined = labels.replaceAll('-', '');
  const whole = BY_NAME.get(joined);
  if (whole) return { use, brand: whole, written: labels };
  for (const word of labels.split(SEPARATORS)) {
    const brand = BY_NAME.get(word);
    if (brand && !brand.owns.has(name)) return { use, brand, written: word };
  }
  return undefined;
}

function matchInside(labels: string, use: BrandUse): BrandMatch | undefined {
  const brand = brandInside(labels);
  return brand && { use, brand, written: brand.name };
}

/** The longest name inside, since one name may be the start of another. */
function brandInside(labels: string): Brand | undefined {
  let longest: Brand | undefined;
  INSIDE_INDEX.forEachIn(labels, (brand) => {
    if (brand.name.length > (longest?.name.length ?? 0)) longest = brand;
  });
  return longest;
}

/** Finds a company's name in the path, for a host without any. */
export function findBrandInPath({ path, name }: LinkAddress): BrandMatch {
  if (path === '') return NONE;
  const lower = path.toLowerCase().slice(0, 200);
  for (const word of lower.split(/[^a-z0-9]+/)) {
    const brand = BY_NAME.get(word);
    if (brand && (!brand.wholeWordOnly || word.length > 3) && !brand.owns.has(name))
      return { use: 'in_path', brand, written: '' };
  }
  return NONE;
}

function lookAlike(labels: string): BrandMatch | undefined {
  if (labels.length < MIN_LOOK_ALIKE) return undefined;
  for (const word of labels.split(SEPARATORS)) {
    if (word.length < MIN_LOOK_ALIKE - 1 || word.length > 20 || NOT_MEANT.has(word)) continue;
    const plain = unmaskDigits(word);
    const brand = nearest(plain) ?? (plain === word ? undefined : (BY_NAME.get(plain) ?? brandInside(plain)));
    if (brand && brand.name !== word) return { use: 'look_alike', brand, written: word };
  }
  return undefined;
}

function lookAlikeStart(labels: string): BrandMatch | undefined {
  for (const written of labels.split(SEPARATORS)) {
    const word = unmaskDigits(written).replace(/([a-z])\1+/g, '$1');
    for (let length = MIN_LOOK_ALIKE; length < Math.min(word.length, 13); length += 1) {
      const start = word.slice(0, length);
      const brand = NOT_MEANT.has(start) ? undefined : nearest(start);
      if (brand) return { use: 'look_alike_start', brand, written: start };
    }
  }
  return undefined;
}

function unmaskDigits(word: string): string {
  return word
    .replace(/[0134578]/g, (digit) => DIGITS_FOR_LETTERS[digit] ?? digit)
    .replaceAll('rn', 'm')
    .replaceAll('vv', 'w');
}

function nearest(word: string): Brand | undefined {
  const exact = NEAR.get(word);
  if (exact) return exact;
  for (let at = 0; at < word.length; at += 1) {
    const brand = NEAR.get(word.slice(0, at) + word.slice(at + 1));
    if (brand && Math.abs(brand.name.length - word.length) <= 1) return brand;
  }
  return undefined;
}

/** Names, and names with one letter left out: two words that differ in one letter share one of these. */
function nearNames(): ReadonlyMap<string, Brand> {
  const near = new Map<string, Brand>();
  for (const brand of INSIDE) {
    const { name } = brand;
    if (name.length < MIN_LOOK_ALIKE) continue;
    near.set(name, brand);
    for (let at = 0; at < name.length; at += 1) near.set(name.slice(0, at) + name.slice(at + 1), brand);
  }
  return near;
}
