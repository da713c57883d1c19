import { SEVERITIES, type Severity } from '@tps/contract';

export function isAtLeast(severity: Severity, least: Severity): boolean {
  return SEVERITIES.indexOf(severity) >= SEVERITIES.indexOf(least);
}

/** High and critical: a person has to look at these soon. */
export const HIGH_SEVERITIES: readonly Severity[] = SEVERITIES.filter((severity) =>
  isAtLeast(severity, 'high'),
);

export function maxSeverity(a: Severity, b: Severity): Severity {
  return isAtLeast(a, b) ? a : b;
}
