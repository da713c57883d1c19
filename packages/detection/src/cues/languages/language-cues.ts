import type { ThreatType } from '../../threat-type.ts';
import type { TacticWords } from '../tactic-words.ts';
import type { Tactic } from '../tactics.ts';

/** The cues of one language, in addition to those in `requests.ts`, `claims.ts`, `tactics.ts` and `topics.ts`. */
export interface LanguageCues {
  readonly tactics: Partial<Record<Tactic, TacticWords>>;
  /** Phrases that are rarely about another topic. */
  readonly topics: Partial<Record<ThreatType, readonly string[]>>;
}
