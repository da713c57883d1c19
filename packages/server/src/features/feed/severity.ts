import { SEVERITIES, type Severity } from '@tps/contract';

export function isAtLeast(severity: Severity, least: Severity): boolean {
  return SEVERITIES.indexOf(severity) >= SEVERITIES.indexOf(least);
}

/** What needs somebody soon: high and critical. */
export const GRAVE: readonly Severity[] = SEVERITIES.filter((severity) => isAtLeast(severity, 'high'));

export function graver(a: Severity, b: Severity): Severity {
  return isAtLeast(a, b) ? a : b;
}
