import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Models, normalizeText } from '@tps/detection';
import { prepareText, scoreText } from '@tps/detection/training';
import { UsageError } from './command-line.ts';
import { type Table, toFixed } from './measure/evaluation.ts';
import { measureAt, type ScoredRow } from './measure/metrics.ts';
import type { Row } from './rows/row.ts';
import { isTextForTesting } from './text/text-row.ts';

// The file that the package's manifest names for `require` does not exist in 6.1.5.
const ENTRY = 'spamscanner/dist/esm/index.js';
const CLASSIFIER = '@ladjs/naivebayes/src/naivebayes.js';
const WEIGHTS = 'spamscanner/classifier.json';

interface Setting {
  /** The weights are those of hashed words. */
  readonly hashTokens: boolean;
  /** 6.1.5 passes the weights to the classifier as options, which the classifier ignores. */
  readonly restore: boolean;
}
const SETTINGS: Readonly<Record<string, Setting>> = {
  'spamscanner as it ships': { hashTokens: false, restore: false },
  'spamscanner, weights loaded': { hashTokens: false, restore: true },
  'spamscanner, weights loaded, words hashed': { hashTokens: true, restore: true },
};

/**
 * The part of the npm package `spamscanner` that scores words: its classifier with the weights that it ships.
 */
interface SpamScanner {
  classifier: { tokenizer: unknown };
  initializeClassifier(): Promise<void>;
  initializeReplacements(): Promise<void>;
  preprocessText(text: string): Promise<string>;
  getTokens(text: string, locale: string): Promise<string[]>;
  getClassification(tokens: readonly string[]): Promise<{ readonly category: string }>;
}

/**
 * Compares the text model with the npm package `spamscanner` in one run, on the rows of uci that neither of
 * them learned from. The package is not a dependency of this project: the caller names a `node_modules`
 * folder that contains it.
 *
 * @throws UsageError when the package is not there or cannot be loaded.
 */
export async function compareWithSpamScanner(
  rows: readonly Row[],
  { models, folder }: { readonly models: Models; readonly folder: string },
): Promise<Table> {
  const tested = rows.filter((row) => row.source === 'uci' && isTextForTesting(row));
  const theirs: string[][] = [];
  for (const [name, setting] of Object.entries(SETTINGS)) {
    const scanner = await loadSpamScanner(folder, setting);
    const start = performance.now();
    const scored = await classifyAll(scanner, tested);
    theirs.push([name, ...figures(scored, 0.5), perRow(performance.now() - start, tested.length)]);
  }
  const ourStart = performance.now();
  const ours = tested.map(({ content, threat }) => ({
    score: scoreText(prepareText(normalizeText(content)), models.text) ?? 0,
    threat,
  }));
  const end = performance.now();
  const { warn } = models.thresholds.text;
  return {
    title: 'Comparison with spamscanner',
    head: ['uci, test rows', 'precision', 'recall', 'F1', 'µs'],
    rows: [
      ['this model, at 0.5', ...figures(ours, 0.5), perRow(end - ourStart, tested.length)],
      ['this model, warnings', ...figures(ours, warn), perRow(end - ourStart, tested.length)],
      ...theirs,
    ],
    note: `${tested.length} rows. Only the word classifier of spamscanner is compared: a text message has nothing for its readers of mail, files and links. As shipped it does not load its own weights and classifies everything as ham, so the table also lists it with loaded weights.`,
  };
}

async function classifyAll(scanner: SpamScanner, rows: readonly Row[]): Promise<ScoredRow[]> {
  const scored: ScoredRow[] = [];
  for (const { content, threat } of rows) {
    const tokens = await scanner.getTokens(await scanner.preprocessText(content), 'en');
    const { category } = await scanner.getClassification(tokens);
    scored.push({ score: category === 'spam' ? 1 : 0, threat });
  }
  return scored;
}

async function loadSpamScanner(folder: string, { hashTokens, restore }: Setting): Promise<SpamScanner> {
  try {
    const load = (path: string) => import(pathToFileURL(join(folder, 'node_modules', path)).href);
    const { default: Scanner } = await load(ENTRY);
    const scanner: SpamScanner = new Scanner({ hashTokens });
    await scanner.initializeClassifier();
    await scanner.initializeReplacements();
    if (restore) {
      const { default: NaiveBayes } = await load(CLASSIFIER);
      const { tokenizer } = scanner.classifier;
      scanner.classifier = NaiveBayes.fromJson(await readFile(join(folder, 'node_modules', WEIGHTS), 'utf8'));
      scanner.classifier.tokenizer = tokenizer;
    }
    return scanner;
  } catch (cause) {
    throw new UsageError(`spamscanner cannot be loaded from ${folder}: run npm install spamscanner there.`, {
      cause,
    });
  }
}

function figures(scored: readonly ScoredRow[], threshold: number): string[] {
  const { precision, recall, f1 } = measureAt(scored, threshold);
  return [precision, recall, f1].map(toFixed);
}

function perRow(milliseconds: number, rows: number): string {
  return ((milliseconds * 1000) / Math.max(1, rows)).toFixed(0);
}
