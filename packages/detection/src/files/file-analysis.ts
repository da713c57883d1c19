import { hash } from 'node:crypto';
import type { Analysis } from '../analysis/analysis.ts';
import { correctForMultiplicity, rescaleFinding } from '../analysis/confidence.ts';
import { followLinks } from '../analysis/follow-links.ts';
import { keysOfTrail } from '../analysis/keys-of-trail.ts';
import type { ContentContext, PlainContent } from '../content.ts';
import type { Finding } from '../finding.ts';
import { parseUrl } from '../indicators/canonical-value.ts';
import type { IndicatorKey } from '../indicators/indicator.ts';
import { keyOfSha256 } from '../indicators/keys.ts';
import type { Clause } from '../wording/clause.ts';
import { inWords } from '../wording/in-words.ts';
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
/** A subject alone has fewer: a mail of nothing but a picture is not cleared by it. */
const MIN_LETTERS = 20;
const LETTERS = /\p{L}/gu;
const UNKNOWN_WORDS = 'it contains words that the model does not know';
const NO_CONTENT = 'it contains nothing that can be analyzed';

/** The results so far for a file and everything inside it. */
export interface FileAnalysis {
  readonly budget: Budget;
  readonly analyzeContent: (content: PlainContent) => Analysis;
  readonly context: ContentContext | undefined;
  readonly keys: Map<string, IndicatorKey>;
  readonly findings: Map<string, Finding>;
  /** By their English words, so that each is there once. */
  readonly reasons: Map<string, Clause>;
  /** Clauses on what was not analyzed. */
  readonly gaps: Map<string, Clause>;
  /** Why a text or link could not be analyzed, which counts only if none could. */
  readonly unscored: Map<string, Clause>;
  readonly links: Set<string>;
  readonly scoredHosts: Set<string>;
  textsLeft: number;
  /** Words of it were analyzed. */
  hasText: boolean;
  score: number | undefined;
}

export function startFileAnalysis(
  options: Pick<FileAnalysis, 'budget' | 'analyzeContent' | 'context'>,
): FileAnalysis {
  return {
    ...options,
    keys: new Map(),
    findings: new Map(),
    reasons: new Map(),
    gaps: new Map(),
    unscored: new Map(),
    links: new Set(),
    scoredHosts: new Set(),
    textsLeft: options.budget.limits.texts,
    hasText: false,
    score: undefined,
  };
}

/** Adds the contents that a reader found in one format; texts, links and apps are analyzed at once. */
export function addContents(contents: Contents, results: FileAnalysis): void {
  for (const finding of contents.findings ?? []) addFinding(finding, results);
  for (const reason of contents.reasons ?? []) addClause(results.reasons, reason);
  const context = contents.sender === undefined ? results.context : toMailContext(contents.sender);
  const known = (contents.texts ?? []).map((text) => analyzeText(text, context, results));
  if (known.includes('unknown') && !known.includes('known')) addClause(results.gaps, UNKNOWN_WORDS);
  for (const link of contents.links ?? []) analyzeLink(link, context, results);
  addKeys(followLinks(contents.pictures ?? []).trails.flatMap(keysOfTrail), results);
  for (const app of contents.apps ?? []) addAnalysis(results.analyzeContent(app), results);
  if (contents.score !== undefined) raiseScore(contents.score, results);
  if (contents.opaque !== undefined) addClause(results.gaps, contents.opaque);
}

export function addHash(bytes: Uint8Array, results: FileAnalysis): string {
  const sha256 = hash('sha256', bytes, 'hex');
  addKeys([keyOfSha256(sha256)], results);
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
export function toAnalysis(type: Analysis['type'], results: FileAnalysis): Analysis {
  const { keys, reasons, gaps, unscored, score } = results;
  const findings = [...results.findings.values()].map((finding) => correctForLinks(finding, results));
  const otherwise = score === undefined ? [...unscored.values(), NO_CONTENT] : [];
  const [why] = [...gaps.values(), ...otherwise];
  return {
    type,
    keys: [...keys.values()],
    findings: findings.sort((one, other) => other.confidence - one.confidence).slice(0, MAX_FINDINGS),
    reasons: [...reasons.values()].slice(0, MAX_REASONS),
    ...(score !== undefined && { score }),
    ...(why !== undefined && { unsupported: why }),
  };
}

/** Corrects the highest of many links in a page or document. */
function correctForLinks(finding: Finding, { scoredHosts }: FileAnalysis): Finding {
  if (finding.detector !== 'url_model') return finding;
  const many = { looks: scoredHosts.size, usual: USUAL_HOSTS };
  return rescaleFinding(finding, (confidence) => correctForMultiplicity(confidence, many));
}

/**
 * Returns whether the model knows the words. The first text is analyzed even if reading took all the time:
 * within the limit of length it takes some 30 ms.
 */
function analyzeText(
  text: string,
  context: ContentContext | undefined,
  results: FileAnalysis,
): 'known' | 'unknown' | 'nothing' {
  if (text.trim() === '') return 'nothing';
  if (results.textsLeft <= 0 || (results.score !== undefined && isTimeUp(results.budget))) {
    addClause(results.gaps, 'it contains more texts than are analyzed');
    return 'nothing';
  }
  results.textsLeft--;
  if (text.length > results.budget.limits.textCharacters)
    addClause(results.gaps, 'its text is too long to be analyzed to the end');
  const head = text.slice(0, results.budget.limits.textCharacters);
  const analysis = results.analyzeContent({ type: 'text', text: head, ...(context && { context }) });
  addAnalysis(analysis, results);
  const letters = head.match(LETTERS)?.length ?? 0;
  if (analysis.score !== undefined) {
    results.hasText ||= letters >= MIN_LETTERS;
    return 'known';
  }
  return letters < UNKNOWN_LETTERS ? 'nothing' : 'unknown';
}

/** Looks up the keys of each link; the model scores one of each host. */
function analyzeLink(url: string, context: ContentContext | undefined, results: FileAnalysis): void {
  const { links, scoredHosts, budget } = results;
  const { limits } = budget;
  if (links.has(url)) return;
  if (links.size >= limits.links) {
    addClause(results.gaps, MORE_LINKS);
    return;
  }
  links.add(url);
  const [trail] = followLinks([url]).trails;
  if (trail === undefined) return;
  const hosts = trail.judged.flatMap((link) => parseUrl(link)?.host ?? []);
  if (hosts.length === 0) return;
  const areKnown = hosts.every((host) => scoredHosts.has(host));
  if (areKnown || scoredHosts.size >= limits.scoredLinks) {
    addKeys(keysOfTrail(trail), results);
    if (!areKnown) addClause(results.gaps, MORE_LINKS);
    return;
  }
  for (const host of hosts) scoredHosts.add(host);
  addAnalysis(results.analyzeContent({ type: 'url', url, ...(context && { context }) }), results);
}

function addAnalysis({ keys, findings, reasons, score, unsupported }: Analysis, results: FileAnalysis): void {
  addKeys(keys, results);
  for (const finding of findings) addFinding(finding, results);
  for (const reason of reasons) addClause(results.reasons, reason);
  if (score !== undefined) raiseScore(score, results);
  // Beside a score, this means that a part was not read.
  if (unsupported !== undefined)
    addClause(score === undefined ? results.unscored : results.gaps, unsupported);
}

function addKeys(keys: readonly IndicatorKey[], results: FileAnalysis): void {
  for (const key of keys) {
    if (results.keys.size >= MAX_KEYS) {
      addClause(results.gaps, 'it contains more than is looked up');
      return;
    }
    results.keys.set(`${key.type} ${key.digest}`, key);
  }
}

export function addClause(clauses: Map<string, Clause>, clause: Clause): void {
  const words = inWords(clause);
  if (!clauses.has(words)) clauses.set(words, clause);
}

function raiseScore(score: number, results: FileAnalysis): void {
  results.score = Math.max(results.score ?? 0, score);
}

function toMailContext(sender: string): ContentContext {
  return { channel: 'email', sender };
}
