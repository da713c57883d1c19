import type { Finding } from '../finding.ts';
import type { Thresholds } from '../model/models.ts';
import type { UrlScore } from '../model/score-url.ts';

/** The finding for a domain that imitates a brand in letters of another script, regardless of the model. */
export const COUNTERFEIT = {
  detector: 'url_model',
  threatType: 'credential_phishing',
  category: 'phishing',
  confidence: 0.97,
  evidence: 'a domain that spells a well-known brand in letters of another script',
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
  const evidence =
    probability < warn
      ? 'its URL has some features of phishing pages'
      : 'its URL resembles those of known phishing pages';
  return { detector: 'url_model', threatType, category: 'phishing', confidence: probability, evidence };
}
