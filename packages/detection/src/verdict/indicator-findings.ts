import type { Analysis } from '../analysis/analysis.ts';
import type { Channel } from '../content.ts';
import type { Finding, Verdict } from '../finding.ts';
import type { Indicator, IndicatorMatch } from '../indicators/indicator.ts';
import type { DualUse } from '../wording/clause.ts';
import { evidenceOf } from '../wording/evidence-of.ts';

/** An indicator with a lower confidence of its source warns instead of blocking. */
const BLOCK_CONFIDENCE = 0.5;
/** Channels on which a scammer talks to the person live. */
const LIVE: readonly (Channel | undefined)[] = ['call', 'chat', 'sms'];

/** Returns a finding for each indicator that matched, including the same indicator of several sources. */
export function toIndicatorFindings(analysis: Analysis, matches: readonly IndicatorMatch[]): Finding[] {
  return matches.map(({ indicator }) => {
    const { dualUse = false, confidence, threatType, category, source, label } = indicator;
    const listed = { code: 'listed', type: indicator.type, source, ...(label && { label }) } as const;
    const finding = { detector: 'indicators', threatType, category } as const;
    if (dualUse) {
      const { trust, use, minimumVerdict } = contextOf(analysis, indicator);
      return {
        ...finding,
        confidence: Math.min(confidence, trust),
        ...evidenceOf({ ...listed, dualUse: use }),
        minimumVerdict,
      };
    }
    return {
      ...finding,
      confidence,
      ...evidenceOf(listed),
      minimumVerdict: confidence >= BLOCK_CONFIDENCE ? 'block' : 'warn',
    };
  });
}

/**
 * A dual-use tool counts by its context. Vendors of such tools have legitimate pages and users: a link to one
 * in a mail is common; in a call or a chat it is a known trick.
 */
function contextOf(
  { type, channel }: Analysis,
  indicator: Indicator,
): { trust: number; use: DualUse; minimumVerdict: Verdict } {
  const isSent = type === 'text' || type === 'url';
  if (isSent && LIVE.includes(channel)) {
    return { trust: 0.7, use: 'sent', minimumVerdict: 'warn' };
  }
  const isPage = indicator.type === 'domain' || indicator.type === 'url';
  return isPage
    ? { trust: 0.05, use: 'page', minimumVerdict: 'allow' }
    : { trust: 0.4, use: 'tool', minimumVerdict: 'warn' };
}
