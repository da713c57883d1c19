import { isNegated, negatesBetween } from './negation.ts';
import { PhraseIndex } from './phrase-index.ts';
import type { ReadWords } from './read-words.ts';
import type { TacticWords } from './tactic-words.ts';
import { TACTICS, type Tactic } from './tactics.ts';

type Role = 'phrase' | 'verb' | 'noun';

interface WordMeaning {
  readonly tactic: Tactic;
  readonly role: Role;
}

interface Span {
  readonly start: number;
  /** Behind the last word. */
  readonly end: number;
}

const TACTIC_WORDS: Readonly<Record<Tactic, TacticWords>> = TACTICS;
/** Words between a verb of asking and its noun. */
const NEAR = 6;
/** "We will send the code" asks for nothing, and neither does "your call" or "tried to confirm". */
const NOT_ASKING = new Set(
  (
    'base hourly weekly monthly i we they he she it ll d ve who your the this that my our his her no unable of for ' +
    'wir ich er nous je il ils elle nosotros yo noi io wij ik eu nos'
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
  const verbs = new Map<Tactic, Set<number>>();
  const nouns: (Span & { tactic: Tactic })[] = [];
  MEANINGS.forEachIn(read.words, (meanings, start, end) => {
    for (const { tactic, role } of meanings) {
      if (role === 'noun') nouns.push({ start, end, tactic });
      else if (role === 'verb') verbs.set(tactic, (verbs.get(tactic) ?? new Set()).add(start));
      else if (!found.has(tactic) && (DENYING.has(tactic) || !isNegated(read, start, end))) found.add(tactic);
    }
  });
  for (const noun of nouns) {
    const { tactic } = noun;
    if (!found.has(tactic) && asksFor(read, noun, { tactic, verbs: verbs.get(tactic) })) found.add(tactic);
  }
  if (found.has('irrevocable_payment')) {
    // The codes of gift cards, and the payment itself.
    found.delete('one_time_code');
    found.delete('fee');
  }
  return found;
}

function asksFor(
  read: ReadWords,
  { start, end }: Span,
  { tactic, verbs }: { tactic: Tactic; verbs: ReadonlySet<number> | undefined },
): boolean {
  const { words, sentences } = read;
  if (verbs === undefined) return false;
  if (tactic === 'one_time_code' && isOtherCode(words, { start, end })) return false;
  const { states } = TACTIC_WORDS[tactic];
  for (let verb = Math.max(0, start - NEAR - 1); verb < Math.min(words.length, end + NEAR); verb += 1) {
    if (!verbs.has(verb) || (verb >= start && verb < end) || sentences[verb] !== sentences[start]) continue;
    if (
      states === undefined
        ? isRequest(read, verb, { start, end })
        : states === 'any' || isAffirmed(read, verb, { start, end })
    )
      return true;
  }
  return false;
}

function isOtherCode(words: readonly string[], { start, end }: Span): boolean {
  return OTHER_CODES.test(words[start - 1] ?? '') || OTHER_CODES.test(words[end] ?? '');
}

function isAffirmed(read: ReadWords, verb: number, { start, end }: Span): boolean {
  const [first, last] = [Math.min(verb, start), Math.max(verb + 1, end)];
  return !isNegated(read, first, last) && !negatesBetween(read, first, last);
}

function isRequest(read: ReadWords, verb: number, { start, end }: Span): boolean {
  const { words, clauses } = read;
  const isBefore = verb < start;
  // German and Dutch put the verb last, and in the same clause: "den Code eingeben".
  if (!isBefore && !(clauses[verb] === clauses[start] && isFinalVerb(words[verb] as string))) {
    // "I sent you a code, text it back".
    if (!/^(?:it|them)$/.test(words[verb + 1] ?? '')) return false;
  }
  if (!isBefore && (words[verb - 1] ?? '') === 'wird') return false;
  if (isSaidOfOthers(read, verb)) return false;
  const first = Math.min(verb, start);
  const last = isBefore ? end : verb + 1;
  return !isNegated(read, first, last) && !negatesBetween(read, first, last);
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
  for (const [name, { phrases = [], verbs = [], nouns = [] }] of Object.entries(TACTIC_WORDS)) {
    const tactic = name as Tactic;
    const add = (list: readonly string[], role: Role) => {
      for (const phrase of new Set(list)) meanings.add(phrase, { tactic, role });
    };
    add(phrases, 'phrase');
    add(verbs, 'verb');
    add(nouns, 'noun');
  }
  return meanings;
}
