import type { Finding } from '../judgement/finding.ts';
import type { Thresholds } from '../model/thresholds.ts';
import type { UrlScore } from '../url/score-url.ts';

/** How sure it is that a domain in counterfeit letters is phishing. */
const COUNTERFEIT = 0.97;

/** Says what the model makes of a link; below the point of a warning it is not said to be like what it only reminds of. */
export function linkFinding(
  { probability, threatType, counterfeit }: UrlScore,
  { warn }: Thresholds,
): Finding {
  const finding = { detector: 'url_model', threatType, category: 'phishing' } as const;
  if (counterfeit) {
    return {
      ...finding,
      confidence: Math.max(probability, COUNTERFEIT),
      evidence: 'a domain that spells a well-known brand in letters of another script',
      asksFor: 'block',
    };
  }
  const evidence =
    probability < warn
      ? 'its address has something of those of phishing pages'
      : 'its address is like those of known phishing pages';
  return { ...finding, confidence: probability, evidence };
}
