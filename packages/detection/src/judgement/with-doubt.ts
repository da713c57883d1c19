import type { Finding } from './finding.ts';

/** Gives a finding of a model another confidence. What asks for a verdict by itself is as sure as it says, wherever it stands. */
export function withDoubt(finding: Finding, doubt: (confidence: number) => number): Finding {
  return finding.asksFor === undefined ? { ...finding, confidence: doubt(finding.confidence) } : finding;
}
