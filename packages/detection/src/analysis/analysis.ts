import type { Channel, Content } from '../content.ts';
import type { Finding } from '../finding.ts';
import type { IndicatorKey } from '../indicators/indicator.ts';
import type { Clause } from '../wording/clause.ts';

/**
 * The result of reading content once, without any store: the keys under which indicators would list it, and
 * the findings of the models and format readers. Plain data, so that a worker can return it.
 */
export interface Analysis {
  readonly type: Content['type'];
  readonly channel?: Channel;
  readonly keys: readonly IndicatorKey[];
  readonly findings: readonly Finding[];
  /** Why the content looks suspicious, the strongest first. Reasons do not change the score. */
  readonly reasons: readonly Clause[];
  /** Probability by the models; left out when no model applies. */
  readonly score?: number;
  /** Why the content, or a part of it, could not be analyzed. */
  readonly unsupported?: Clause;
  /**
   * The text could not be analyzed and has no link, number or code, so its verdict is `allow`. That is not an all-clear.
   */
  readonly hasNothingToFollow?: true;
}
