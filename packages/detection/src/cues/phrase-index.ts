import { separateLetters } from '../normalize/unspaced-script.ts';

interface Branch<Meaning> {
  readonly next: Map<string, Branch<Meaning>>;
  meanings: Meaning[];
}

/**
 * Phrases of one or more words with their meanings, as a tree of words, because most words begin no phrase. Scripts
 * without spaces are matched letter by letter, as `readWords` reads them.
 */
export class PhraseIndex<Meaning> {
  readonly #root: Branch<Meaning> = { next: new Map(), meanings: [] };

  add(phrase: string, meaning: Meaning): void {
    let branch = this.#root;
    const words: string[] = [];
    for (const word of phrase.split(' ')) separateLetters(word, (part) => words.push(part));
    for (const word of words) {
      const known = branch.next.get(word);
      const next = known ?? { next: new Map(), meanings: [] };
      if (!known) branch.next.set(word, next);
      branch = next;
    }
    branch.meanings.push(meaning);
  }

  /**
   * Visits every phrase in the words, in order of its first word, the shorter first.
   *
   * @param visit receives the meanings of a phrase, the position of its first word, and the position after its last
   */
  forEachIn(
    words: readonly string[],
    visit: (meanings: readonly Meaning[], start: number, end: number) => void,
  ): void {
    for (let start = 0; start < words.length; start += 1) {
      let branch = this.#root.next.get(words[start] as string);
      for (let end = start + 1; branch !== undefined; end += 1) {
        if (branch.meanings.length > 0) visit(branch.meanings, start, end);
        if (branch.next.size === 0 || end === words.length) break;
        branch = branch.next.get(words[end] as string);
      }
    }
  }
}
