import { readFileSync } from 'node:fs';
import { CORPUS_FILES, type CorpusFile, SLOT_FILES } from './corpus-files.ts';
import { CorpusError, findProblem, parsePairs, parseSlots, parseTemplates } from './parse-corpus.ts';

const FOLDER = new URL('../../corpus/', import.meta.url);
const DIGITS = /^n\d$/;
const SENDERS_PER_TEMPLATE = 3;

interface Template {
  readonly text: string;
  readonly threat: boolean;
  /** ISO 639-1. */
  readonly language: string;
}

/** The texts of this project that models learn from, as templates. */
export interface Corpus {
  readonly templates: readonly Template[];
  /** The words that may replace `{name}`, by name. */
  readonly slots: ReadonlyMap<string, readonly string[]>;
}

/**
 * Loads all files of the corpus, in the order of `CORPUS_FILES`.
 *
 * @throws CorpusError for a file that is malformed or names an unknown slot
 */
export function loadCorpus(): Corpus {
  const slots = loadSlots();
  return { slots, templates: CORPUS_FILES.flatMap((file) => loadTemplates(file, slots)) };
}

function loadSlots(): Map<string, readonly string[]> {
  const slots = new Map<string, readonly string[]>();
  for (const path of SLOT_FILES) {
    for (const [name, words] of parseSlots(read(path), path)) {
      if (slots.has(name)) throw new CorpusError(path, 1, `another file defines slot ${name} too`);
      slots.set(name, words);
    }
  }
  for (const [name, words] of slots) {
    const problem = words.map((word) => findProblem(word, isSlotOf(slots))).find(Boolean);
    if (problem !== undefined) throw new Error(`slot ${name}: ${problem}`);
  }
  return slots;
}

function loadTemplates({ path, pairs }: CorpusFile, slots: Corpus['slots']): Corpus['templates'] {
  const isSlot = isSlotOf(slots, pairs?.slots);
  const written = parseTemplates(read(path), path, isSlot);
  const texts = pairs ? nameOwnSite(written, pairs.slots, parsePairs(read(pairs.path), pairs.path)) : written;
  const language = path.slice(path.lastIndexOf('.') + 1);
  return texts.map((text) => ({ text, threat: path.startsWith('scam/'), language }));
}

/**
 * Replaces two slots of each template by a few senders with their own sites, because the site of a stranger
 * is a sign of a scam. Each template uses the next few senders: expanding it with all of them would take
 * long.
 */
function nameOwnSite(
  templates: readonly string[],
  [nameSlot, siteSlot]: readonly [string, string],
  senders: readonly (readonly [string, string])[],
): string[] {
  return templates.map((template, at) => {
    const versions = Array.from({ length: SENDERS_PER_TEMPLATE }, (_, next) => {
      const [name, site] = senders[(at * SENDERS_PER_TEMPLATE + next) % senders.length] ?? ['', ''];
      return template.replaceAll(`{${nameSlot}}`, name).replaceAll(`{${siteSlot}}`, site);
    });
    return `[${versions.join('|')}]`;
  });
}

function isSlotOf(slots: Corpus['slots'], others: readonly string[] = []): (name: string) => boolean {
  return (name) => slots.has(name) || DIGITS.test(name) || others.includes(name);
}

function read(path: string): string {
  return readFileSync(new URL(`${path}.txt`, FOLDER), 'utf8');
}
