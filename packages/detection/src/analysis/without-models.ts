import { isCounterfeitUrl } from '../model/score-url.ts';
import type { Analysis } from './analysis.ts';
import { followLinks } from './follow-links.ts';
import { keysOfTrail } from './keys-of-trail.ts';
import { COUNTERFEIT } from './url-finding.ts';

/**
 * Analyzes a text or a link as far as possible without a model: the keys of its links, and domains in
 * look-alike letters.
 */
export function analyzeWithoutModels(type: 'text' | 'url', links: readonly string[]): Analysis {
  return {
    type,
    keys: followLinks(links).trails.flatMap(keysOfTrail),
    findings: links.some(isCounterfeitUrl) ? [COUNTERFEIT] : [],
    reasons: [],
    unsupported: { code: 'no_model' },
  };
}
