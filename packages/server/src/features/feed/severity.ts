import type { Severity } from '@tps/contract';
import { SEVERITIES } from '@tps/contract/vocabulary';

export function isAtLeast(severity: Severity, minimum: Severity): boolean {
  return SEVERITIES.indexOf(severity) >= SEVERITIES.indexOf(minimum);
}

/** High and critical: severities that a person should look at soon. */
export const HIGH_SEVERITIES: readonly Severity[] = SEVERITIES.filter((severity) =>
  isAtLeast(severity, 'high'),
);

export function maxSeverity(a: Severity, b: Severity): Severity {
  return isAtLeast(a, b) ? a : b;
}
