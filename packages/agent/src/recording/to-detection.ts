import type { EventMetadata } from '@tps/contract';
import { type Content, type Judgement, reportedIndicators } from '@tps/detection';
import type { Detection } from '../policy/detection.ts';

/** An event holds this many indicators, of this many characters. */
const MAX_INDICATORS = 64;
const MAX_INDICATOR_LENGTH = 512;
/** Of many findings the decisive ones stand first. */
const MAX_FINDINGS = 5;

/**
 * Makes a detection of content that was judged a threat. It says why and holds indicators in the forms in which the contract
 * redacts them; nothing of the content itself goes into it.
 *
 * @throws Error when the content was found to be no threat
 */
export function toDetection(content: Content, judgement: Judgement): Detection {
  const { category, confidence, details, modelVersion } = judgement;
  if (category === null) throw new Error('What is no threat makes no detection.');
  return {
    threatCategory: category,
    confidence,
    description: details,
    indicators: reportedIndicators(content)
      .filter(({ length }) => length <= MAX_INDICATOR_LENGTH)
      .slice(0, MAX_INDICATORS),
    metadata: toMetadata(content, judgement),
    modelVersion,
  };
}

function toMetadata({ type, context }: Content, { threatType, verdict, findings }: Judgement): EventMetadata {
  const metadata = {
    threat_type: threatType,
    verdict,
    content_type: type,
    ...(context?.channel === undefined ? {} : { channel: context.channel }),
    findings: findings.slice(0, MAX_FINDINGS).map(({ detector, confidence, evidence }) => ({
      detector,
      confidence: Number(confidence.toFixed(4)),
      evidence,
    })),
  };
  return metadata as EventMetadata;
}
