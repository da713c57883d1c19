import type { ThreatCategory, ThreatType } from './threat-type.ts';
import type { Clause } from './wording/clause.ts';

export type Verdict = 'allow' | 'warn' | 'block';

/** The detectors by the names that responses contain. */
export type DetectorName =
  | 'indicators'
  | 'tenant_indicators'
  | 'url_model'
  | 'text_model'
  | 'conversation'
  | 'app_permissions'
  | 'file_format'
  | 'yara'
  | 'clamav'
  | 'content_credentials';

/** The result of one detector, with its evidence. */
export interface Finding {
  readonly detector: DetectorName;
  readonly threatType: ThreatType;
  /** The category of the threat type, unless a stronger source names another. */
  readonly category: ThreatCategory;
  /** Probability, 0 to 1. */
  readonly confidence: number;
  /** A clause in English without the content itself: no message, no full URL. At most 300 characters. */
  readonly evidence: string;
  /** The evidence before it was put into words, for other languages. Left out if it exists in English only. */
  readonly clause?: Clause;
  /**
   * The verdict that this finding requires by itself, regardless of the combined probability: `block` for an
   * indicator, `warn` for a dual-use tool. Left out by models, whose thresholds decide.
   */
  readonly minimumVerdict?: Verdict;
}
