import type { NewScan, ScanResult, Severity, ThreatCategory } from '@tps/contract';
import { toTimestamp } from '../../platform/time.ts';
import { isAtLeast } from '../events/index.ts';

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

const DETECTOR = 'tenant_indicators';
const THREAT_TYPE = 'known_indicator';
/** From this certainty on a known threat is blocked whatever its severity. */
const BLOCK_CONFIDENCE = 0.8;

/**
 * Judges content by the tenant's own threats. Without one there is no judgement, which is said plainly:
 * what nobody has reported yet is not thereby harmless.
 */
export function judgeScan(
  { type }: Pick<NewScan, 'type'>,
  { threats, devices }: KnownThreats,
  { scanId, nowMs }: { scanId: string; nowMs: number },
): ScanResult {
  const [gravest] = threats;
  const common = { scan_id: scanId, scanned_at: toTimestamp(nowMs) };
  if (!gravest) {
    return {
      ...common,
      status: 'unsupported',
      threat_detected: false,
      threat_type: 'none',
      confidence: 0,
      details: `Nothing here can judge this ${type}: no device of this tenant has reported an indicator of it. That is no all-clear.`,
      threat_category: null,
      verdict: 'warn',
      findings: [],
    };
  }
  return {
    ...common,
    status: 'completed',
    threat_detected: true,
    threat_type: THREAT_TYPE,
    confidence: gravest.confidence,
    details: `This ${type} shows an indicator of ${gravest.threatId}, ${toWords(gravest.category)} that ${devices === 1 ? '1 device' : `${devices} devices`} of this tenant reported.`,
    threat_category: gravest.category,
    verdict: threats.some(isToBlock) ? 'block' : 'warn',
    findings: threats.map((threat) => ({
      detector: DETECTOR,
      threat_type: THREAT_TYPE,
      confidence: threat.confidence,
      evidence: `${threat.threatId}, severity ${threat.severity}, last seen ${toTimestamp(threat.lastSeenAtMs)}`,
    })),
  };
}

function isToBlock({ confidence, severity }: KnownThreat): boolean {
  return confidence >= BLOCK_CONFIDENCE || isAtLeast(severity, 'high');
}

function toWords(category: ThreatCategory): string {
  return category.replaceAll('_', ' ');
}
