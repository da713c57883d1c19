import type { Finding, Verdict } from '../finding.ts';
import type { ThreatCategory, ThreatType } from '../threat-type.ts';
import type { Language } from '../wording/language.ts';

/** The type of content and the reasons: the result of every scan, on the device and in the service. */
export interface Classification {
  /** `unsupported`: the content cannot be analyzed, which is not an all-clear. */
  readonly status: 'completed' | 'unsupported';
  readonly verdict: Verdict;
  readonly threatDetected: boolean;
  readonly threatType: ThreatType | 'none';
  readonly category: ThreatCategory | null;
  /** Probability that it is a threat, 0 to 1. */
  readonly confidence: number;
  /** One sentence: what was found, against which threshold. */
  readonly details: string;
  /** The language of `details`. The evidence of the findings is always in English. */
  readonly language: Language;
  /** The decisive finding first. */
  readonly findings: readonly Finding[];
  /** Left out when no model is loaded. */
  readonly modelVersion?: string;
}
