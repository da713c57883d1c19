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
  /** For each false alarm that the same policy raised, up to the most. */
  policyFalse: { each: -6, most: -24 },
  /** A false alarm in which the very same indicator was seen. */
  sameIndicatorFalse: -25,
  /** Times the share of the case's decisions that were taken back. */
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

/** Rises with each change of weights, bands or rules: two reports of one version can be compared. */
export const METHOD_VERSION = 'incident_triage_v1, weights 1';
