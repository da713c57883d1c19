import type { FeatureList } from '../feature-list.ts';
import { hashSlice, hashText, joinHashes } from '../hash.ts';
import type { BrandMatch } from './brand-use.ts';
import type { LinkAddress } from './link-address.ts';
import { TRAITS, type UrlTraits } from './url-traits.ts';

/** Seeds that separate the same letters by their place in the link. */
const SEED = {
  name: 11,
  subdomains: 12,
  path: 13,
  suffix: 14,
  hosting: 15,
  trait: 16,
  shape: 18,
  suffixTrait: 19,
};
const SIZES = [3, 4, 5];
const MAX_HOST_LENGTH = 80;
const MAX_PATH_LENGTH = 120;
/** The weight of each group of features: known traits are many and correlated, so each has little weight. */
const HOST_WEIGHT = 2;
const PATH_WEIGHT = 1.5;
const KNOWN_WEIGHT = 0.12;
/** Fewer n-grams than this do not raise the weight of each. */
const MIN_GRAMS = 8;
/** Upper bounds of the steps into which numbers are divided. */
const STEPS = [
  0.001, 0.1, 0.25, 0.4, 0.6, 1, 1.5, 2, 2.5, 3, 3.5, 4, 5, 6, 8, 10, 12, 15, 20, 30, 50, 80, 150, 400,
];
/** Traits that change the meaning of others. */
const CONTEXT = ['suffix_group', 'hosting', 'brand', 'bare'].map((trait) => TRAITS.indexOf(trait as never));

/** Traits that mean something else under each suffix: random letters are usual under some, and rare under others. */
const BY_SUFFIX = (
  [
    'brand',
    'bare',
    'name_oddity',
    'path_depth',
    'ending',
    'name_length',
    'host_digits',
    'host_hyphens',
    'subdomains',
    'path_oddity',
    'random_part',
    'person',
    'host_words',
    'longest_part',
  ] as const
).map((trait) => TRAITS.indexOf(trait));

/**
 * Fills a list with the features of a link. The brand itself is left out: which one is imitated changes every
 * month.
 */
export function addUrlFeatures(features: FeatureList, address: LinkAddress, traits: UrlTraits): void {
  addHostFeatures(features, address, traits.brand);
  addPageFeatures(features, address, traits.values);
}

/** Adds the features that all views of a link have. */
export function addHostFeatures(
  features: FeatureList,
  address: LinkAddress,
  brand: BrandMatch | undefined,
): void {
  const without = (text: string) =>
    brand === undefined || brand.written === '' || brand.use === 'own'
      ? text
      : text.replaceAll(brand.written, '*');
  const start = features.length;
  addGrams(features, `^${without(address.name)}$`, SEED.name);
  if (address.subdomains !== '')
    addGrams(features, `.${without(address.subdomains).slice(-MAX_HOST_LENGTH)}.`, SEED.subdomains);
  features.scaleFrom(start, HOST_WEIGHT / Math.sqrt(Math.max(MIN_GRAMS, features.length - start)));
}

/** Adds the features of the path and query, and those of the traits. */
export function addPageFeatures(features: FeatureList, address: LinkAddress, values: Float32Array): void {
  const pathStart = features.length;
  const path = (address.query === '' ? address.path : `${address.path}?${address.query}`)
    .slice(0, MAX_PATH_LENGTH)
    .toLowerCase()
    .replace(/\d/g, '0');
  if (path !== '') {
    addGrams(features, `/${path}/`, SEED.path);
    features.scaleFrom(pathStart, PATH_WEIGHT / Math.sqrt(Math.max(MIN_GRAMS, features.length - pathStart)));
  }
  addKnown(features, address, values);
}

function addKnown(features: FeatureList, address: LinkAddress, values: Float32Array): void {
  const start = features.length;
  if (address.hosting === undefined) features.addHash(hashText(address.suffix, SEED.suffix));
  else features.addHash(hashText(address.suffix, SEED.hosting));
  const place = joinHashes(values[CONTEXT[0] as number] as number, values[CONTEXT[1] as number] as number);
  for (let trait = 0; trait < values.length; trait += 1) {
    const step = toStep(trait, values[trait] as number);
    if (step === 0 && !CONTEXT.includes(trait)) continue;
    const own = joinHashes(SEED.trait + trait * 64, step);
    features.addHash(own);
    features.addHash(joinHashes(own, place), 0.7);
    features.addHash(joinHashes(own, 100 + (values[CONTEXT[2] as number] as number)), 0.7);
    features.addHash(joinHashes(own, 200 + (values[CONTEXT[3] as number] as number)), 0.7);
  }
  const suffix = hashText(address.suffix, SEED.suffixTrait);
  for (const trait of BY_SUFFIX)
    features.addHash(joinHashes(suffix, trait * 64 + toStep(trait, values[trait] as number)));
  features.addHash(hashText(toShape(address.name), SEED.shape));
  features.scaleFrom(start, KNOWN_WEIGHT);
}

function toStep(trait: number, value: number): number {
  if (trait < 3) return value;
  let step = 0;
  while (step < STEPS.length && value >= (STEPS[step] as number)) step += 1;
  return step;
}

/** Runs of letters and digits by their length: `pay-24x7` becomes `a3-2a1d1`. */
function toShape(label: string): string {
  return label
    .slice(0, 30)
    .replace(/[a-z]+|\d+/g, (run) => `${/\d/.test(run) ? 'd' : 'a'}${Math.min(run.length, 9)}`);
}

function addGrams(features: FeatureList, text: string, seed: number): void {
  for (const size of SIZES) {
    for (let at = 0; at + size <= text.length; at += 1)
      features.addHash(hashSlice(text, at, at + size, seed));
  }
}
