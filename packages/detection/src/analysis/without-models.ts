import { keysOfUrl } from '../indicators/keys.ts';
import { isCounterfeitUrl } from '../model/score-url.ts';
import type { Analysis } from './analysis.ts';
import { COUNTERFEIT } from './url-finding.ts';

/** Why a text or a link stays unjudged where there are no models. */
const NO_MODELS = 'no model that would judge it is loaded';

/** Inspects a text or a link by what needs no model: what its links could be listed under, and domains in counterfeit letters. */
export function analyzeWithoutModels(type: 'text' | 'url', links: readonly string[]): Analysis {
  return {
    type,
    keys: links.flatMap(keysOfUrl),
    findings: links.some(isCounterfeitUrl) ? [COUNTERFEIT] : [],
    reasons: [],
    unsupported: NO_MODELS,
  };
}
