import type { Severity, ThreatCategory } from '@tps/contract';
import type { Finding } from '@tps/detection';
import { toTimestamp } from '../../platform/time.ts';
import { isAtLeast } from '../feed/index.ts';

/** A threat of the tenant of which the content shows an indicator. */
export interface KnownThreat {
  readonly threatId: string;
  readonly category: ThreatCategory;
  readonly confidence: number;
  readonly severity: Severity;
  readonly lastSeenAtMs: number;
}

export interface KnownThreats {
  /** The grave before the others, then the surest. */
  readonly threats: readonly KnownThreat[];
  /** How many devices have reported one of the indicators. */
  readonly devices: number;
}

/** From this certainty on a known threat is blocked whatever its severity. */
const BLOCK_CONFIDENCE = 0.8;

/**
 * Gives a finding for each of the tenant's own threats, the gravest first. When any is to be blocked, so is the first: they
 * share an indicator.
 */
export function tenantFindings({ threats, devices }: KnownThreats): Finding[] {
  const reporters = devices === 1 ? '1 device' : `${devices} devices`;
  const isBlocked = threats.some(isToBlock);
  return threats.map((threat, index) => ({
    detector: 'tenant_indicators',
    threatType: 'known_indicator',
    category: threat.category,
    confidence: threat.confidence,
    evidence: `an indicator of ${threat.threatId}, ${toWords(threat.category)} that ${reporters} of this tenant reported, of severity ${threat.severity} and last seen ${toTimestamp(threat.lastSeenAtMs)}`,
    minimumVerdict: isToBlock(threat) || (index === 0 && isBlocked) ? 'block' : 'warn',
  }));
}

function isToBlock({ confidence, severity }: KnownThreat): boolean {
  return confidence >= BLOCK_CONFIDENCE || isAtLeast(severity, 'high');
}

function toWords(category: ThreatCategory): string {
  return category.replaceAll('_', ' ');
}
