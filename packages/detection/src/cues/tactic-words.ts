/** How the words of a tactic are recognized. Phrases are in lower case, without accents, words only. */
export interface TacticWords {
  /** Complete by themselves. */
  readonly phrases?: readonly string[];
  /** A verb of asking near a noun, in one sentence. */
  readonly verbs?: readonly string[];
  /** Verbs of asking that may also follow the noun, in the same clause. */
  readonly finalVerbs?: readonly string[];
  readonly nouns?: readonly string[];
  /** The verb and the noun only state something, so anyone may be the subject of the verb; denied too if `any`. */
  readonly states?: 'affirmed' | 'any';
}
