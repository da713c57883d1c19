import { parsePhrases } from './parse-phrases.ts';
import { placesOf, type ReadWords } from './read-words.ts';

const REACH = 5;
const AFTER = 3;
/** Words and phrases that deny, of the languages that the model learned; "don't" is read as "don" and "t". */
export const NEGATIONS = parsePhrases(`
  never, not, dont, t, nobody, no, nothing, anything, wont, cannot, cant, without, nichts, rien, nada, niente, niets,
  nicht, nie, niemals, kein, keine, keinen, keinem, ohne,
  ne, pas, jamais, aucun, aucune, sans, nunca, jamas, ningun, ninguna, sin,
  non, mai, nessun, nessuna, senza, niet, nooit, geen, zonder, nao, nem, nenhum, nenhuma, sem,
  jangan, jgn, tidak, tdk, bukan, tanpa, dilarang, degil, asla, hicbir, nigdy, bez, zaden, zadnych, nikomu,
  inte, aldrig, ingen, inga, utan, ej, khong, dung gui, dung cung cap, dung chia se, dung nhap, dung bam, dung chuyen,
  huwag, wag, hwag, hindi, walang, wala, не, ни, нет, никогда, никому, нельзя, без,
  नहीं, न, ना, मत, बिना, nahi, nahin, mat, bina, لا, لم, لن, ليس, بدون,
  อย่า, ห้าม, ไม่ต้อง, ไม่มี, ไม่ควร, ไม่ขอ, จะไม่, 勿, 不要, 不会, 不會, 不得, 不可, 不需, 不用, 绝不, 絕不,
  从不, 從不, 无需, 無需, 無須, 别告诉, 別告訴, 禁止`);
/** Words and phrases that follow what they deny: "geben Sie den Code nicht weiter". */
export const LATE_NEGATIONS = parsePhrases(`
  nicht, nie, niemals, niet, nooit, मत, mat, न, ないで, はいけ, ことはあり, 지 마, 지 않, 면 안, 안 됩, 안 돼`);
/** "Om" and "neu" are conditions in Swedish and Vietnamese, but "in order to" in Dutch and "new" in German. */
const CONDITIONS = new Set(
  parsePhrases(`
  if, unless, wenn, falls, sollten, si, se, caso, als, indien, wer, who, didnt, wasnt, otherwise,
  jika, jikalau, bila, kalau, agar, supaya, eger, jesli, jezeli, aby, zeby, ifall, kung, если, чтобы, यदि, अगर, إذا, اذا, لو,
  om det, om du, om inte, om ni, neu ban, neu chua, neu khong, neu quy`),
);

/** The words of a text, with the positions of those that deny. */
export interface DeniableWords {
  readonly read: ReadWords;
  readonly negations: ReadonlySet<number>;
  readonly lateNegations: ReadonlySet<number>;
}

/**
 * Returns whether the words from `start` to before `end` are denied, in their sentence. "If this was not you, call us"
 * denies nothing.
 */
export function isNegated(said: DeniableWords, start: number, end: number): boolean {
  const { words, sentences, clauses } = said.read;
  const first = Math.max(0, start - placesOf(REACH, words[start]));
  for (let at = start - 1; at >= first && sentences[at] === sentences[start]; at -= 1) {
    if (said.negations.has(at) && !isConditional(said.read, at)) return true;
  }
  const last = Math.min(words.length, end + placesOf(AFTER, words[end - 1]));
  for (let at = end; at < last && clauses[at] === clauses[end - 1]; at += 1) {
    if (said.lateNegations.has(at)) return true;
  }
  return false;
}

/** Returns whether a word between two positions denies. */
export function negatesBetween({ negations }: DeniableWords, start: number, end: number): boolean {
  for (let at = start; at < end; at += 1) if (negations.has(at)) return true;
  return false;
}

/** "If you did not ask for this": the condition is not what the message asks. */
function isConditional({ words, sentences }: ReadWords, at: number): boolean {
  for (let before = at; before >= Math.max(0, at - 4) && sentences[before] === sentences[at]; before -= 1) {
    const word = words[before] as string;
    if (CONDITIONS.has(word) || CONDITIONS.has(`${word} ${words[before + 1]}`)) return true;
  }
  return false;
}
