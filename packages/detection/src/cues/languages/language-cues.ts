import type { ThreatType } from '../../threat-type.ts';
import type { TacticWords } from '../tactic-words.ts';
import type { Tactic } from '../tactics.ts';

/** The cues of one language, beside those in `requests.ts`, `claims.ts`, `tactics.ts` and `topics.ts`. */
export interface LanguageCues {
  readonly tactics: Partial<Record<Tactic, TacticWords>>;
  /** Phrases that are rarely about anything else. */
  readonly topics: Partial<Record<ThreatType, readonly string[]>>;
}
