import type { ScanFinding, ScanResult } from '@tps/contract';
import { type Analysis, type ClassifyOptions, classify, type Finding } from '@tps/detection';
import { toTimestamp } from '../../platform/time.ts';

export interface Knowledge {
  readonly matches: ClassifyOptions['matches'];
  /** Of the tenant's own history, the gravest first. */
  readonly own: readonly Finding[];
  readonly model: ClassifyOptions['model'];
}

/** Weighs what was read of content with what is known, and says it as the contract does. */
export function judgeScan(
  inspection: Analysis,
  { matches, own, model }: Knowledge,
  { scanId, nowMs }: { scanId: string; nowMs: number },
): ScanResult {
  // Threats of one tenant around one indicator are one piece of evidence: ten of them make it no surer than the gravest.
  const [gravest, ...others] = own;
  const judgement = classify(inspection, { matches, others: gravest ? [gravest] : [], model });
  const findings = judgement.findings.flatMap((finding) =>
    finding === gravest ? [finding, ...others] : [finding],
  );
  return {
    scan_id: scanId,
    status: judgement.status,
    threat_detected: judgement.threatDetected,
    threat_type: judgement.threatType,
    confidence: judgement.confidence,
    details: judgement.details,
    threat_category: judgement.category,
    verdict: judgement.verdict,
    findings: findings.map(toWire),
    scanned_at: toTimestamp(nowMs),
  };
}

function toWire({ detector, threatType, confidence, evidence }: Finding): ScanFinding {
  return { detector, threat_type: threatType, confidence, evidence };
}
