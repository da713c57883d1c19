import type { ReadWords } from './read-words.ts';

const REACH = 5;
const AFTER = 3;
/** Words that deny, of the languages that the model learned; "don't" is read as "don" and "t". */
const NEGATIONS = new Set(
  (
    'never not dont t nobody no nothing anything wont cannot cant without nichts rien nada niente niets ' +
    'nicht nie niemals kein keine keinen keinem ohne ' +
    'ne pas jamais aucun aucune sans nunca jamas ningun ninguna sin ' +
    'non mai nessun nessuna senza niet nooit geen zonder nao nem nenhum nenhuma sem'
  ).split(' '),
);
/** In German and Dutch, the denial follows the object: "geben Sie den Code nicht weiter". */
const LATE_NEGATIONS = new Set('nicht nie niemals niet nooit'.split(' '));
const CONDITIONS = new Set(
  'if unless wenn falls sollten si se caso als indien wer who didnt wasnt otherwise'.split(' '),
);

/**
 * Returns whether the words from `start` to before `end` are denied, in their sentence. "If this was not you, call us"
 * denies nothing.
 */
export function isNegated({ words, sentences, clauses }: ReadWords, start: number, end: number): boolean {
  for (let at = start - 1; at >= Math.max(0, start - REACH) && sentences[at] === sentences[start]; at -= 1) {
    if (!NEGATIONS.has(words[at] as string)) continue;
    if (!isConditional({ words, sentences }, at)) return true;
  }
  for (let at = end; at < Math.min(words.length, end + AFTER) && clauses[at] === clauses[end - 1]; at += 1) {
    if (LATE_NEGATIONS.has(words[at] as string)) return true;
  }
  return false;
}

/** Returns whether a word between two positions denies. */
export function negatesBetween({ words }: ReadWords, start: number, end: number): boolean {
  for (let at = start; at < end; at += 1) if (NEGATIONS.has(words[at] as string)) return true;
  return false;
}

/** "If you did not ask for this": the condition is not what the message asks. */
function isConditional({ words, sentences }: Pick<ReadWords, 'words' | 'sentences'>, at: number): boolean {
  for (let before = at; before >= Math.max(0, at - 4) && sentences[before] === sentences[at]; before -= 1) {
    if (CONDITIONS.has(words[before] as string)) return true;
  }
  return false;
}
