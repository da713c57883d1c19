import type { PostOutcome } from '../../../platform/outbound/outcome.ts';
import type { ClaimedDelivery } from './claimed-delivery.ts';
import type { Verdict } from './retry-policy.ts';

/** An attempt that was made, and what follows from it. */
export interface Attempt {
  readonly delivery: ClaimedDelivery;
  readonly outcome: PostOutcome;
  readonly verdict: Verdict;
  /** When its outcome was known. */
  readonly atMs: number;
}
