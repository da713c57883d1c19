import { LANGUAGES } from './languages/languages.ts';
import { type DeniableWords, isNegated, LATE_NEGATIONS, NEGATIONS, negatesBetween } from './negation.ts';
import { PhraseIndex } from './phrase-index.ts';
import { placesOf, type ReadWords } from './read-words.ts';
import type { TacticWords } from './tactic-words.ts';
import { TACTICS, type Tactic } from './tactics.ts';

type Role = 'phrase' | 'verb' | 'final_verb' | 'noun';

type WordMeaning = { readonly tactic: Tactic; readonly role: Role } | 'negation' | 'late_negation';

interface Span {
  readonly start: number;
  /** Behind the last word. */
  readonly end: number;
}

interface Verb extends Span {
  /** Whether the verb may follow its noun. */
  readonly isFinal: boolean;
}

/** The positions of the words of a tactic in a text. */
interface Places {
  readonly phrases: Span[];
  /** By the position of their first word. */
  readonly verbs: Map<number, Verb>;
  readonly nouns: Span[];
}

const TACTIC_WORDS: Readonly<Record<Tactic, TacticWords>> = TACTICS;
/** Words between a verb of asking and its noun. */
const NEAR = 6;
/** "We will send the code" asks for nothing, and neither does "your call" or "tried to confirm". */
const NOT_ASKING = new Set(
  (
    'base hourly weekly monthly i we they he she it ll d ve who your the this that my our his her no unable of for ' +
    'wir ich er nous je il ils elle nosotros yo noi io wij ik eu nos kami vi jag'
  ).split(' '),
);
const FAILED = new Set(
  'tried try unable attempted attempting used going failed want wanted like how able'.split(' '),
);
const AUXILIARY = /^(?:will|can|could|may|have|had|did|would|shall)$/;
const PERSON = new Set('you u ya please'.split(' '));
/** "Wir senden" and "senden wir" have the same subject. */
const SUBJECTS_BEHIND = new Set('wir ich we'.split(' '));
/** A code for something else than to sign in. */
const OTHER_CODES =
  /^(?:zip|postal|post|promo|discount|qr|voucher|gift|sort|area|source|dress|coupon|card|cards|referral|booking|access|postale|promocional|promotionnel|descuento|sconto|desconto)$/;
/** Their phrases deny something themselves: "do not tell anyone", "could not be delivered". */
const DENYING: ReadonlySet<Tactic> = new Set([
  'secrecy',
  'unreachable',
  'delivery_problem',
  'payment_problem',
  'unknown_activity',
]);

const MEANINGS = collectMeanings();

/** Finds how a text manipulates: complete phrases, and verbs of asking near their nouns; neither when denied. */
export function findTactics(read: ReadWords): Set<Tactic> {
  const found = new Set<Tactic>();
  const { said, places } = findPlaces(read);
  for (const [tactic, { phrases, verbs, nouns }] of places) {
    if (
      phrases.some(({ start, end }) => DENYING.has(tactic) || !isNegated(said, start, end)) ||
      nouns.some((noun) => asksFor(said, noun, { tactic, verbs }))
    )
      found.add(tactic);
  }
  if (found.has('irrevocable_payment')) {
    // The codes of gift cards, and the payment itself.
    found.delete('one_time_code');
    found.delete('fee');
  }
  return found;
}

function findPlaces(read: ReadWords): { said: DeniableWords; places: ReadonlyMap<Tactic, Places> } {
  const negations = new Set<number>();
  const lateNegations = new Set<number>();
  const places = new Map<Tactic, Places>();
  MEANINGS.forEachIn(read.words, (meanings, start, end) => {
    for (const meaning of meanings) {
      if (meaning === 'negation') negations.add(start);
      else if (meaning === 'late_negation') lateNegations.add(start);
      else addPlace(placesOfTactic(places, meaning.tactic), meaning.role, { start, end });
    }
  });
  return { said: { read, negations, lateNegations }, places };
}

function placesOfTactic(places: Map<Tactic, Places>, tactic: Tactic): Places {
  const known = places.get(tactic);
  if (known !== undefined) return known;
  const added: Places = { phrases: [], verbs: new Map(), nouns: [] };
  places.set(tactic, added);
  return added;
}

function addPlace({ phrases, verbs, nouns }: Places, role: Role, span: Span): void {
  if (role === 'phrase') phrases.push(span);
  else if (role === 'noun') nouns.push(span);
  else verbs.set(span.start, { ...span, isFinal: role === 'final_verb' });
}

function asksFor(
  said: DeniableWords,
  noun: Span,
  { tactic, verbs }: { tactic: Tactic; verbs: ReadonlyMap<number, Verb> },
): boolean {
  const { start, end } = noun;
  const { words, sentences } = said.read;
  if (verbs.size === 0) return false;
  if (tactic === 'one_time_code' && isOtherCode(words, noun)) return false;
  const { states } = TACTIC_WORDS[tactic];
  const near = placesOf(NEAR, words[start]);
  const last = Math.min(words.length, end + near);
  for (let at = Math.max(0, start - near - 1); at < last; at += 1) {
    const verb = verbs.get(at);
    if (verb === undefined || (at >= start && at < end) || sentences[at] !== sentences[start]) continue;
    if (states === undefined ? isRequest(said, verb, noun) : states === 'any' || isAffirmed(said, verb, noun))
      return true;
  }
  return false;
}

function isOtherCode(words: readonly string[], { start, end }: Span): boolean {
  return OTHER_CODES.test(words[start - 1] ?? '') || OTHER_CODES.test(words[end] ?? '');
}

function isAffirmed(said: DeniableWords, verb: Verb, noun: Span): boolean {
  const [first, last] = [Math.min(verb.start, noun.start), Math.max(verb.start + 1, noun.end)];
  return !isNegated(said, first, last) && !negatesBetween(said, first, last);
}

function isRequest(said: DeniableWords, { start: verb, end, isFinal }: Verb, noun: Span): boolean {
  const { words, clauses } = said.read;
  const isBefore = verb < noun.start;
  // In some languages the verb may follow its noun, in the same clause: "den Code eingeben".
  if (
    !isBefore &&
    !(clauses[verb] === clauses[noun.start] && (isFinal || isFinalVerb(words[verb] as string)))
  ) {
    // "I sent you a code, text it back".
    if (!/^(?:it|them)$/.test(words[verb + 1] ?? '')) return false;
  }
  if (!isBefore && (words[verb - 1] ?? '') === 'wird') return false;
  if (isSaidOfOthers(said.read, verb)) return false;
  const first = Math.min(verb, noun.start);
  const last = isBefore ? noun.end : end;
  return !isNegated(said, first, last) && !negatesBetween(said, first, last);
}

function isFinalVerb(word: string): boolean {
  return word.length > 4 && word.endsWith('en');
}

/** Returns whether another person than the reader does it. */
function isSaidOfOthers({ words, clauses }: ReadWords, verb: number): boolean {
  const before = [words[verb - 1], words[verb - 2], words[verb - 3]].filter(
    (word, at) => word !== undefined && clauses[verb - 1 - at] === clauses[verb],
  ) as string[];
  if (SUBJECTS_BEHIND.has(words[verb + 1] ?? '') && clauses[verb + 1] === clauses[verb]) return true;
  const [near = '', second = ''] = before;
  if (before.some((word) => PERSON.has(word)))
    return FAILED.has(near) || (near === 'to' && FAILED.has(second));
  // "If you do not want them to see this send bitcoin".
  if (near === 'this' && /^(?:send|pay|buy)$/.test(words[verb] as string)) return false;
  if (NOT_ASKING.has(near) || AUXILIARY.test(near)) return true;
  if (near === 'to') return FAILED.has(second) || NOT_ASKING.has(second);
  return NOT_ASKING.has(second) && /^(?:also|already|just|always)$/.test(near);
}

function collectMeanings(): PhraseIndex<WordMeaning> {
  const meanings = new PhraseIndex<WordMeaning>();
  for (const words of [TACTIC_WORDS, ...LANGUAGES.map(({ tactics }) => tactics)])
    for (const [name, list] of Object.entries(words)) addTactic(meanings, name as Tactic, list);
  for (const phrase of NEGATIONS) meanings.add(phrase, 'negation');
  for (const phrase of LATE_NEGATIONS) meanings.add(phrase, 'late_negation');
  return meanings;
}

function addTactic(meanings: PhraseIndex<WordMeaning>, tactic: Tactic, words: TacticWords): void {
  const { phrases = [], verbs = [], finalVerbs = [], nouns = [] } = words;
  const add = (list: readonly string[], role: Role) => {
    for (const phrase of new Set(list)) meanings.add(phrase, { tactic, role });
  };
  add(phrases, 'phrase');
  add(verbs, 'verb');
  add(finalVerbs, 'final_verb');
  add(nouns, 'noun');
}
