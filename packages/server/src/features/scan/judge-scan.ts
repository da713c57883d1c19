import type { NewScan, ScanResult, Severity, ThreatCategory } from '@tps/contract';
import { toTimestamp } from '../../platform/time.ts';
import { isAtLeast } from '../events/index.ts';

/** A threat of the tenant of which the content shows an indicator. */
export interface KnownThreat {
  readonly threatId: string;
  readonly category: ThreatCategory;
  readonly confidence: number;
  readonly severity: Severity;
  readonly devices: number;
  readonly lastSeenAtMs: number;
}

const DETECTOR = 'tenant_indicators';
const THREAT_TYPE = 'known_indicator';
/** From this certainty on a known threat is blocked whatever its severity. */
const BLOCK_CONFIDENCE = 0.8;

/**
 * Judges content by the tenant's own threats, the surest first. Without one there is no judgement, which is said plainly:
 * what nobody has reported yet is not thereby harmless.
 */
export function judgeScan(
  { type }: Pick<NewScan, 'type'>,
  threats: readonly KnownThreat[],
  { scanId, nowMs }: { scanId: string; nowMs: number },
): ScanResult {
  const [surest] = threats;
  const common = { scan_id: scanId, scanned_at: toTimestamp(nowMs) };
  if (!surest) {
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
    confidence: surest.confidence,
    details: `This ${type} shows an indicator of ${surest.threatId}, ${toWords(surest.category)} that ${countDevices(surest)} of this tenant reported.`,
    threat_category: surest.category,
    verdict: threats.some(isToBlock) ? 'block' : 'warn',
    findings: threats.map((threat) => ({
      detector: DETECTOR,
      threat_type: THREAT_TYPE,
      confidence: threat.confidence,
      evidence: `${threat.threatId}, severity ${threat.severity}, on ${countDevices(threat)}, last seen ${toTimestamp(threat.lastSeenAtMs)}`,
    })),
  };
}

function isToBlock({ confidence, severity }: KnownThreat): boolean {
  return confidence >= BLOCK_CONFIDENCE || isAtLeast(severity, 'high');
}

function countDevices({ devices }: KnownThreat): string {
  return devices === 1 ? '1 device' : `${devices} devices`;
}

function toWords(category: ThreatCategory): string {
  return category.replaceAll('_', ' ');
}
