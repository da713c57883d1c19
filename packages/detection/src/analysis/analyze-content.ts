import type { AppContent, PlainContent, UrlContent } from '../content.ts';
import { keysOfApp, keysOfUrl } from '../indicators/keys.ts';
import type { Models } from '../model/models.ts';
import { scoreUrl } from '../model/score-url.ts';
import { findLinks } from '../normalize/find-links.ts';
import type { Inspection } from './analysis.ts';
import { inspectText, NOTABLE } from './analyze-text.ts';
import { fuse } from './confidence.ts';
import { permissionFindings } from './permission-findings.ts';
import { linkFinding } from './url-finding.ts';
import { inspectWithoutModels } from './without-models.ts';

/**
 * Inspects what needs no reader of file formats: a message with its links, a link, an app. Pure and linear; reads the
 * first 100,000 characters. Without models the keys of links and what needs none are all that is read of texts and links.
 */
export function inspectPlain(content: PlainContent, models: Models | undefined): Inspection {
  switch (content.type) {
    case 'text':
      return { ...inspectText(content, models), ...channelOf(content) };
    case 'url':
      return { ...inspectUrl(content, models), ...channelOf(content) };
    case 'app':
      return inspectApp(content);
  }
}

function channelOf({ context }: PlainContent): Pick<Inspection, 'channel'> {
  return context?.channel === undefined ? {} : { channel: context.channel };
}

function inspectUrl({ url }: UrlContent, models: Models | undefined): Inspection {
  const [written] = findLinks(url);
  const address = written?.url ?? url.trim();
  if (!models) return inspectWithoutModels('url', [address]);
  const keys = keysOfUrl(address);
  const scored = scoreUrl(address, models.url);
  if (!scored) {
    return { type: 'url', keys, findings: [], reasons: [], unsupported: 'it is no address of a page' };
  }
  const finding = linkFinding(scored, models.thresholds.url);
  return {
    type: 'url',
    keys,
    findings: finding.confidence >= NOTABLE ? [finding] : [],
    reasons: scored.reasons,
    score: finding.confidence,
  };
}

function inspectApp(content: AppContent): Inspection {
  const { permissions } = content;
  const keys = keysOfApp(content);
  if (!permissions || permissions.length === 0) {
    const unsupported = 'no indicator lists it, and of its permissions nothing is known';
    return { type: 'app', keys, findings: [], reasons: [], unsupported };
  }
  const findings = permissionFindings(permissions);
  return { type: 'app', keys, findings, reasons: [], score: fuse(findings) };
}
