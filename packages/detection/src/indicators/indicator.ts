import type { ThreatCategory, ThreatType } from '../threat-type.ts';

export const INDICATOR_TYPES = ['domain', 'url', 'sha256', 'package', 'certificate'] as const;
export type IndicatorType = (typeof INDICATOR_TYPES)[number];
/** A longer URL is padding, or data. */
export const MAX_VALUE_LENGTH = 4096;

/** A sign of a threat, as a source states it. */
export interface Indicator {
  readonly type: IndicatorType;
  /**
   * In canonical form: a domain in lower-case A-labels (it covers its subdomains), a URL as host and path
   * prefix without scheme, hashes in lower-case hex, a package name as written.
   */
  readonly value: string;
  /** The source: a short name such as `stalkerware-indicators`. */
  readonly source: string;
  readonly category: ThreatCategory;
  readonly threatType: ThreatType;
  /** 0 to 1, as stated by the source or by the operator at import. */
  readonly confidence: number;
  /** What it belongs to, such as the name of a product or a campaign. At most 120 characters. */
  readonly label?: string;
  /** A tool with legitimate uses: a match alone never blocks. */
  readonly dualUse?: boolean;
  readonly validFromMs?: number;
  readonly validUntilMs?: number;
}

/** The key for lookups: SHA-256 of the canonical value, in hex. */
export interface IndicatorKey {
  readonly type: IndicatorType;
  readonly digest: string;
}

/** An indicator that content matched. */
export interface IndicatorMatch {
  readonly key: IndicatorKey;
  readonly indicator: Indicator;
}
