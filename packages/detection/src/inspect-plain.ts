import { permissionFindings } from './apps/app-permissions.ts';
import type { AppContent, PlainContent, TextContent, UrlContent } from './content.ts';
import { classifyText, type TextKind } from './cues/classify-text.ts';
import type { Tactic } from './cues/tactics.ts';
import { keysOfApp, keysOfUrl } from './indicators/keys.ts';
import type { Finding } from './judgement/finding.ts';
import { fuse } from './judgement/fuse.ts';
import type { Inspection } from './judgement/inspection.ts';
import type { Models } from './model/models.ts';
import { findLinks, MOST_LINKS } from './normaliser/find-links.ts';
import {
  type Disguises,
  LINK_PLACEHOLDER,
  LONGEST_TEXT,
  type NormalisedText,
  normalise,
} from './normaliser/normalise.ts';
import { scoreText } from './text/score-text.ts';
import { scoreUrl, type UrlScore } from './url/score-url.ts';

/** What a model says below this is no finding: it is the everyday. */
const NOTABLE = 0.05;
/** How sure it is that a domain in counterfeit letters is phishing. */
const COUNTERFEIT = 0.97;
/** What is said of words and addresses: as much as the model is sure of. */
const WORDED = {
  slight: 'some of its words are found in scams too',
  strong: 'its words are like those of known scams',
} as const;
const ADDRESSED = {
  slight: 'its address has something of those of phishing pages',
  strong: 'its address is like those of known phishing pages',
} as const;
/** What is left of the suspicion of words when a message leads to the sites of those it speaks of, as honest notices do. */
const LEADS_HOME = 0.5;
/** What a scam can want without a site of its own. */
const WITHOUT_A_SITE: readonly Tactic[] = [
  'one_time_code',
  'irrevocable_payment',
  'call_back',
  'secrecy',
  'elsewhere',
];
const UNKNOWN_WORDS = { unsupported: 'it has no words that the model knows' };
/** Fewer beside a link are a greeting. */
const LEAST_WORDS = 2;
const WORDS = /[\p{L}\p{N}]+/gu;
const DISGUISES: Readonly<Record<keyof Disguises, string>> = {
  confusable: 'it passes letters of another script off as Latin ones',
  invisible: 'it holds characters that are not seen',
  spaced: 'it pulls words apart',
  leetspeak: 'it writes signs for letters',
};

/** Which of the models it takes to read content. */
export type ScoringModels = Pick<Models, 'url' | 'text'>;

/**
 * Inspects what needs no reader of file formats: a message with its links, a link, an app. Pure and linear; reads the
 * first 100,000 characters.
 */
export function inspectPlain(content: PlainContent, models: ScoringModels): Inspection {
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

function inspectText({ text, context }: TextContent, models: ScoringModels): Inspection {
  const normalised = normalise(text);
  const worded = scoreText(normalised, models.text);
  const links = normalised.links.map(({ url }) => scoreUrl(url, models.url));
  const link = worstOf(links);
  const found = {
    type: 'text' as const,
    keys: normalised.links.flatMap(({ url }) => keysOfUrl(url)),
    ...(worded === undefined && hasWords(normalised) ? UNKNOWN_WORDS : unreadOf(text, normalised)),
  };
  if (worded === undefined && link === undefined) {
    return { ...found, findings: [], reasons: [], ...UNKNOWN_WORDS };
  }
  const linked = link && linkFinding(link);
  const everyday = fuse([{ confidence: worded ?? 0 }, { confidence: linked?.confidence ?? 0 }]);
  if (everyday < NOTABLE) return { ...found, findings: [], reasons: [], score: everyday };
  const kind = classifyText(normalised.text.match(WORDS) ?? [], context?.channel);
  const isSpecific = kind.threatType !== 'suspicious_message' && kind.threatType !== 'robocall_scam';
  const confidence = (worded ?? 0) * (leadsHome(links, kind) ? LEADS_HOME : 1);
  const findings: Finding[] = [
    {
      detector: 'text_model',
      threatType: kind.threatType,
      category: kind.category,
      confidence,
      evidence: WORDED[likeness(confidence)],
    },
    ...(linked ? [isSpecific ? { ...linked, ...typeOf(kind) } : linked] : []),
  ];
  return {
    ...found,
    findings: findings.filter((finding) => finding.confidence >= NOTABLE),
    reasons: [...(link ? link.reasons : []).slice(0, 1), ...kind.reasons, ...disguises(normalised)],
    score: fuse(findings),
  };
}

/**
 * Whether a message leads nowhere but to the sites of the companies or authorities themselves, and wants nothing for which
 * it would need no site of its own.
 */
function leadsHome(links: readonly (UrlScore | undefined)[], { tactics }: TextKind): boolean {
  return (
    links.length > 0 &&
    links.every((link) => link?.official === true) &&
    !WITHOUT_A_SITE.some((tactic) => tactics.has(tactic))
  );
}

/** Whether anything is said beside the links: of what nobody here understands, a harmless link is no all-clear. */
function hasWords({ text }: NormalisedText): boolean {
  const said = text.replaceAll(LINK_PLACEHOLDER, ' ').slice(0, 10_000);
  // Some scripts write no blanks, so letters are counted.
  return (said.match(/\p{L}{2,}/gu)?.length ?? 0) >= LEAST_WORDS || /\p{L}{5}/u.test(said);
}

/** What little was found in the beginning is no all-clear for the rest. */
function unreadOf(text: string, { links }: NormalisedText): Pick<Inspection, 'unsupported'> {
  if (text.length > LONGEST_TEXT) return { unsupported: 'it is too long to be read to its end' };
  return links.length < MOST_LINKS ? {} : { unsupported: 'it holds more links than are read here' };
}

function likeness(probability: number): keyof typeof WORDED {
  return probability < 0.5 ? 'slight' : 'strong';
}

function typeOf({ threatType, category }: Pick<Finding, 'threatType' | 'category'>) {
  return { threatType, category };
}

function worstOf(links: readonly (UrlScore | undefined)[]): UrlScore | undefined {
  return links.reduce<UrlScore | undefined>((worst, link) => {
    if (!link || !worst) return worst ?? link;
    return linkFinding(link).confidence > linkFinding(worst).confidence ? link : worst;
  }, undefined);
}

function linkFinding({ probability, threatType, counterfeit }: UrlScore): Finding {
  if (counterfeit) {
    return {
      detector: 'url_model',
      threatType,
      category: 'phishing',
      confidence: Math.max(probability, COUNTERFEIT),
      evidence: 'a domain that spells a well-known brand in letters of another script',
      asksFor: 'block',
    };
  }
  return {
    detector: 'url_model',
    threatType,
    category: 'phishing',
    confidence: probability,
    evidence: ADDRESSED[likeness(probability)],
  };
}

function disguises(normalised: NormalisedText): string[] {
  return (Object.keys(DISGUISES) as (keyof Disguises)[])
    .filter((kind) => normalised.disguises[kind] > 0)
    .map((kind) => DISGUISES[kind]);
}

function inspectUrl({ url }: UrlContent, models: ScoringModels): Inspection {
  const [written] = findLinks(url);
  const address = written?.url ?? url.trim();
  const keys = keysOfUrl(address);
  const scored = scoreUrl(address, models.url);
  if (!scored) {
    return { type: 'url', keys, findings: [], reasons: [], unsupported: 'it is no address of a page' };
  }
  const finding = linkFinding(scored);
  return {
    type: 'url',
    keys,
    findings: finding.confidence >= NOTABLE ? [finding] : [],
    reasons: scored.reasons,
    score: scored.probability,
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
