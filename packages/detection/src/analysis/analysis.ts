import type { Channel, Content } from '../content.ts';
import type { Finding } from '../finding.ts';
import type { IndicatorKey } from '../indicators/indicator.ts';

/**
 * What content holds, read once and without any store: the keys under which indicators of it would be found, and what
 * the models and format readers found. Plain data, so that it can come from a worker.
 */
export interface Analysis {
  readonly type: Content['type'];
  readonly channel?: Channel;
  readonly keys: readonly IndicatorKey[];
  readonly findings: readonly Finding[];
  /** Clauses for people on why it looks as it does, the most telling first: "it asks for a one-time code". They score nothing. */
  readonly reasons: readonly string[];
  /** Probability by the models when they could judge; left out when nothing could. */
  readonly score?: number;
  /** Why nothing could judge it, or not all of it, as a clause. */
  readonly unsupported?: string;
}
