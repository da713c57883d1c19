import type { ScanFinding, Severity, ThreatCategory } from '@tps/contract';
import { evidenceOf, type Finding } from '@tps/detection';
import { toTimestamp } from '../../platform/time.ts';
import { isAtLeast } from '../feed/index.ts';

/** A threat of the tenant with an indicator that the content contains. */
interface KnownThreat {
  readonly threatId: string;
  readonly category: ThreatCategory;
  readonly confidence: number;
  readonly severity: Severity;
  readonly lastSeenAtMs: number;
}

export interface KnownThreats {
  /** Those of high severity first, then by confidence. */
  readonly threats: readonly KnownThreat[];
  /** How many devices have reported one of the indicators. */
  readonly devices: number;
}

/** Known threats with at least this confidence are blocked regardless of their severity. */
const BLOCK_CONFIDENCE = 0.8;

const DETECTOR = 'tenant_indicators';
const EVIDENCE_START = 'an indicator of ';

/** Returns the known threat that a finding of `tenantFindings` names; null for a finding of any other detector. */
export function knownThreatOf({ detector, evidence }: ScanFinding): string | null {
  if (detector !== DETECTOR || !evidence.startsWith(EVIDENCE_START)) return null;
  return /^thr_[A-Za-z0-9_-]{1,64}/.exec(evidence.slice(EVIDENCE_START.length))?.[0] ?? null;
}

/**
 * Returns a finding for each of the tenant's own threats, the most severe first. If any of them is to be blocked, so is
 * the first, because they share an indicator.
 */
export function tenantFindings({ threats, devices }: KnownThreats): Finding[] {
  const isBlocked = threats.some(shouldBlock);
  return threats.map((threat, index) => ({
    detector: DETECTOR,
    threatType: 'known_indicator',
    category: threat.category,
    confidence: threat.confidence,
    ...evidenceOf({
      code: 'known_threat',
      threatId: threat.threatId,
      category: threat.category,
      severity: threat.severity,
      devices,
      lastSeen: toTimestamp(threat.lastSeenAtMs),
    }),
    minimumVerdict: shouldBlock(threat) || (index === 0 && isBlocked) ? 'block' : 'warn',
  }));
}

function shouldBlock({ confidence, severity }: KnownThreat): boolean {
  return confidence >= BLOCK_CONFIDENCE || isAtLeast(severity, 'high');
}
