import type { Finding } from '../finding.ts';
import type { Thresholds } from '../model/models.ts';
import type { UrlScore } from '../model/score-url.ts';
import { evidenceOf } from '../wording/evidence-of.ts';

/** The finding for a domain that imitates a brand in letters of another script, regardless of the model. */
export const COUNTERFEIT = {
  detector: 'url_model',
  threatType: 'credential_phishing',
  category: 'phishing',
  confidence: 0.97,
  ...evidenceOf({ code: 'counterfeit_domain' }),
  minimumVerdict: 'block',
} as const satisfies Finding;

/**
 * Converts the model's score of a link to a finding; below the threshold of a warning the evidence is worded
 * more weakly.
 */
export function urlFinding(
  { probability, threatType, counterfeit }: UrlScore,
  { warn }: Thresholds,
): Finding {
  if (counterfeit) return { ...COUNTERFEIT, confidence: Math.max(probability, COUNTERFEIT.confidence) };
  return {
    detector: 'url_model',
    threatType,
    category: 'phishing',
    confidence: probability,
    ...evidenceOf({ code: probability < warn ? 'link_has_features' : 'link_resembles' }),
  };
}
