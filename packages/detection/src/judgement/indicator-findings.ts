import type { IndicatorMatch } from '../indicators/indicator.ts';
import type { Finding } from './finding.ts';
import type { Inspection } from './inspection.ts';

/** Below this certainty of its source an indicator warns instead of blocking. */
const BLOCK_CONFIDENCE = 0.5;
/** A dual-use tool says little by itself; that somebody sends it or talks about it says more. */
const DUAL_USE_CONFIDENCE = 0.4;
const DUAL_USE_IN_MESSAGE = 0.7;

const WHAT = {
  domain: 'a domain',
  url: 'an address',
  sha256: 'the hash of a file',
  package: 'the package name of an app',
  certificate: 'the signing certificate of an app',
} as const;

/** Gives a finding per indicator that was matched, the same indicator of several sources included. */
export function indicatorFindings(
  { type }: Pick<Inspection, 'type'>,
  matches: readonly IndicatorMatch[],
): Finding[] {
  return matches.map(({ indicator }) => {
    const { dualUse = false, confidence, threatType, category } = indicator;
    const label = indicator.label ? ` for ${indicator.label}` : '';
    const evidence = `${WHAT[indicator.type]} that ${indicator.source} lists${label}`;
    if (dualUse) {
      const sent = type === 'text' || type === 'url';
      const weight = sent ? DUAL_USE_IN_MESSAGE : DUAL_USE_CONFIDENCE;
      return {
        detector: 'indicators',
        threatType,
        category,
        confidence: Math.min(confidence, weight),
        evidence: `${evidence}, a dual-use tool with honest uses${sent ? '; being sent it is a known trick' : ''}`,
        asksFor: 'warn',
      };
    }
    return {
      detector: 'indicators',
      threatType,
      category,
      confidence,
      evidence,
      asksFor: confidence >= BLOCK_CONFIDENCE ? 'block' : 'warn',
    };
  });
}
