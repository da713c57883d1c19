import { hash } from 'node:crypto';
import type { Analysis } from '../analysis/analysis.ts';
import { correctForMultiplicity, rescaleFinding } from '../analysis/confidence.ts';
import type { ContentContext, PlainContent } from '../content.ts';
import type { Finding } from '../finding.ts';
import { parseUrl } from '../indicators/canonical-value.ts';
import type { IndicatorKey } from '../indicators/indicator.ts';
import { keyOfSha256, keysOfUrl } from '../indicators/keys.ts';
import type { Contents } from './file-contents.ts';
import { type Budget, isTimeUp } from './file-limits.ts';

const MAX_FINDINGS = 20;
/** A mail has at most so many hosts; a benign page may have more. */
const USUAL_HOSTS = 3;
const MAX_KEYS = 4000;
const MAX_REASONS = 12;
const MORE_LINKS = 'it contains more links than are analyzed';
/**
 * A text with so many letters that the model does not know is more than a page number or the name of a
 * column.
 */
const UNKNOWN_LETTERS = 60;
const LETTERS = /\p{L}/gu;
const UNKNOWN_WORDS = 'it contains words that the model does not know';
const NOTHING_IN_IT = 'it contains nothing that can be analyzed';

/** The results so far for a file and everything inside it. */
export interface FileAnalysis {
  readonly budget: Budget;
  readonly analyzeContent: (content: PlainContent) => Analysis;
  readonly context: ContentContext | undefined;
  readonly keys: Map<string, IndicatorKey>;
  readonly findings: Map<string, Finding>;
  readonly reasons: Set<string>;
  /** Clauses on what was not analyzed. */
  readonly unjudged: Set<string>;
  /** Why a text or link could not be analyzed, which counts only if none could. */
  readonly silent: Set<string>;
  readonly links: Set<string>;
  readonly judgedHosts: Set<string>;
  textsLeft: number;
  score: number | undefined;
}

export function startFileAnalysis(
  options: Pick<FileAnalysis, 'budget' | 'analyzeContent' | 'context'>,
): FileAnalysis {
  return {
    ...options,
    keys: new Map(),
    findings: new Map(),
    reasons: new Set(),
    unjudged: new Set(),
    silent: new Set(),
    links: new Set(),
    judgedHosts: new Set(),
    textsLeft: options.budget.limits.texts,
    score: undefined,
  };
}

/** Adds the contents that a reader found in one format; texts, links and apps are analyzed at once. */
export function addContents(contents: Contents, gathered: FileAnalysis): void {
  for (const finding of contents.findings ?? []) addFinding(finding, gathered);
  for (const reason of contents.reasons ?? []) gathered.reasons.add(reason);
  const context = contents.sender === undefined ? gathered.context : mailFrom(contents.sender);
  const judged = (contents.texts ?? []).map((text) => judgeText(text, context, gathered));
  if (judged.includes('unknown') && !judged.includes('known')) gathered.unjudged.add(UNKNOWN_WORDS);
  for (const link of contents.links ?? []) judgeLink(link, context, gathered);
  for (const url of contents.pictures ?? []) addKeys(keysOfUrl(url), gathered);
  for (const app of contents.apps ?? []) addAnalysis(gathered.analyzeContent(app), gathered);
  if (contents.score !== undefined) raiseScore(contents.score, gathered);
  if (contents.opaque !== undefined) gathered.unjudged.add(contents.opaque);
}

export function addHash(bytes: Uint8Array, gathered: FileAnalysis): string {
  const sha256 = hash('sha256', bytes, 'hex');
  addKeys([keyOfSha256(sha256)], gathered);
  return sha256;
}

/**
 * Adds a finding once. Of each model only the most confident finding is kept, because the parts of one file
 * are similar.
 */
export function addFinding(finding: Finding, { findings }: FileAnalysis): void {
  const isModel = finding.detector === 'text_model' || finding.detector === 'url_model';
  const key = isModel ? finding.detector : `${finding.detector} ${finding.threatType} ${finding.evidence}`;
  if (finding.confidence >= (findings.get(key)?.confidence ?? 0)) findings.set(key, finding);
}

/** Returns the analysis of the whole file. */
export function toAnalysis(type: Analysis['type'], gathered: FileAnalysis): Analysis {
  const { keys, reasons, unjudged, silent, score } = gathered;
  const findings = [...gathered.findings.values()].map((finding) => inContext(finding, gathered));
  const otherwise = score === undefined ? [...silent, NOTHING_IN_IT] : [];
  const [why] = [...unjudged, ...otherwise];
  return {
    type,
    keys: [...keys.values()],
    findings: findings.sort((one, other) => other.confidence - one.confidence).slice(0, MAX_FINDINGS),
    reasons: [...reasons].slice(0, MAX_REASONS),
    ...(score !== undefined && { score }),
    ...(why !== undefined && { unsupported: why }),
  };
}

/** Corrects the highest of many links in a page or document. */
function inContext(finding: Finding, { judgedHosts }: FileAnalysis): Finding {
  if (finding.detector !== 'url_model') return finding;
  const many = { looks: judgedHosts.size, usual: USUAL_HOSTS };
  return rescaleFinding(finding, (confidence) => correctForMultiplicity(confidence, many));
}

/**
 * Returns whether the model knows the words. The first text is analyzed even if reading took all the time:
 * within the limit of length it takes some 30 ms.
 */
function judgeText(
  text: string,
  context: ContentContext | undefined,
  gathered: FileAnalysis,
): 'known' | 'unknown' | 'nothing' {
  if (text.trim() === '') return 'nothing';
  if (gathered.textsLeft <= 0 || (gathered.score !== undefined && isTimeUp(gathered.budget))) {
    gathered.unjudged.add('it contains more texts than are analyzed');
    return 'nothing';
  }
  gathered.textsLeft--;
  if (text.length > gathered.budget.limits.textCharacters)
    gathered.unjudged.add('its text is too long to be analyzed to the end');
  const looked = text.slice(0, gathered.budget.limits.textCharacters);
  const analysis = gathered.analyzeContent({ type: 'text', text: looked, ...(context && { context }) });
  addAnalysis(analysis, gathered);
  if (analysis.score !== undefined) return 'known';
  return (looked.match(LETTERS)?.length ?? 0) < UNKNOWN_LETTERS ? 'nothing' : 'unknown';
}

/** Looks up the keys of each link; the model scores one of each host. */
function judgeLink(url: string, context: ContentContext | undefined, gathered: FileAnalysis): void {
  const { links, judgedHosts, budget } = gathered;
  const { limits } = budget;
  if (links.has(url)) return;
  if (links.size >= limits.links) {
    gathered.unjudged.add(MORE_LINKS);
    return;
  }
  links.add(url);
  const host = parseUrl(url)?.host;
  if (host === undefined) return;
  const isKnown = judgedHosts.has(host);
  if (isKnown || judgedHosts.size >= limits.judgedLinks) {
    addKeys(keysOfUrl(url), gathered);
    if (!isKnown) gathered.unjudged.add(MORE_LINKS);
    return;
  }
  judgedHosts.add(host);
  addAnalysis(gathered.analyzeContent({ type: 'url', url, ...(context && { context }) }), gathered);
}

function addAnalysis(
  { keys, findings, reasons, score, unsupported }: Analysis,
  gathered: FileAnalysis,
): void {
  addKeys(keys, gathered);
  for (const finding of findings) addFinding(finding, gathered);
  for (const reason of reasons) gathered.reasons.add(reason);
  if (score !== undefined) raiseScore(score, gathered);
  // Beside a score, this means that a part was not read.
  if (unsupported !== undefined) (score === undefined ? gathered.silent : gathered.unjudged).add(unsupported);
}

function addKeys(keys: readonly IndicatorKey[], gathered: FileAnalysis): void {
  for (const key of keys) {
    if (gathered.keys.size >= MAX_KEYS) {
      gathered.unjudged.add('it contains more than is looked up');
      return;
    }
    gathered.keys.set(`${key.type} ${key.digest}`, key);
  }
}

function raiseScore(score: number, gathered: FileAnalysis): void {
  gathered.score = Math.max(gathered.score ?? 0, score);
}

function mailFrom(sender: string): ContentContext {
  return { channel: 'email', sender };
}
