import { CYRILLIC_LOOK_ALIKES } from '../cyrillic-look-alikes.ts';
import { type TextDocument, toDocument } from './text-document.ts';

/** Changes a text so that a word filter may miss it although a person can still read it. */
export type Disguise = (text: string, random: () => number) => string;

const LEET: Readonly<Record<string, string>> = { a: '@', e: '3', i: '1', o: '0', s: '$' };
/** Signs that are seldom used for letters, or for another letter than usual. */
const SIGNS: Readonly<Record<string, string>> = {
  a: '4',
  b: '6',
  c: '(',
  g: '9',
  i: '!',
  l: '1',
  t: '+',
  z: '2',
};
const INVISIBLE = ['\u200b', '\u200c', '\u2060', '\u00ad'];
/** A link that can be said: a host, and a path of plain names. */
const LINK = /\b(?:https?:\/\/)?((?:[a-z0-9-]+\.)+[a-z]{2,})((?:\/[\w-]+)*)\/?(?=\s|$)/gi;
const WORD = /[A-Za-z]{4,}/g;
/** The share of words, or of letters in a word, that are changed. */
const DISGUISED_SHARE = 0.7;

/** The evasions that are measured, by name. Links are not changed: the URL model scores them. */
export const DISGUISES: Readonly<Record<string, Disguise>> = {
  homoglyphs: byWord((word, random) =>
    mapLetters(word, (letter) => (random() < DISGUISED_SHARE ? CYRILLIC_LOOK_ALIKES[letter] : undefined)),
  ),
  leetspeak: byWord((word, random) =>
    random() < DISGUISED_SHARE
      ? word.slice(0, 1) + mapLetters(word.slice(1, -1), (letter) => LEET[letter]) + word.slice(-1)
      : word,
  ),
  spacing: byWord((word, random) => (random() < DISGUISED_SHARE ? ` ${[...word].join(' ')} ` : word)),
  invisible: byWord((word, random) =>
    mapLetters(word, (letter) =>
      random() < DISGUISED_SHARE ? letter + INVISIBLE[Math.floor(random() * INVISIBLE.length)] : undefined,
    ),
  ),
  references: byWord((word, random) =>
    mapLetters(word, (letter) => (random() < DISGUISED_SHARE ? `&#${letter.charCodeAt(0)};` : undefined)),
  ),
  overrides: byWord((word, random) =>
    random() < DISGUISED_SHARE ? `\u202e${[...word].reverse().join('')}\u202c` : word,
  ),
  signs: byWord((word, random) =>
    random() < DISGUISED_SHARE
      ? word.slice(0, 1) + mapLetters(word.slice(1, -1), (letter) => SIGNS[letter]) + word.slice(-1)
      : word,
  ),
  swapped: byWord((word, random) => (random() < DISGUISED_SHARE ? swapLetters(word, random) : word)),
  joined: (text) => betweenWords(text.toLowerCase(), ''),
  underscores: (text) => betweenWords(text, '_'),
  spelt_links: (text) => text.replace(LINK, spellOut),
  capitals: (text) =>
    text.replace(
      /(?<![.@/:])\b([A-Za-z])([A-Za-z']*)[ ]+(?=[A-Za-z])/g,
      (_, first: string, rest: string) => first.toUpperCase() + rest.toLowerCase(),
    ),
};

/** Swaps two letters inside a word, so that its first and last letters stay. */
function swapLetters(word: string, random: () => number): string {
  const at = 1 + Math.floor(random() * (word.length - 3));
  return `${word.slice(0, at)}${word.charAt(at + 1)}${word.charAt(at)}${word.slice(at + 2)}`;
}

/** Replaces the blanks between words, not those beside links. */
function betweenWords(text: string, separator: string): string {
  return text.replace(/(?<=(?:^|\s)[A-Za-z']+) +(?=[A-Za-z']+[,.!?]?(?:\s|$))/g, separator);
}

function spellOut(_link: string, host: string, path = ''): string {
  return `${host.replaceAll('.', ' dot ')}${path.replaceAll('/', ' slash ')}`;
}

function byWord(change: (word: string, random: () => number) => string): Disguise {
  return (text, random) =>
    text
      .split(/(\s+)/)
      .map((part) =>
        /[./@:]/.test(part.slice(0, -1)) ? part : part.replace(WORD, (word) => change(word, random)),
      )
      .join('');
}

function mapLetters(word: string, map: (letter: string) => string | undefined): string {
  return Array.from(word, (letter) => map(letter) ?? letter).join('');
}

/** Adds at least this many benign words before or behind a text. */
export function pad(
  text: string,
  benign: readonly string[],
  { random, words }: { random: () => number; words: number },
): string {
  const padding: string[] = [];
  for (let count = 0; count < words && benign.length > 0; ) {
    const piece = benign[Math.floor(random() * benign.length)] ?? '';
    padding.push(piece);
    count += piece.split(/\s+/).length;
  }
  return random() < 0.5 ? `${padding.join(' ')} ${text}` : `${text} ${padding.join(' ')}`;
}

const PADDED_SHARE = 0.4;
const PADDING_WORDS = 110;

/**
 * Returns some of the threats again with benign words around them, and benign texts joined to the same
 * length.
 */
export function padWithBenign(documents: readonly TextDocument[], random: () => number): TextDocument[] {
  const short = documents.filter(({ words }) => words.length < 60);
  const benign = short.filter(({ threat }) => !threat).map(({ text }) => text.text.text);
  return short.flatMap(({ source, threat, weight, key, text }) => {
    if (random() >= PADDED_SHARE) return [];
    const content = pad(text.text.text, benign, { random, words: PADDING_WORDS });
    return toDocument({ content, source, threat, weight, key, padded: true }) ?? [];
  });
}
