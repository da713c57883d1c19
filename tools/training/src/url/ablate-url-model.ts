import {
  addUrlFeatures,
  FeatureList,
  type LinearModel,
  scoreLinear,
  TRAITS,
  toLinkViews,
  toUrlTraits,
} from '@tps/detection/training';
import { logProgress } from '../command-line.ts';
import { type Table, toPercent } from '../measure/evaluation.ts';
import { rank, rankGroups, shareAt, thresholdFor } from '../measure/ranking.ts';
import type { Row } from '../rows/row.ts';
import { sampleRows } from './sample-rows.ts';
import { unseenRows } from './score-rows.ts';
import { fitWeights, type LeaveOut, type Recipe, type UrlTraining } from './train-url-model.ts';
import { isNewest, mayLearnFrom, toUrlRows, type UrlRow } from './url-row.ts';

/** A training without one family of features or of data. */
interface Ablation {
  readonly title: string;
  readonly without?: LeaveOut;
  readonly recipe?: Partial<Recipe>;
  readonly isKept?: (row: UrlRow) => boolean;
}

type Trait = (typeof TRAITS)[number];

const ABLATIONS: readonly Ablation[] = [
  { title: 'nothing' },
  {
    title: 'letters of the host',
    without: ({ address, traits }) => ({ address: { ...address, name: '', subdomains: '' }, traits }),
  },
  {
    title: 'letters of path and query',
    without: ({ address, traits }) => ({ address: { ...address, path: '', query: '' }, traits }),
  },
  {
    title: 'suffix and hosting service',
    without: (source) => {
      const { address, traits } = withoutTraits('suffix_group', 'hosting')(source);
      return { address: { ...address, suffix: '', hosting: undefined }, traits };
    },
  },
  {
    title: 'brands',
    without: (source) => {
      const { address, traits } = withoutTraits('brand', 'brand')(source);
      return { address, traits: { ...traits, brand: { use: 'none', brand: undefined, written: '' } } };
    },
  },
  { title: 'form of the host', without: withoutTraits('host_length', 'personal_word') },
  { title: 'form of the path', without: withoutTraits('path_depth', 'tilde') },
  { title: 'groups of words', without: withoutTraits('host_credential', 'path_clone') },
  { title: 'real threats', isKept: ({ threat }) => !threat },
  { title: 'synthesized imitations of brands', recipe: { brand: 0 } },
  { title: 'synthesized nameless threats', recipe: { blind: 0 } },
  { title: 'synthesized phishing pages in further forms', recipe: { pages: 0 } },
  {
    title: 'synthesized benign pages',
    recipe: { hosted: 0, brandPages: 0, paths: 0, own: 0, subdomains: 0, mailings: 0 },
  },
];

/**
 * Trains the URL model again without each family of features and of data, and measures the recall at 1 % false
 * positives on the threats of the newest months.
 */
export function ablateUrlModel(rows: readonly Row[], training: UrlTraining): Table {
  const { licence, cutoffs } = training;
  const usable = toUrlRows(rows);
  const learned = usable.filter(({ source }) => mayLearnFrom(source, licence));
  const tested = sampleRows(unseenRows(usable, { licence, urlCutoffs: cutoffs })).filter(
    (row) => !row.threat || isNewest(row, cutoffs),
  );
  const sources = Object.keys(cutoffs);
  const recalls = ABLATIONS.map(({ title, without, recipe, isKept = () => true }) => {
    logProgress(`  without ${title}`);
    const linear = fitWeights(learned.filter(isKept), {
      ...training,
      recipe: { ...training.recipe, ...recipe },
      ...(without && { without }),
    });
    return { title, recall: measureRecall(tested, linear, without) };
  });
  const full = recalls[0]?.recall;
  const toCells = (recall: ReadonlyMap<string, number>, source: string) => {
    const value = recall.get(source) ?? Number.NaN;
    return [toPercent(value), toPercent((full?.get(source) ?? Number.NaN) - value)];
  };
  return {
    title: 'Links: ablation',
    head: ['trained without', ...sources.flatMap((source) => [`${source}.newest`, 'loss'])],
    rows: recalls.map(({ title, recall }) => [
      title,
      ...sources.flatMap((source) => toCells(recall, source)),
    ]),
    note: 'Recall at 1 % FP on the threats of the newest months, and what it loses. Links inside links are not followed.',
  };
}

function measureRecall(
  tested: readonly UrlRow[],
  linear: LinearModel,
  without: LeaveOut = (source) => source,
): ReadonlyMap<string, number> {
  const features = new FeatureList(linear.bits);
  const scored = tested.map(({ address, threat, source }) => {
    const scores = toLinkViews(address).map((view) => {
      const { address: read, traits } = without({ address: view, traits: toUrlTraits(view) });
      features.clear();
      addUrlFeatures(features, read, traits);
      return scoreLinear(linear, features);
    });
    return { score: Math.max(...scores), threat, source };
  });
  const weights = new Float64Array(scored.length).fill(1);
  const benign = rank(scored, ({ threat }) => !threat);
  const threshold = thresholdFor(benign, 0.01, weights);
  const groups = rankGroups(scored, ({ threat, source }) => (threat ? [source] : []));
  return new Map(Array.from(groups, ([source, group]) => [source, shareAt(group, threshold, weights)]));
}

/** Leaves out the traits from one to another, both inclusive. */
function withoutTraits(first: Trait, last: Trait): LeaveOut {
  return ({ address, traits }) => ({
    address,
    traits: {
      ...traits,
      values: Float32Array.from(traits.values).fill(0, TRAITS.indexOf(first), TRAITS.indexOf(last) + 1),
    },
  });
}
