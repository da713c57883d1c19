import { hashText } from '@tps/detection/training';
import { createRandom } from '../rows/split.ts';
import { loadCorpus } from './load-corpus.ts';

/** A text of this project, expanded from a template of `corpus/`. */
export interface CorpusText {
  readonly content: string;
  readonly threat: boolean;
  /** ISO 639-1. */
  readonly language: string;
  /** The template of the text. Texts of one template are too similar to be on both sides of a split. */
  readonly key: string;
}

const VARIANTS = 10;
const CHOICE = /\[([^[\]]*)\]/g;
const SLOT = /\{(\w+)\}/g;
/** The maximum depth of choices in choices, and of slots in slots. */
const MAX_DEPTH = 6;

type Slots = ReadonlyMap<string, readonly string[]>;

/** Expands each template to at most ten texts. The same seed returns the same texts. */
export function expandTemplates(seed: number): CorpusText[] {
  const { templates, slots } = loadCorpus();
  return templates.flatMap(({ text: template, threat, language }) => {
    const random = createRandom(hashText(template, seed));
    const contents = new Set(Array.from({ length: VARIANTS }, () => fill(template, slots, random)));
    return [...contents].map((content) => ({ content, threat, key: template, language }));
  });
}

/** In a template `[a|b]` is a choice and `{bank}` a word of the slot `bank`. */
function fill(template: string, slots: Slots, random: () => number): string {
  const choose = (options: readonly string[]) => options[Math.floor(random() * options.length)] ?? '';
  let text = template;
  for (let depth = 0; depth < MAX_DEPTH; depth += 1) {
    text = text
      .replace(CHOICE, (_, options: string) => choose(options.split('|')))
      .replace(SLOT, (_, name: string) => choose(slots.get(name) ?? [digits(name, random)]));
  }
  return text.replace(/ +/g, ' ').trim();
}

/** `{n4}` is four digits. */
function digits(name: string, random: () => number): string {
  const count = /^n(\d)$/.exec(name)?.[1];
  if (count === undefined) throw new Error(`No slot is called ${name}.`);
  return Array.from(
    { length: Number(count) },
    (_, at) => Math.floor(random() * (at === 0 ? 9 : 10)) + (at === 0 ? 1 : 0),
  ).join('');
}
