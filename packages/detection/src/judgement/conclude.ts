import type { IndicatorMatch } from '../indicators/indicator.ts';
import type { Thresholds } from '../model/thresholds.ts';
import type { ThreatCategory, ThreatType } from '../threat-type.ts';
import { explain } from './explain.ts';
import type { Finding, Verdict } from './finding.ts';
import { fuse } from './fuse.ts';
import { indicatorFindings } from './indicator-findings.ts';
import type { Inspection } from './inspection.ts';

/** What content is, and why: the answer of every scan, on the device and in the service. */
export interface Judgement {
  /** `unsupported`: nothing here can judge this content. That is no all-clear. */
  readonly status: 'completed' | 'unsupported';
  readonly verdict: Verdict;
  readonly threatDetected: boolean;
  readonly threatType: ThreatType | 'none';
  readonly category: ThreatCategory | null;
  /** Probability that it is a threat, 0 to 1. */
  readonly confidence: number;
  /** One sentence: what was found, by what, against which threshold. */
  readonly details: string;
  /** The decisive first. */
  readonly findings: readonly Finding[];
  readonly modelVersion: string;
}

export interface ConcludeOptions {
  readonly matches: readonly IndicatorMatch[];
  /** Of whoever else knows something about the content, such as a tenant's own history. */
  readonly others?: readonly Finding[];
  readonly model: { readonly version: string; readonly thresholds: Thresholds };
}

const RANK = { allow: 0, warn: 1, block: 2 } as const satisfies Record<Verdict, number>;

/** Weighs what was found. Pure: the same inspection, matches and thresholds give the same judgement. */
export function conclude(
  inspection: Inspection,
  { matches, others = [], model }: ConcludeOptions,
): Judgement {
  const findings = [...indicatorFindings(inspection, matches), ...others, ...inspection.findings].sort(
    byWeight,
  );
  const confidence = fuse(findings);
  const verdict = gravest([
    ...findings.map(({ asksFor = 'allow' }) => asksFor),
    byThreshold(confidence, model.thresholds),
  ]);
  const unsupported = findings.length === 0 && inspection.unsupported !== undefined;
  const threatDetected = verdict !== 'allow';
  const [decisive] = findings;
  const judged = {
    verdict: unsupported ? 'warn' : verdict,
    threatDetected,
    threatType: threatDetected && decisive ? decisive.threatType : 'none',
    category: threatDetected && decisive ? decisive.category : null,
    confidence,
    findings,
    modelVersion: model.version,
  } as const;
  return {
    ...judged,
    status: unsupported ? 'unsupported' : 'completed',
    details: explain(inspection, judged, model),
  };
}

function byThreshold(confidence: number, { warn, block }: Thresholds): Verdict {
  if (confidence >= block) return 'block';
  return confidence >= warn ? 'warn' : 'allow';
}

function gravest(verdicts: readonly Verdict[]): Verdict {
  return verdicts.reduce((one, other) => (RANK[other] > RANK[one] ? other : one), 'allow');
}

function byWeight(one: Finding, other: Finding): number {
  return RANK[other.asksFor ?? 'allow'] - RANK[one.asksFor ?? 'allow'] || other.confidence - one.confidence;
}
