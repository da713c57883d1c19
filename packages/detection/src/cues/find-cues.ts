import type { ThreatType } from '../threat-type.ts';
import { findTactics } from './find-tactics.ts';
import type { ReadWords } from './read-words.ts';
import type { Tactic } from './tactics.ts';
import { TOPICS } from './topics.ts';

/**
 * What the words of a message reveal about the type of threat. Cues explain and name a threat; they do not
 * change its score.
 */
export interface Cues {
  readonly tactics: ReadonlySet<Tactic>;
  /** Points for each type that the words mention. */
  readonly topics: ReadonlyMap<ThreatType, number>;
}

interface TopicPoints {
  readonly type: ThreatType;
  readonly points: number;
}

const STRONG = 3;
const TOPICS_BY_PHRASE: ReadonlyMap<string, readonly TopicPoints[]> = collectTopics();
/** The beginnings of known phrases of more than one word. */
const BEGINNINGS: ReadonlySet<string> = new Set([...TOPICS_BY_PHRASE.keys()].flatMap(beginningsOf));

/** Finds the cues in the words of a normalized text. */
export function findCues(read: ReadWords): Cues {
  const topics = new Map<ThreatType, number>();
  for (const found of findTopicPhrases(read.words)) {
    for (const { type, points } of found) topics.set(type, (topics.get(type) ?? 0) + points);
  }
  return { tactics: findTactics(read), topics };
}

/** Returns the meanings of the known phrases in the words; a repeated phrase counts once. */
function findTopicPhrases(words: readonly string[]): Iterable<readonly TopicPoints[]> {
  const found = new Map<string, readonly TopicPoints[]>();
  words.forEach((word, start) => {
    let phrase = word;
    for (let next = start + 1; ; next += 1) {
      const topics = TOPICS_BY_PHRASE.get(phrase);
      if (topics) found.set(phrase, topics);
      if (next >= words.length || !BEGINNINGS.has(phrase)) return;
      phrase = `${phrase} ${words[next]}`;
    }
  });
  return found.values();
}

function beginningsOf(phrase: string): string[] {
  const words = phrase.split(' ');
  return words.slice(1).map((_, at) => words.slice(0, at + 1).join(' '));
}

function collectTopics(): Map<string, TopicPoints[]> {
  const topics = new Map<string, TopicPoints[]>();
  const add = (phrase: string, points: TopicPoints) => {
    topics.set(phrase, [...(topics.get(phrase) ?? []), points]);
  };
  for (const [name, { strong, weak }] of Object.entries(TOPICS)) {
    const type = name as ThreatType;
    for (const phrase of strong) add(phrase, { type, points: STRONG });
    for (const phrase of weak) add(phrase, { type, points: 1 });
  }
  return topics;
}
