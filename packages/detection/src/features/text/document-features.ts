import type { Cues } from '../../cues/find-cues.ts';
import { TACTICS, type Tactic } from '../../cues/tactics.ts';
import { TOPICS } from '../../cues/topics.ts';
import type { ThreatType } from '../../threat-type.ts';

/**
 * Words of a window: few enough that padding does not dilute a scam, enough to distinguish it from small talk.
 */
export const SHORT_WINDOW = 12;
/** About the length of a text message. */
export const LONG_WINDOW = 30;
/**
 * What a message asks for and claims. Their order is part of the model. Not the wish to continue elsewhere: honest people
 * have it as often, so it counts by a rule that knows the sender (`in-conversation.ts`).
 */
const TACTIC_NAMES = (Object.keys(TACTICS) as Tactic[]).filter((tactic) => tactic !== 'elsewhere');
/** What it is about, in the order of the model. */
const TOPIC_NAMES = Object.keys(TOPICS) as ThreatType[];
export const DOCUMENT_FEATURES = 20 + TACTIC_NAMES.length + TOPIC_NAMES.length;
/** A topic with this many points is certain: one strong phrase, or three weak ones. */
const CERTAIN_POINTS = 3;
/**
 * A text of at most this many words is one message and counts as a whole; of a longer text the worst window
 * counts.
 */
const MESSAGE_WORDS = 45;
/** Length beyond this does not make a text more benign: padding costs an attacker nothing. */
const MAX_COUNTED_LENGTH = 31;

/** What describes a text beside the scores of its words. */
interface Traits {
  readonly words: readonly string[];
  /** Share of capitals among its letters. */
  readonly capitals: number;
  readonly cues: Cues;
}

/**
 * Describes a text by the scores of its most suspicious windows, by the signs that it contains, and by what it
 * asks for, claims and is about.
 *
 * @param scores of each word, in order
 */
export function documentFeatures(scores: Float64Array, { words, capitals, cues }: Traits): number[] {
  const sums = prefixSums(scores);
  const short = bestWindow(sums, SHORT_WINDOW);
  const long = bestWindow(sums, LONG_WINDOW);
  const other = Math.max(
    short.start > 0 ? bestWindow(sums.subarray(0, short.start + 1), SHORT_WINDOW).sum : -2,
    short.end < scores.length ? bestWindow(sums.subarray(short.end), SHORT_WINDOW).sum : -2,
  );
  const present = new Set(words);
  const isMessage = scores.length > 0 && scores.length <= MESSAGE_WORDS;
  const link = has(present.has('<link>'));
  const number = has(present.has('<phone>') || present.has('<5>'));
  return [
    short.sum,
    long.sum,
    Math.max(-4, Math.min(8, other)),
    Math.log2(1 + Math.min(MAX_COUNTED_LENGTH, scores.length)) - 4,
    link,
    has(present.has('<phone>')),
    has(present.has('<money>')),
    has(present.has('<email>')),
    scores.length > 3 && capitals > 0.3 ? 1 : 0,
    Math.max(0, 3 - scores.length),
    isMessage ? (sums[scores.length] as number) : 0,
    shareOfNumbers(words.slice(short.start, short.end)),
    isMessage ? Math.min(0.5, capitals) : 0,
    // The same words have another weight beside a way to act on them, and when they are the whole message.
    short.sum * link,
    short.sum * number,
    Math.max(link, number, has(present.has('<email>'))),
    has(isMessage),
    isMessage ? link : 0,
    isMessage ? number : 0,
    isMessage ? short.sum : 0,
    ...TACTIC_NAMES.map((tactic) => has(cues.tactics.has(tactic))),
    ...TOPIC_NAMES.map((topic) => Math.min(1, (cues.topics.get(topic) ?? 0) / CERTAIN_POINTS)),
  ];
}

/** Numbers, sums, phone numbers, percentages and links are tokens in angle brackets. */
function shareOfNumbers(words: readonly string[]): number {
  let numbers = 0;
  for (const word of words) if (word.charCodeAt(0) === 0x3c) numbers += 1;
  return numbers / Math.max(1, words.length);
}

export interface Window {
  readonly start: number;
  readonly end: number;
  readonly sum: number;
}

export function bestWindow(sums: Float64Array, size: number): Window {
  const length = sums.length - 1;
  if (length <= size) return { start: 0, end: length, sum: (sums[length] as number) - (sums[0] as number) };
  let best = 0;
  let highest = Number.NEGATIVE_INFINITY;
  for (let start = 0; start + size <= length; start += 1) {
    const sum = (sums[start + size] as number) - (sums[start] as number);
    if (sum > highest) {
      highest = sum;
      best = start;
    }
  }
  return { start: best, end: best + size, sum: highest };
}

export function prefixSums(scores: Float64Array): Float64Array {
  const sums = new Float64Array(scores.length + 1);
  for (let at = 0; at < scores.length; at += 1) sums[at + 1] = (sums[at] as number) + (scores[at] as number);
  return sums;
}

function has(value: boolean): number {
  return value ? 1 : 0;
}
