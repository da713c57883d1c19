import type { Models } from '@tps/detection';
import { expandTemplates } from './corpus/expand-templates.ts';
import { evaluateModels } from './evaluate-models.ts';
import { toFixed, toPercent } from './measure/evaluation.ts';
import { formatTable, formatTables, wrapText } from './measure/format-evaluation.ts';
import { THREAT_SHARE } from './measure/threat-share.ts';
import type { Row } from './rows/row.ts';
import { SOURCES } from './sources.ts';
import { FALSE_ALARMS } from './text/train-text-model.ts';
import { RECIPES } from './url/train-url-model.ts';
import { mayLearnFrom } from './url/url-row.ts';

interface CardFacts {
  readonly seed: number;
  readonly holdoutMonths: number;
  readonly bytes: number;
}

/** Writes the card of trained models: training data, tests, quality and limits. */
export function writeModelCard(rows: readonly Row[], models: Models, facts: CardFacts): string {
  const { tables } = evaluateModels(rows, { models, all: false });
  return [
    `# Model card: ${models.version}`,
    wrapText(describeModels(models, facts)),
    thresholdTable(models),
    '## Purpose',
    wrapText(PURPOSE),
    '## Data',
    dataTable(rows, models),
    wrapText(data(models, facts.seed)),
    '## Tests',
    wrapText(split(models, facts)),
    '## Figures',
    formatTables(tables, 3),
    '## Limits',
    wrapText(LIMITS),
  ]
    .join('\n\n')
    .concat('\n');
}

function describeModels({ licence }: Models, { seed, bytes }: CardFacts): string {
  return `Two logistic models over hashed features with one byte per weight and isotonic calibration, ${bytes} bytes in
total. Sources: ${licence}. Seed: ${seed}. Generated with the models by \`npm run train\`: do not edit.`;
}

function thresholdTable({ thresholds, url, text }: Models): string {
  const rows = [
    ['links', String(2 ** url.linear.bits), toFixed(thresholds.url.warn), toFixed(thresholds.url.block)],
    ['texts', String(2 ** text.linear.bits), toFixed(thresholds.text.warn), toFixed(thresholds.text.block)],
  ];
  return formatTable(['model', 'weights', 'warning threshold', 'blocking threshold'], rows);
}

const PURPOSE = `The models warn people of phishing links and scam messages, on their devices and in the service. Indicators of
compromise take precedence over them. A probability is calibrated for content like the training data of which
${100 * THREAT_SHARE} of 100 links, or texts, are threats. In everyday use threats are far rarer: read a probability as a score with
known error rates at its thresholds, not as odds. It is not evidence against a person.`;

function data({ licence }: Models, seed: number): string {
  const { threats, benign, templates } = countCorpus(seed);
  const sources =
    licence === 'redistributable'
      ? 'Weights, probabilities and thresholds come only from sources whose terms permit redistribution of derived works'
      : 'Weights, probabilities and thresholds come from all sources that are not held out';
  return `The models learn from a part of each "training" source, which the section on tests describes. Licences exclude the "tests"
sources from training, and no model of any licence learns from the "held out" ones.
${sources}. The terms of \`jpcert\` are not stated: it is published so that others protect people with it.

Links are also synthesized: ${describeSynthesized(licence)}.
The lists of names, words, hosting services, brands and suffixes behind them are written by hand in this
project. They result in pages of people and small projects on free hosting, paths and account pages of benign
domains and of companies, subdomains of small sites, links of newsletters, imitations of brands, nameless
throw-away pages, and phishing pages on ordinary suffixes and other people's sites. They add general knowledge of
links that the data lacks, and are never tested on. The lists were written after public reporting, and after
looking at phishing links of months before those held out.

Texts are also the project's own (licence: that of this project): ${threats} threats and ${benign} benign texts,
expanded from ${templates} templates, which were written after public reporting on the wording of scams and on the
messages of genuine senders. No text is copied from a source, and none is tested on.`;
}

function describeSynthesized(licence: Models['licence']): string {
  const { hosted, brandPages, subdomains, mailings, brand, blind, pages, paths, own } = RECIPES[licence];
  const threats = brand + blind + pages;
  const benign = hosted + brandPages + subdomains + mailings;
  return `${threats} threats, ${benign} benign links, and ${paths + own} pages for every benign domain`;
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

const LIMITS = `- The URL model scores a link by its characters alone. It cannot detect a compromised site with a harmless-looking
  URL, a shortened link, or a page on a large provider's own domain; these need indicators.
- Feeds list student copies of famous pages on free hosting as phishing, and the model follows them.
- Benign links come from public lists; new shops under a cheap suffix and domains in a rare script have more
  false alarms than the tables show. Addresses of a home, an office or the device itself are not scored.
- Feeds age within weeks: retrain, and read the figures of the newest months rather than the average.
- Probabilities of content unlike the training data are less reliable: compare both calibration errors. For a text
  with many links, the combined probability is too high.
- Present-day genuine mails and notices in the training data are the project's own texts alone, since none were
  available under a suitable licence. One in ten of those in the check set causes a warning, as the tables show for
  the \`everyday\` sources, and newsletters of 2002 far more often.
- Texts in languages other than English in the training data are the project's own alone. Of the languages beside
  English, German, French, Spanish, Italian, Dutch, Portuguese and Indonesian, hardly any real text was measured.
- The labels of public data sets have errors on both sides; some "false alarms" above are phishing pages that are
  labelled benign.`;

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
  if (SOURCES[source]?.heldOut) return 'held out';
  return mayLearnFrom(source, licence) ? 'training' : 'tests';
}

function split({ urlCutoffs }: Models, { holdoutMonths }: CardFacts): string {
  const newest = Object.entries(urlCutoffs)
    .map(([source, month]) => `${source} ${month}`)
    .join(', ');
  return `Duplicates (equal except for digits, punctuation, case and scheme) were removed first.

Links: all rows of a registered domain, or of a name on free hosting, are in one part, by hash: 70 % for weights,
10 % for probabilities and thresholds, 20 % for tests. The thresholds also use synthesized benign pages, since
lists of domains contain few pages. Of each active source of threats the newest ${holdoutMonths} months
(from ${newest}) are for tests alone, without domains in the training data.
The models learn from few rows of one domain (three, with any licence ten). Scheme, \`www.\`, ports 80 and 443 and
a final slash are removed: they distinguish lists, not threats.

Texts: held-out sources are for tests alone. Texts of other sources are for tests by a hash of their letters: three
of ten for uci and nus, otherwise two of ten. The remaining texts form five folds: the weights of windows of a text,
probabilities and thresholds come from texts whose words the weights did not learn from, and all texts of one
template are in one fold. Probabilities come from rows alone. Each threshold is the lowest that few benign
texts reach: 1 % and 0.1 % of the messages and mails, of which mails of 2002 count three hundredths, and ${toPercent(FALSE_ALARMS.warn.own)} and
${toPercent(FALSE_ALARMS.block.own)} of the project's own benign texts, which are deliberately as hard as scams.`;
}
