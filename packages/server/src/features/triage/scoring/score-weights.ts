import type { Severity } from '@tps/contract';

/**
 * The points of each reason. The score is their sum, limited to 0 to 100: how likely the case is a genuine threat that
 * someone must handle. Documented for analysts in docs/triage.md; a test compares the two.
 */
export const WEIGHTS = {
  /** A policy of the tenant warned or blocked, and the decision was not withdrawn. */
  decision: { warned: 12, blocked: 18 },
  /** Multiplied by the highest confidence, from 0 to 1. */
  confidence: 30,
  severity: { low: 0, medium: 4, high: 10, critical: 15 } satisfies Record<Severity, number>,
  /** By the number of related warnings and blocks, in the case and on its devices in the 7 days before. */
  recurrence: { twice: 4, several: 7, many: 10 },
  /** By the number of devices that have seen the same indicators. */
  spread: { two: 8, several: 12, many: 15 },
  campaign: 10,
  /** Earlier incidents of these devices and categories that were resolved as genuine. */
  earlierTrue: { one: 5, several: 8 },
  indicators: { named: 4, none: -6 },
  scan: { block: 20, warn: 10, allow: -10 },
  /** Multiplied by the share of false alarms among the resolved incidents of the same policy. */
  policyFalse: -24,
  /** False alarms with the very same indicator, on several devices. */
  sameIndicatorFalse: -25,
  /** All decisions of the case were corrected to allow. If some remain, only those are scored and this is 0. */
  withdrawn: -45,
  contradiction: -12,
  policyState: { unknown: -3, off: -5, belowThreshold: -10 },
  /** Reports of a device with a broken chain count less, because someone else may hold its key. */
  integrity: { gap: -4, fork: -8 },
} as const;

export const BANDS = {
  /** A case with at least this score is likely genuine. */
  genuineFrom: 60,
  /** A case with at most this score is likely a false alarm. */
  falseUpTo: 30,
} as const;

/** Reasons that come from other cases: they can make a case unclear, but never a false alarm. */
export const PRECEDENT_REASONS: readonly string[] = ['policy_false', 'same_indicator_false', 'policy_state'];

/** Increased with each change of weights, bands or rules, so that reports of the same version are comparable. */
export const METHOD_VERSION = 'incident_triage_v1, weights 2';
