import type { ThreatType } from '../threat-type.ts';
import { TACTICS, type Tactic } from './tactics.ts';
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

interface PhraseCue {
  readonly tactic?: Tactic;
  readonly topic?: { readonly type: ThreatType; readonly points: number };
}

const STRONG = 3;
/** Names of a one-time code, and verbs that ask for it. */
const CODE_WORDS = new Set(['code', 'codes', 'otp', 'passcode', 'pin', 'tan', 'kode', 'codigo']);
const ASKING = new Set([
  'send',
  'share',
  'tell',
  'forward',
  'give',
  'reply',
  'read',
  'provide',
  'text',
  'screenshot',
]);
const NEGATING = /^(?:never|not|dont|nobody|anyone|wont)$/;
/** Words between the verb and the code: "send me the 6 digit code". */
const ASKING_REACH = 9;

const CUES_BY_PHRASE: ReadonlyMap<string, readonly PhraseCue[]> = collectPhraseCues();
/** The beginnings of known phrases of more than one word. */
const BEGINNINGS: ReadonlySet<string> = new Set([...CUES_BY_PHRASE.keys()].flatMap(beginningsOf));

/** Finds the cues in the words of a normalized text, in one pass. */
export function findCues(words: readonly string[]): Cues {
  const tactics = new Set<Tactic>();
  const topics = new Map<ThreatType, number>();
  for (const cues of findPhraseCues(words)) {
    for (const { tactic, topic } of cues) {
      if (tactic) tactics.add(tactic);
      if (topic) topics.set(topic.type, (topics.get(topic.type) ?? 0) + topic.points);
    }
  }
  if (asksForCode(words)) tactics.add('one_time_code');
  return { tactics, topics };
}

/** Returns the meanings of the known phrases in the words; a repeated phrase counts once. */
function findPhraseCues(words: readonly string[]): Iterable<readonly PhraseCue[]> {
  const found = new Map<string, readonly PhraseCue[]>();
  words.forEach((word, start) => {
    let phrase = word;
    for (let next = start + 1; ; next += 1) {
      const cues = CUES_BY_PHRASE.get(phrase);
      if (cues) found.set(phrase, cues);
      if (next >= words.length || !BEGINNINGS.has(phrase)) return;
      phrase = `${phrase} ${words[next]}`;
    }
  });
  return found.values();
}

/** "Send me the code" is a request; "never share this code" is the genuine message that carries one. */
function asksForCode(words: readonly string[]): boolean {
  return words.some((word, index) => {
    if (!ASKING.has(word) || isNegated(words, index)) return false;
    return words.slice(index + 1, index + 1 + ASKING_REACH).some((later) => CODE_WORDS.has(later));
  });
}

function isNegated(words: readonly string[], index: number): boolean {
  return words.slice(Math.max(0, index - 4), index).some((word) => NEGATING.test(word));
}

function beginningsOf(phrase: string): string[] {
  const words = phrase.split(' ');
  return words.slice(1).map((_, at) => words.slice(0, at + 1).join(' '));
}

function collectPhraseCues(): Map<string, PhraseCue[]> {
  const cues = new Map<string, PhraseCue[]>();
  const add = (phrase: string, cue: PhraseCue) => {
    cues.set(phrase, [...(cues.get(phrase) ?? []), cue]);
  };
  for (const [tactic, { phrases }] of Object.entries(TACTICS)) {
    for (const phrase of phrases) add(phrase, { tactic: tactic as Tactic });
  }
  for (const [name, { strong, weak }] of Object.entries(TOPICS)) {
    const type = name as ThreatType;
    for (const phrase of strong) add(phrase, { topic: { type, points: STRONG } });
    for (const phrase of weak) add(phrase, { topic: { type, points: 1 } });
  }
  return cues;
}
