import type { Policy } from '../policy/schema.ts';
import type { Action, Severity, ThreatCategory } from '../schema/values.ts';

/** What a decision depends on. */
export interface DecisionInput {
  readonly threatCategory: ThreatCategory;
  /** Calibrated certainty, 0 to 1. */
  readonly confidence: number;
  /** How severe the threat is if the detection is correct. Without one, category and confidence determine it. */
  readonly severity?: Severity;
}

/** The policies to decide by. */
export interface PolicySet {
  /** The tenant's, in any order. */
  readonly policies: readonly Policy[];
  /** Used only for categories that no enabled policy of the tenant names. */
  readonly fallback: readonly Policy[];
}

/** What the policies decided on a detection. */
export interface Decision {
  readonly action: Action;
  readonly severity: Severity;
  readonly confidence: number;
  /** The policy that decided. */
  readonly policy: Pick<Policy, 'policy_id' | 'name' | 'version'>;
  /** One sentence for each policy considered, in order of precedence: why it did or did not decide. */
  readonly reasons: readonly string[];
}
