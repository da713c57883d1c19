import type { Analysis } from '../analysis/analysis.ts';
import { combineConfidence } from '../analysis/confidence.ts';
import type { Finding, Verdict } from '../finding.ts';
import type { IndicatorMatch } from '../indicators/indicator.ts';
import type { ModelContext } from '../model/model-context.ts';
import type { Thresholds } from '../model/models.ts';
import { DEFAULT_LANGUAGE, type Language } from '../wording/language.ts';
import type { Classification } from './classification.ts';
import { explain } from './explain.ts';
import { toIndicatorFindings } from './indicator-findings.ts';

export interface ClassifyOptions {
  readonly matches: readonly IndicatorMatch[];
  /** Findings from other sources that know the content, such as a tenant's own history. */
  readonly others?: readonly Finding[];
  readonly model: ModelContext;
  /** The language of the sentence; default English. */
  readonly language?: Language;
}

/** More than anyone reads. Without a limit, content in many lists would make a response of megabytes. */
const MAX_FINDINGS = 50;
const RANK = { allow: 0, warn: 1, block: 2 } as const satisfies Record<Verdict, number>;

/**
 * Combines the findings into a verdict. Pure: the same analysis, matches and thresholds give the same
 * classification.
 */
export function classify(
  analysis: Analysis,
  { matches, others = [], model, language = DEFAULT_LANGUAGE }: ClassifyOptions,
): Classification {
  const findings = [...toIndicatorFindings(analysis, matches), ...others, ...analysis.findings].sort(
    byWeight,
  );
  const confidence = combineConfidence(findings);
  const verdict = highestVerdict([
    ...findings.map(({ minimumVerdict = 'allow' }) => minimumVerdict),
    byThreshold(confidence, model.thresholds),
  ]);
  // A result for a part of the content is not an all-clear for the rest.
  const unsupported = verdict === 'allow' && analysis.unsupported !== undefined;
  const threatDetected = verdict !== 'allow';
  const [decisive] = findings;
  const judged = {
    verdict: unsupported && !analysis.hasNothingToFollow ? 'warn' : verdict,
    threatDetected,
    threatType: threatDetected && decisive ? decisive.threatType : 'none',
    category: threatDetected && decisive ? decisive.category : null,
    confidence,
    language,
    findings: findings.slice(0, MAX_FINDINGS),
    ...(model.version !== undefined && { modelVersion: model.version }),
  } as const;
  return {
    ...judged,
    status: unsupported ? 'unsupported' : 'completed',
    details: explain(analysis, judged, model),
  };
}

function byThreshold(confidence: number, { warn, block }: Thresholds): Verdict {
  if (confidence >= block) return 'block';
  return confidence >= warn ? 'warn' : 'allow';
}

function highestVerdict(verdicts: readonly Verdict[]): Verdict {
  return verdicts.reduce((one, other) => (RANK[other] > RANK[one] ? other : one), 'allow');
}

function byWeight(one: Finding, other: Finding): number {
  return (
    RANK[other.minimumVerdict ?? 'allow'] - RANK[one.minimumVerdict ?? 'allow'] ||
    other.confidence - one.confidence
  );
}
