import type { ModelLicence, Thresholds } from '@tps/detection';
import {
  addUrlFeatures,
  type CalibratedModel,
  calibrate,
  FeatureList,
  type LinearModel,
  type LinkAddress,
  parseLinkAddress,
  scoreViews,
  toUrlTraits,
  type UrlTraits,
} from '@tps/detection/training';
import { Examples } from '../fit/examples.ts';
import { fitCalibration } from '../fit/fit-calibration.ts';
import { toLinearModel, trainLinear } from '../fit/train-linear.ts';
import { thresholdAt } from '../measure/metrics.ts';
import { atThreatShare } from '../measure/threat-share.ts';
import type { Row } from '../rows/row.ts';
import { createRandom } from '../rows/split.ts';
import { sampleRows } from './sample-rows.ts';
import { synthesizeMailingLink, synthesizeSubdomainPage } from './synthesize-benign-sites.ts';
import {
  synthesizeAccountPage,
  synthesizeBrandPage,
  synthesizeHostedPage,
  synthesizePath,
} from './synthesize-benign-urls.ts';
import { synthesizePhishingPage } from './synthesize-phishing-pages.ts';
import { synthesizeBrandPhishing, synthesizeGenericPhishing } from './synthesize-phishing-urls.ts';
import { type Cutoffs, mayLearnFrom, splitOf, toUrlRows, type UrlRow } from './url-row.ts';
import { createWordBag, type WordBag } from './word-bag.ts';

export interface UrlTraining {
  readonly licence: ModelLicence;
  readonly seed: number;
  readonly cutoffs: Cutoffs;
  /** Replaces settings of the licence's recipe. */
  readonly recipe?: Partial<Recipe>;
  /** Leaves out features, to measure what they contribute. */
  readonly without?: LeaveOut;
}

/** What features are computed from. */
interface FeatureSource {
  readonly address: LinkAddress;
  readonly traits: UrlTraits;
}
/** Removes from a link what a family of features is computed from. */
export type LeaveOut = (source: FeatureSource) => FeatureSource;

export interface Recipe {
  readonly perSite: number;
  readonly hosted: number;
  readonly brandPages: number;
  readonly paths: number;
  readonly own: number;
  readonly brand: number;
  readonly blind: number;
  readonly pages: number;
  readonly subdomains: number;
  readonly mailings: number;
  readonly threatWeight: number;
  readonly l1: number;
  readonly thresholdPages: Readonly<
    Record<'paths' | 'own' | 'hosted' | 'brandPages' | 'subdomains' | 'mailings', number>
  >;
}

const BITS = 18;
const CALIBRATION_BINS = 60;
/**
 * The weight of a synthesized page beside a row, for probabilities. Without these pages, the calibration error on all
 * sources is 0.035, and with a weight of 0.2 it is 0.023; on the sources of the training it grows from 0.018 to 0.027.
 */
const PAGE_WEIGHT = 0.1;
/**
 * The settings of the training, by licence:
 * - `perSite`: the most rows of a registered domain, so that no campaign outweighs the rest;
 * - `hosted` and `brandPages`: the number of synthesized benign pages, on free hosting and on brand domains;
 * - `paths` and `own`: the mean number of synthesized pages and of account pages per benign domain;
 * - `brand` and `blind`: the number of synthesized phishing links, with and without a brand;
 * - `pages`: the number of synthesized phishing links in further forms, on ordinary suffixes and hosting services;
 * - `subdomains` and `mailings`: the number of synthesized benign links on small sites and from newsletters;
 * - `threatWeight`: the weight of real threats;
 * - `l1`: the regularization of rare features;
 * - `thresholdPages`: synthesized benign pages per benign domain, for the thresholds.
 *
 * Redistributable sources have few paths, few pages on free hosting and threats of one country, so their recipe
 * relies more on synthesized links. The values were chosen on months before the held-out ones.
 */
export const RECIPES: Readonly<Record<ModelLicence, Recipe>> = {
  any: {
    perSite: 10,
    hosted: 8000,
    brandPages: 4000,
    paths: 0.5,
    own: 0.3,
    brand: 15_000,
    blind: 8000,
    pages: 0,
    subdomains: 0,
    mailings: 0,
    threatWeight: 1,
    l1: 0.15,
    thresholdPages: { paths: 0, own: 0, hosted: 0, brandPages: 0, subdomains: 0, mailings: 0 },
  },
  redistributable: {
    perSite: 3,
    hosted: 300,
    brandPages: 14_000,
    paths: 3,
    own: 0.5,
    brand: 60_000,
    blind: 60_000,
    pages: 84_000,
    subdomains: 1250,
    mailings: 1750,
    threatWeight: 0.36,
    l1: 0.15,
    thresholdPages: { paths: 1, own: 0.5, hosted: 0.33, brandPages: 0.33, subdomains: 0.3, mailings: 0.1 },
  },
};

/**
 * Trains the URL model on sources that the licence permits. One part of the rows trains the weights, another
 * part the probabilities and thresholds. Lists of domains contain few pages, so both also use synthesized pages.
 */
export function trainUrlModel(
  rows: readonly Row[],
  training: UrlTraining,
): { readonly model: CalibratedModel; readonly thresholds: Thresholds } {
  const usable = toUrlRows(rows).filter(({ source }) => mayLearnFrom(source, training.licence));
  const linear = fitWeights(usable, training);
  const measured = sampleRows(usable.filter((row) => splitOf(row, training.cutoffs) === 'calibrate'));
  const scored = measured.map(({ address, threat }) => ({ score: scoreViews(address, linear), threat }));
  const pages = synthesizeThresholdPages(measured, training).map((address) => ({
    score: scoreViews(address, linear),
    threat: false,
    weight: PAGE_WEIGHT,
  }));
  const calibration = fitCalibration(atThreatShare([...scored, ...pages]), CALIBRATION_BINS);
  const benign = [...scored, ...pages].flatMap(({ score, threat }) =>
    threat ? [] : [calibrate(calibration, score)],
  );
  return {
    model: { linear, calibration },
    thresholds: { warn: thresholdAt(benign, 0.01), block: thresholdAt(benign, 0.001) },
  };
}

/**
 * Synthesizes benign pages: on the measured domains, on those of companies and small sites, and on free hosting.
 */
function synthesizeThresholdPages(
  measured: readonly UrlRow[],
  { licence, seed }: UrlTraining,
): LinkAddress[] {
  const recipe = RECIPES[licence].thresholdPages;
  const bag = createWordBag(createRandom(seed + 1));
  const sites = new Map(measured.flatMap((row) => (row.threat ? [] : [[row.address.site, row.address]])));
  const pages = [...sites.values()].flatMap((address) => [
    ...synthesizePagesOf(address, bag, recipe),
    ...(bag.chance(recipe.hosted) ? [synthesizeHostedPage(bag)] : []),
    ...(bag.chance(recipe.brandPages) ? [synthesizeBrandPage(bag)] : []),
    ...(bag.chance(recipe.subdomains) ? [synthesizeSubdomainPage(bag)] : []),
    ...(bag.chance(recipe.mailings) ? [synthesizeMailingLink(bag)] : []),
  ]);
  return pages.flatMap((url) => parseLinkAddress(url) ?? []);
}

/** Fits the weights alone, to the rows for training. */
export function fitWeights(rows: readonly UrlRow[], training: UrlTraining): LinearModel {
  const examples = toExamples(rows, training);
  balance(examples);
  return toLinearModel(
    trainLinear(examples, {
      bits: BITS,
      denseCount: 0,
      epochs: 4,
      rate: 0.1,
      l1: RECIPES[training.licence].l1,
      l2: 1,
      seed: training.seed,
    }),
  );
}

function toExamples(rows: readonly UrlRow[], training: UrlTraining): Examples {
  const { licence, seed, cutoffs, without = (source) => source } = training;
  const recipe = { ...RECIPES[licence], ...training.recipe };
  const bag = createWordBag(createRandom(seed));
  const examples = new Examples();
  const features = new FeatureList(BITS);
  const seen = new Map<string, number>();
  const learn = (address: LinkAddress | undefined, threat: boolean, weight = 1) => {
    if (!address) return;
    features.clear();
    const source = without({ address, traits: toUrlTraits(address) });
    addUrlFeatures(features, source.address, source.traits);
    examples.add(features, threat, weight);
  };
  for (const row of rows) {
    if (splitOf(row, cutoffs) !== 'train') continue;
    const { address, threat } = row;
    const count = (seen.get(address.site) ?? 0) + 1;
    seen.set(address.site, count);
    if (count > recipe.perSite) continue;
    learn(address, threat, threat ? recipe.threatWeight : 1);
    if (!threat && count === 1)
      for (const url of synthesizePagesOf(address, bag, recipe)) learn(parseLinkAddress(url), false);
  }
  times(recipe.hosted, () => learn(parseLinkAddress(synthesizeHostedPage(bag)), false));
  times(recipe.brandPages, () => learn(parseLinkAddress(synthesizeBrandPage(bag)), false));
  times(recipe.brand, () => learn(parseLinkAddress(synthesizeBrandPhishing(bag)), true));
  times(recipe.blind, () => learn(parseLinkAddress(synthesizeGenericPhishing(bag)), true));
  times(recipe.pages, () => learn(parseLinkAddress(synthesizePhishingPage(bag)), true));
  times(recipe.subdomains, () => learn(parseLinkAddress(synthesizeSubdomainPage(bag)), false));
  times(recipe.mailings, () => learn(parseLinkAddress(synthesizeMailingLink(bag)), false));
  return examples;
}

/** Synthesizes pages of a benign domain, because lists name most domains without their pages. */
function synthesizePagesOf(
  { host, site }: LinkAddress,
  bag: WordBag,
  { paths, own }: { paths: number; own: number },
): string[] {
  const count = Math.floor(paths) + (bag.chance(paths % 1) ? 1 : 0);
  const pages = Array.from({ length: count }, () => `${host}${synthesizePath(bag)}`);
  return bag.chance(own) ? [...pages, synthesizeAccountPage(site, bag)] : pages;
}

/** Balances the total weight of threats and benign rows. */
function balance({ threats, weights, length }: Examples): void {
  const bad = threats.subarray(0, length).reduce((sum, threat) => sum + threat, 0);
  const good = length - bad;
  for (let at = 0; at < length; at += 1) {
    weights[at] = (weights[at] as number) * (threats[at] ? Math.min(1, good / bad) : Math.min(1, bad / good));
  }
}

function times(count: number, act: () => void): void {
  for (let time = 0; time < count; time += 1) act();
}
