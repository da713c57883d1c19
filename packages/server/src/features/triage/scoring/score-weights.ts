import type { Severity } from '@tps/contract';

/**
 * What counts how much. Points say how likely it is that the case is a genuine threat that somebody must deal with; the
 * sum, held between 0 and 100, is the score. Documented for analysts in docs/triage.md: a test compares the two.
 */
export const WEIGHTS = {
  /** A policy of the tenant warned of it or blocked it, and nobody has taken that back. */
  decision: { warned: 12, blocked: 18 },
  /** Times the highest confidence, from 0 to 1. */
  confidence: 30,
  severity: { low: 0, medium: 4, high: 10, critical: 15 } satisfies Record<Severity, number>,
  /** By the number of warnings and blocks about the same, in the case and on its devices in the 7 days before. */
  recurrence: { twice: 4, several: 7, many: 10 },
  /** By the number of devices that have seen the same indicators. */
  spread: { two: 8, several: 12, many: 15 },
  campaign: 10,
  /** Earlier incidents of these devices and categories that turned out to be true. */
  earlierTrue: { one: 5, several: 8 },
  indicators: { named: 4, none: -6 },
  scan: { block: 20, warn: 10, allow: -10 },
  /** Times the share of false alarms among what the same policy raised and people have judged. */
  policyFalse: -24,
  /** False alarms in which the very same indicator was seen, on several devices. */
  sameIndicatorFalse: -25,
  /** All decisions of the case were taken back. Where some stand, those are scored and this is nothing. */
  withdrawn: -45,
  contradiction: -12,
  policyState: { unknown: -3, off: -5, belowThreshold: -10 },
  /** What a device with a broken chain says is worth less: somebody else may hold its key. */
  integrity: { gap: -4, fork: -8 },
} as const;

export const BANDS = {
  /** From this score on a case is likely genuine. */
  genuineFrom: 60,
  /** Up to this score it is likely a false alarm. */
  falseUpTo: 30,
} as const;

/** What is known from other cases: it can make a case unclear, never a false alarm by itself. */
export const PRECEDENT_REASONS: readonly string[] = ['policy_false', 'same_indicator_false', 'policy_state'];

/** Rises with each change of weights, bands or rules: two reports of one version can be compared. */
export const METHOD_VERSION = 'incident_triage_v1, weights 2';
