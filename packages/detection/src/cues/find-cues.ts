import type { ThreatType } from '../threat-type.ts';
import { findTactics } from './find-tactics.ts';
import { LANGUAGES } from './languages/languages.ts';
import { PhraseIndex } from './phrase-index.ts';
import type { ReadWords } from './read-words.ts';
import type { Tactic } from './tactics.ts';
import { TOPICS } from './topics.ts';

/**
 * What the words of a message reveal about the type of threat. Cues explain and name a threat, and are features
 * of the text model: when they change, the model has to be trained again.
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
const TOPIC_PHRASES = collectTopics();

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
  const found = new Set<readonly TopicPoints[]>();
  TOPIC_PHRASES.forEachIn(words, (topics) => found.add(topics));
  return found;
}

function collectTopics(): PhraseIndex<TopicPoints> {
  const topics = new PhraseIndex<TopicPoints>();
  for (const [name, { strong, weak }] of Object.entries(TOPICS)) {
    const type = name as ThreatType;
    for (const phrase of strong) topics.add(phrase, { type, points: STRONG });
    for (const phrase of weak) topics.add(phrase, { type, points: 1 });
  }
  for (const language of LANGUAGES) {
    for (const [name, phrases] of Object.entries(language.topics)) {
      for (const phrase of phrases) topics.add(phrase, { type: name as ThreatType, points: STRONG });
    }
  }
  return topics;
}
