import type { ScanFinding, ScanResult } from '@tps/contract';
import { type Analysis, type ClassifyOptions, classify, type Finding, type Language } from '@tps/detection';
import { toTimestamp } from '../../platform/time.ts';

export interface KnownIndicators {
  readonly matches: ClassifyOptions['matches'];
  /** Findings from the tenant's own history, the most severe first. */
  readonly own: readonly Finding[];
  readonly model: ClassifyOptions['model'];
  readonly language: Language;
}

/** Classifies analyzed content with the known indicators. Returns the result in the form of the API. */
export function toScanResult(
  analysis: Analysis,
  { matches, own, model, language }: KnownIndicators,
  { scanId, nowMs }: { scanId: string; nowMs: number },
): ScanResult {
  // The tenant's threats with the same indicator are one piece of evidence: only the worst raises the confidence.
  const [worst, ...others] = own;
  const classification = classify(analysis, { matches, others: worst ? [worst] : [], model, language });
  const findings = classification.findings.flatMap((finding) =>
    finding === worst ? [finding, ...others] : [finding],
  );
  return {
    scan_id: scanId,
    status: classification.status,
    threat_detected: classification.threatDetected,
    threat_type: classification.threatType,
    confidence: classification.confidence,
    details: classification.details,
    language: classification.language,
    threat_category: classification.category,
    verdict: classification.verdict,
    findings: findings.map(toWire),
    ...(classification.modelVersion !== undefined && { model_version: classification.modelVersion }),
    scanned_at: toTimestamp(nowMs),
  };
}

export function toWire({ detector, threatType, confidence, evidence }: Finding): ScanFinding {
  return { detector, threat_type: threatType, confidence, evidence };
}
