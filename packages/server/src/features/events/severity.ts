import { SEVERITIES, type Severity } from '@tps/contract';

export function isAtLeast(severity: Severity, least: Severity): boolean {
  return SEVERITIES.indexOf(severity) >= SEVERITIES.indexOf(least);
}

export function graver(a: Severity, b: Severity): Severity {
  return isAtLeast(a, b) ? a : b;
}
