import type { Finding, Verdict } from '../finding.ts';
import type { ThreatCategory, ThreatType } from '../threat-type.ts';

/** What content is, and why: the answer of every scan, on the device and in the service. */
export interface Classification {
  /** `unsupported`: nothing here can judge this content. That is no all-clear. */
  readonly status: 'completed' | 'unsupported';
  readonly verdict: Verdict;
  readonly threatDetected: boolean;
  readonly threatType: ThreatType | 'none';
  readonly category: ThreatCategory | null;
  /** Probability that it is a threat, 0 to 1. */
  readonly confidence: number;
  /** One sentence: what was found, by what, against which threshold. */
  readonly details: string;
  /** The decisive first. */
  readonly findings: readonly Finding[];
  readonly modelVersion: string;
}
