import type { Models } from '@tps/detection';
import { expandTemplates } from './corpus/expand-templates.ts';
import { evaluateModels } from './evaluate-models.ts';
import { toFixed } from './measure/evaluation.ts';
import { formatTables } from './measure/format-evaluation.ts';
import { formatTable } from './measure/format-table.ts';
import { THREAT_SHARE } from './measure/threat-share.ts';
import type { Row } from './rows/row.ts';
import { SOURCES } from './sources.ts';
import { RECIPES } from './url/train-url-model.ts';
import { mayLearnFrom } from './url/url-row.ts';

interface CardFacts {
  readonly seed: number;
  readonly holdoutMonths: number;
  readonly bytes: number;
}

/** Writes the card of trained models: what they learnt from, how they were tested, how they fare, what they cannot do. */
export function writeModelCard(rows: readonly Row[], models: Models, facts: CardFacts): string {
  const { tables } = evaluateModels(rows, { models, all: false });
  return [
    `# Model card: ${models.version}`,
    about(models, facts),
    '## What it is for',
    PURPOSE,
    '## Data',
    dataTable(rows, models),
    data(models, facts.seed),
    '## How it was tested',
    split(models, facts),
    '## Figures',
    formatTables(tables, 3),
    '## Limits',
    LIMITS,
  ]
    .join('\n\n')
    .concat('\n');
}

function about({ licence, thresholds, url, text }: Models, { seed, bytes }: CardFacts): string {
  const rows = [
    ['links', String(2 ** url.linear.bits), toFixed(thresholds.url.warn), toFixed(thresholds.url.block)],
    ['texts', String(2 ** text.linear.bits), toFixed(thresholds.text.warn), toFixed(thresholds.text.block)],
  ];
  return [
    `Two logistic models over hashed features, a byte per weight, with isotonic calibration; ${bytes} bytes together. Sources: ${licence}. Seed ${seed}. Generated with the models by \`npm run train\`; not to be edited.`,
    formatTable(['model', 'weights', 'warns from', 'blocks from'], rows),
  ].join('\n\n');
}

const PURPOSE = `To warn people of phishing links and scam messages on their devices and in the service, beside indicators of compromise, which
outweigh it. A probability holds where ${100 * THREAT_SHARE} of 100 links, or texts, are threats, on content such as the model learnt from. In daily life threats
are far rarer: read it as a score with known error rates at its thresholds, not as the odds. It is no ground for accusing anybody.`;

function data({ licence }: Models, seed: number): string {
  const { threats, benign, templates } = countCorpus(seed);
  const sources =
    licence === 'redistributable'
      ? 'Weights, probabilities and thresholds come from sources alone whose terms let what is made of them be passed on'
      : 'Weights, probabilities and thresholds come from every source that is not held out';
  return `"learnt" counts all rows of a source, of which the parts below are learnt from. ${sources}. Held-out sources teach nothing,
whatever their licence. The terms of \`jpcert\` are not stated: it is published so that others protect people with it.

Links are also invented, ${describeSynthesized(licence)}, from lists
that are written by hand in this project, with names, words, hosting services, brands and suffixes: pages of people and small projects on
free hosting, paths and account pages of benign domains and of companies, imitations of brands, and nameless throw-away pages.
They stand for what is known of links in general and is missing in the data; they are never tested on. Lists of words, brands and hosting
services were written after public reporting, and after looking at phishing links of months before those held out.

Texts are also our own (licence: that of this project): ${threats} threats and ${benign} benign ones, filled from ${templates} templates that were written from public reporting on
how scams are wordScore and how honest senders write. None is copied from a source, and none is tested on.`;
}

function describeSynthesized(licence: Models['licence']): string {
  const { hosted, brandPages, brand, blind, paths, own } = RECIPES[licence];
  return `${brand + blind} threats and, beside ${paths + own} pages for every benign domain, ${hosted + brandPages} benign ones`;
}

function countCorpus(seed: number) {
  const seeds = expandTemplates(seed);
  const threats = seeds.filter(({ threat }) => threat).length;
  return {
    threats,
    benign: seeds.length - threats,
    templates: new Set(seeds.map(({ key }) => key)).size,
  };
}

const LIMITS = `- A link is scored by its letters alone. A harmless-looking address that was broken into, a shortened link and a page on a large
  provider's own domain cannot be told from benign ones; they take indicators.
- Student copies of famous pages on free hosting are called phishing by the feeds, and so by the model.
- What is benign is measured on public lists; a new shop under a cheap suffix and a domain in a rare script fare worse than the tables
  logProgress. Addresses of a home, an office or the device itself are not scored at all.
- Feeds age within weeks: retrain, and read the figures of the newest months rather than the average.
- Probabilities of content unlike what was learnt from are less sure: compare both calibration errors. Joined with its links, a text with
  many links is called likelier a threat than it is.
- Honest mail and honest notices of today are known from our own texts alone, for none were to be had under a licence that allows it: one in ten of
  those written as a check is still warned of, as the tables logProgress of \`everyday\` sources, and newsletters of 2002 far more often.
- Languages other than English were learnt from our own texts alone.
- Labels of public data sets hold errors on both sides; some "false alarms" above are phishing pages labelled benign.`;

function dataTable(rows: readonly Row[], { licence, urlCutoffs }: Models): string {
  const counts = new Map<string, { threats: number; benign: number; from: string; to: string }>();
  for (const { source, threat, date = '' } of rows) {
    const count = counts.get(source) ?? { threats: 0, benign: 0, from: '', to: '' };
    if (threat) count.threats += 1;
    else count.benign += 1;
    if (date !== '' && (count.from === '' || date < count.from)) count.from = date;
    if (date > count.to) count.to = date;
    counts.set(source, count);
  }
  const lines = [...counts]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([source, { threats, benign, from, to }]) => [
      source,
      SOURCES[source]?.licence ?? 'unknown',
      useOf(source, licence),
      String(threats),
      String(benign),
      from === '' ? '–' : `${from.slice(0, 7)} to ${to.slice(0, 7)}`,
      urlCutoffs[source] ?? '–',
    ]);
  return formatTable(['source', 'licence', 'use', 'threats', 'benign', 'dates', 'held out from'], lines);
}

function useOf(source: string, licence: Models['licence']): string {
  if (SOURCES[source]?.heldOut) return 'testing only';
  return mayLearnFrom(source, licence) ? 'learnt' : 'testing';
}

function split({ urlCutoffs }: Models, { holdoutMonths }: CardFacts): string {
  return `Duplicates (the same but for digits, punctuation, case and scheme) were removed first.

Links: a registered domain, or a name on free hosting, is wholly in one part by its hash: 70 % weights, 10 % probabilities and
thresholds, 20 % testing. Thresholds are read off invented benign pages too, since lists of domains hold few pages. Of each source of threats that still goes on the newest ${holdoutMonths} months (from ${Object.entries(
    urlCutoffs,
  )
    .map(([source, month]) => `${source} ${month}`)
    .join(', ')}) are for testing alone,
without domains that were learnt from. Few rows of one domain are learnt from (three, with any licence ten). Scheme, \`www.\`, port 80 and 443 and a last
slash are removed: they tell lists apart, not threats.

Texts: held-out sources are wholly for testing. Of the others a text is for testing by the hash of its letters, of uci and nus three of ten, else
two of ten. The rest is learnt from in five folds: how stretches of a text are weighed, probabilities and thresholds come from texts
whose words the weights had not seen, and texts of one template lie in one fold. Probabilities are those of rows alone. Thresholds are where 1 % and
0.1 % of the benign are hit: messages count fully, our own a tenth, mail of 2002 three hundredths.`;
}
