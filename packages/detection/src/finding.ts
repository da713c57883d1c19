import type { ThreatCategory, ThreatType } from './threat-type.ts';

export type Verdict = 'allow' | 'warn' | 'block';

/** Who can find something. The names stand in answers. */
export type DetectorName =
  | 'indicators'
  | 'tenant_indicators'
  | 'url_model'
  | 'text_model'
  | 'app_permissions'
  | 'file_format'
  | 'yara'
  | 'clamav'
  | 'content_credentials';

/** What one detector found, and what it rests on. */
export interface Finding {
  readonly detector: DetectorName;
  readonly threatType: ThreatType;
  /** The type's own unless something surer names another. */
  readonly category: ThreatCategory;
  /** Probability, 0 to 1. */
  readonly confidence: number;
  /** A clause without the content itself: no message, no full address. At most 300 characters. */
  readonly evidence: string;
  /**
   * What this finding asks for by itself, whatever the probability of all together: an indicator `block`, a dual-use tool
   * `warn`. Left out by models, for which the thresholds speak.
   */
  readonly minimumVerdict?: Verdict;
}
