import { type FoundLink, findLinks, MAX_LINKS } from './find-links.ts';
import { foldConfusables } from './fold-confusables.ts';
import { foldLeetspeak } from './fold-leetspeak.ts';
import { joinSpaced } from './join-spaced.ts';
import { decodeReferences, reverseOverridden, splitCapitalized } from './read-as-shown.ts';
import { repairMisspelt } from './repair-misspelt.ts';
import { splitJoined } from './split-joined.ts';
import { stripInvisible } from './strip-invisible.ts';

/** How often each disguise was removed. */
export interface Disguises {
  /** Invisible characters. */
  readonly invisible: number;
  /** Words with letters of another script that imitate Latin ones. */
  readonly confusable: number;
  /** Words with separated letters. */
  readonly spaced: number;
  /** Words with other characters in place of letters. */
  readonly leetspeak: number;
}

/** A text as a person reads it, for models and cues. */
export interface NormalizedText {
  /**
   * Lower case, without compatibility forms, disguises and accents on Latin letters; links are `<link>`, and
   * each run of white space is one blank. At most 110,000 code units.
   */
  readonly text: string;
  /** Whether this is the whole text: false if it exceeds the limit, before or after normalization. */
  readonly isWhole: boolean;
  /** The links in the text as a person sees it, and those that only the text as written has. */
  readonly links: readonly FoundLink[];
  readonly disguises: Disguises;
  /** Share of capitals among the ASCII letters as written, 0 to 1. */
  readonly capitals: number;
}

/** The placeholder for a link. */
export const LINK_PLACEHOLDER = '<link>';
/** Code units that are read. */
const MAX_TEXT_LENGTH = 100_000;
/** One compatibility character can become eighteen (U+FDFA), and each of at most 200 links six. */
const MAX_NORMALIZED_LENGTH = 110_000;
/** The second pass confirms the first, unless removing one disguise reveals another. */
const MAX_PASSES = 8;
/**
 * Code units that are processed again after the first pass: a text of 100,000 once, one of 14,000 seven
 * times. A pass takes up to 20 ms per 100,000. Only one real mail in a hundred needs a third; any other text
 * is used as it then is.
 */
const MAX_AGAIN = 100_000;

/**
 * Removes disguises from a text. Linear; reads the first 100,000 code units. Idempotent, except for long
 * texts with disguises nested three deep.
 */
export function normalizeText(text: string): NormalizedText {
  const written = text.slice(0, MAX_TEXT_LENGTH);
  // References last: an override that is only referred to has no effect where references are shown as they are.
  const bounded = decodeReferences(reverseOverridden(written));
  const links = findLinks(bounded);
  const disguises = { invisible: 0, confusable: 0, spaced: 0, leetspeak: 0 };
  const compatible = toCompatible(withoutLinks(bounded, links), disguises);
  let settled = undisguise(compatible, disguises);
  let left = MAX_AGAIN;
  for (let pass = 1; pass < MAX_PASSES && settled.length <= left; pass += 1) {
    left -= settled.length;
    const again = undisguise(toCompatible(withoutLinks(settled, findLinks(settled)), disguises), disguises);
    if (again === settled) break;
    settled = again;
  }
  const isWhole = text.length <= MAX_TEXT_LENGTH && compatible.length <= MAX_NORMALIZED_LENGTH;
  return {
    text: settled,
    isWhole,
    links: withWritten(links, { written, bounded }),
    disguises,
    capitals: shareOfCapitals(bounded),
  };
}

/** Adds the links of the text as written, which some programs open instead. */
function withWritten(
  links: readonly FoundLink[],
  { written, bounded }: { written: string; bounded: string },
): readonly FoundLink[] {
  if (written === bounded) return links;
  const known = new Set(links.map(({ url }) => url));
  return [...links, ...findLinks(written).filter(({ url }) => !known.has(url))].slice(0, MAX_LINKS);
}

function withoutLinks(text: string, links: readonly FoundLink[]): string {
  if (links.length === 0) return text;
  let output = '';
  let position = 0;
  for (const { start, end } of links) {
    output += `${text.slice(position, start)} ${LINK_PLACEHOLDER} `;
    position = end;
  }
  return output + text.slice(position);
}

type Counts = { -readonly [Kind in keyof Disguises]: number };

function toCompatible(text: string, counts: Counts): string {
  const visible = stripInvisible(text);
  counts.invisible += visible.removed;
  return decodeReferences(visible.text.normalize('NFKC'));
}

function undisguise(compatible: string, counts: Counts): string {
  // Truncated first: otherwise each step would process up to eighteen times as much.
  const latin = foldConfusables(compatible.slice(0, MAX_NORMALIZED_LENGTH));
  const joined = joinSpaced(latin.text);
  const words = foldLeetspeak(joined.text);
  counts.confusable += latin.folded;
  counts.spaced += joined.joined;
  counts.leetspeak += words.folded;
  return repairMisspelt(splitJoined(splitCapitalized(words.text)))
    .toLowerCase()
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, MAX_NORMALIZED_LENGTH)
    .trimEnd();
}

function shareOfCapitals(text: string): number {
  let capitals = 0;
  let letters = 0;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code >= 0x61 && code <= 0x7a) letters += 1;
    else if (code >= 0x41 && code <= 0x5a) capitals += 1;
  }
  return capitals === 0 ? 0 : capitals / (capitals + letters);
}
