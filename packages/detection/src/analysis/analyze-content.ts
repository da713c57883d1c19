import type { AppContent, PlainContent, UrlContent } from '../content.ts';
import { followLink } from '../features/url/follow-link.ts';
import { whyUnjudged } from '../features/url/unjudged-link.ts';
import { keysOfApp } from '../indicators/keys.ts';
import type { Models } from '../model/models.ts';
import { scoreTrail } from '../model/score-url.ts';
import { findLinks } from '../normalize/find-links.ts';
import type { Analysis } from './analysis.ts';
import { analyzeText, NOTABLE } from './analyze-text.ts';
import { combineConfidence } from './confidence.ts';
import { keysOfTrail } from './keys-of-trail.ts';
import { OTHER_COMPUTER, opensOtherComputer } from './other-computer.ts';
import { toPermissionFindings } from './permission-findings.ts';
import { urlFinding } from './url-finding.ts';
import { analyzeWithoutModels } from './without-models.ts';

/**
 * Analyzes content that needs no reader of file formats: a message with its links, a link, an app. Pure and
 * linear; reads the first 100,000 characters. Without models, texts and links are only checked for keys and
 * for domains in look-alike letters.
 */
export function analyzeContent(content: PlainContent, models: Models | undefined): Analysis {
  switch (content.type) {
    case 'text':
      return { ...analyzeText(content, models), ...channelOf(content) };
    case 'url':
      return { ...analyzeUrl(content, models), ...channelOf(content) };
    case 'app':
      return analyzeApp(content);
  }
}

function channelOf({ context }: PlainContent): Pick<Analysis, 'channel'> {
  return context?.channel === undefined ? {} : { channel: context.channel };
}

function analyzeUrl({ url }: UrlContent, models: Models | undefined): Analysis {
  // Browsers remove these anywhere (URL Standard, section 4.4).
  const typed = url.replace(/[\t\n\r]/g, '');
  if (opensOtherComputer(typed.trim())) return otherComputer();
  const [written] = findLinks(typed);
  const address = written?.url ?? typed.trim();
  if (!models) return analyzeWithoutModels('url', [address]);
  const trail = followLink(address);
  const keys = keysOfTrail(trail);
  const scored = scoreTrail(trail, models.url);
  if (!scored) {
    return { type: 'url', keys, findings: [], reasons: [], unsupported: whyUnjudged(address) };
  }
  const finding = urlFinding(scored, models.thresholds.url);
  return {
    type: 'url',
    keys,
    findings: finding.confidence >= NOTABLE ? [finding] : [],
    reasons: scored.traits.map((trait) => ({ code: 'link', trait, isInText: false })),
    score: finding.confidence,
    ...(!trail.isWhole && { unsupported: { code: 'more_links' } as const }),
  };
}

function otherComputer(): Analysis {
  return { type: 'url', keys: [], findings: [OTHER_COMPUTER], reasons: [], score: OTHER_COMPUTER.confidence };
}

function analyzeApp(content: AppContent): Analysis {
  const { permissions } = content;
  const keys = keysOfApp(content);
  if (!permissions || permissions.length === 0) {
    const unsupported = { code: 'unknown_permissions' } as const;
    return { type: 'app', keys, findings: [], reasons: [], unsupported };
  }
  const findings = toPermissionFindings(permissions);
  return { type: 'app', keys, findings, reasons: [], score: combineConfidence(findings) };
}
