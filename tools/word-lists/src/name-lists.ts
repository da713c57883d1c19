import { wrapWords } from './wrap-words.ts';

/** The release of Faker that the names come from. */
export interface FakerRelease {
  readonly version: string;
  readonly date: string;
  readonly licence: string;
}

/** What a name can mean beside a name of its kind, in the spelling of `toNameKey`. */
export interface OtherMeanings {
  /** Names of the other kind, and places. */
  readonly names: ReadonlySet<string>;
  /** Ordinary words. */
  readonly words: ReadonlySet<string>;
}

/** A shorter name is often a word or an abbreviation in some language. */
const MIN_LENGTH = 4;

/** Returns whether a name is long enough and hardly means anything else. */
export function isOnlyName(name: string, { names, words }: OtherMeanings): boolean {
  return name.length >= MIN_LENGTH && !names.has(name) && !words.has(name);
}

/** Returns the source code of an array of names. */
export function toArraySource(constant: string, names: readonly string[]): string {
  return `export const ${constant}: readonly string[] = \`
${wrapWords(names)}
\`
  .trim()
  .split(/\\s+/);
`;
}
