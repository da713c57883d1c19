import type { EventMetadata } from '@tps/contract';
import { type Classification, type Content, reportedIndicators } from '@tps/detection';
import type { Detection } from '../policy/detection.ts';

/** The contract's bounds on the indicators of an event. */
const MAX_INDICATORS = 64;
const MAX_INDICATOR_LENGTH = 512;
/** The decisive findings come first. */
const MAX_FINDINGS = 5;

/**
 * Creates a detection from content that was classified as a threat. It holds the reasons, and the indicators in the
 * redacted forms of the contract; it holds nothing of the content itself.
 *
 * @throws Error when the content is not a threat
 */
export function toDetection(content: Content, classification: Classification): Detection {
  const { category, confidence, details, modelVersion } = classification;
  if (category === null) throw new Error('Content that is not a threat cannot become a detection.');
  return {
    threatCategory: category,
    confidence,
    description: details,
    indicators: reportedIndicators(content)
      .filter(({ length }) => length <= MAX_INDICATOR_LENGTH)
      .slice(0, MAX_INDICATORS),
    metadata: toMetadata(content, classification),
    ...(modelVersion !== undefined && { modelVersion }),
  };
}

function toMetadata(
  { type, context }: Content,
  { threatType, verdict, findings }: Classification,
): EventMetadata {
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
