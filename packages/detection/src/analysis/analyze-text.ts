import type { Channel, TextContent } from '../content.ts';
import { movesOn, namesWay } from '../cues/small-talk.ts';
import { findTextKind, type TextKind } from '../cues/text-kind.ts';
import { MAX_TOKENS } from '../features/text/tokenize.ts';
import type { Finding } from '../finding.ts';
import type { Models, Thresholds } from '../model/models.ts';
import { type PreparedText, prepareText } from '../model/prepare-text.ts';
import { scoreText, scoreWords } from '../model/score-text.ts';
import { isWorse, scoreTrail, type UrlScore } from '../model/score-url.ts';
import { toTextScale } from '../model/to-text-scale.ts';
import { findLinks, MAX_LINKS } from '../normalize/find-links.ts';
import {
  type Disguises,
  LINK_PLACEHOLDER,
  type NormalizedText,
  normalizeText,
} from '../normalize/normalize-text.ts';
import type { Clause } from '../wording/clause.ts';
import { evidenceOf } from '../wording/evidence-of.ts';
import type { Analysis } from './analysis.ts';
import { combineConfidence, correctForMultiplicity, rescaleFinding, USUAL_WORDS } from './confidence.ts';
import { followLinks } from './follow-links.ts';
import { inConversation } from './in-conversation.ts';
import { keysOfTrail } from './keys-of-trail.ts';
import { leadsHome } from './leads-home.ts';
import { nameWindow } from './name-window.ts';
import { urlFinding } from './url-finding.ts';
import { analyzeWithoutModels } from './without-models.ts';

/** A lower probability is not a finding: everyday messages reach it. */
export const NOTABLE = 0.05;
/** A mail has fewer links than a benign document. */
const USUAL_LINKS = 3;
/** The factor for the words of a message that leads home. */
const LEADS_HOME = 0.5;
const UNKNOWN_WORDS = { unsupported: { code: 'unknown_words' } } as const;
/** Fewer words beside a link are a greeting. */
const MIN_WORDS = 2;
/**
 * The signs in addresses and handles, and dots in names of sites. Chinese sentences end with `。`. A slash between digits is
 * that of a date.
 */
const FOLLOWED =
  /[@#\\]|(?<!\p{N})\/|\/(?!\p{N})|[\p{L}\p{M}_][.．｡]\p{L}|。(?:中国|公司|网络|香港|台湾|みんな)/u;
/** A time, a sum, a date or a code has fewer digits than a phone number, which may have signs between them. */
const PHONE_NUMBER = /\p{N}(?:[ ()\p{Pd}/\u00a0]{0,3}\p{N}){8}/u;
const DATE = /\p{N}{4}-\p{N}{2}-\p{N}{2}|\p{N}{1,2}\/\p{N}{1,2}\/\p{N}{2,4}/gu;
const DISGUISES: readonly (keyof Disguises)[] = ['confusable', 'invisible', 'spaced', 'leetspeak'];

/** Analyzes a message, a mail, a transcript or the words of a document, with its links. */
export function analyzeText({ text, context }: TextContent, models: Models | undefined): Analysis {
  if (!models)
    return analyzeWithoutModels(
      'text',
      findLinks(text).map(({ url }) => url),
    );
  const normalized = normalizeText(text);
  const prepared = prepareText(normalized);
  const { tokens } = prepared;
  const words = scoreText(prepared, models.text);
  const { trails, isWhole } = followLinks(normalized.links.map(({ url }) => url));
  const links = trails.map((trail) => scoreTrail(trail, models.url));
  const found = {
    type: 'text' as const,
    keys: trails.flatMap(keysOfTrail),
    ...(words === undefined && hasWords(normalized)
      ? UNKNOWN_WORDS
      : unreadOf(normalized, { tokens, isWhole })),
  };
  if (words === undefined && links.every((link) => link === undefined)) {
    return {
      ...found,
      findings: [],
      reasons: [],
      ...UNKNOWN_WORDS,
      ...(hasNothingToFollow(text, prepared) && { hasNothingToFollow: true }),
    };
  }
  const { thresholds } = models;
  const own = toTextFindings(prepared, { words, links, channel: context?.channel, thresholds });
  const { findings, reasons } = inConversation(own, { message: prepared, context, models });
  return {
    ...found,
    findings: findings.filter(({ confidence }) => confidence >= NOTABLE),
    reasons: reasons.length > 0 ? reasons : generalReasons(findings, { tokens, words, models }),
    score: combineConfidence(findings),
  };
}

interface ScoredWords {
  readonly tokens: readonly string[];
  /** The probability by the words. */
  readonly words: number | undefined;
  readonly models: Models;
}

/** Where no cue fits: the kinds of words that weighed most, or else what the model resembled. */
function generalReasons(findings: readonly Finding[], { tokens, words, models }: ScoredWords): Clause[] {
  const [strongest] = [...findings].sort((one, other) => other.confidence - one.confidence);
  if (strongest === undefined || strongest.confidence < NOTABLE) return [];
  const named = words === undefined ? undefined : nameWindow(tokens, scoreWords(tokens, models.text.linear));
  return [named ?? strongest.clause ?? strongest.evidence];
}

/** The separate results of the models for one text. */
export interface TextScores {
  /** Probability by its words; undefined when the model does not know them. */
  readonly words: number | undefined;
  /** One for each link; undefined for a link that cannot be scored. */
  readonly links: readonly (UrlScore | undefined)[];
  readonly channel?: Channel | undefined;
  readonly thresholds: Models['thresholds'];
}

/**
 * Combines the results for words and links, in the context of the whole text. Thresholds are measured on this
 * combination.
 */
export function toTextFindings(
  { text, tokens, words: said, cues }: PreparedText,
  { words = 0, links, channel, thresholds }: TextScores,
): Pick<Analysis, 'findings' | 'reasons'> {
  const link = worstLink(links);
  const linked = link && inText(urlFinding(link, thresholds.url), links.length, thresholds);
  if (Math.max(words, linked?.confidence ?? 0) < NOTABLE) return { findings: [], reasons: [] };
  const kind = findTextKind(cues, channel);
  const worded = correctForMultiplicity(words, { looks: said.count, usual: USUAL_WORDS });
  const isHome = leadsHome({ tokens, words: said.words, links });
  return {
    findings: [
      wordsFinding(isHome ? atHome(worded, thresholds.text) : worded, { kind, thresholds }),
      ...(linked ? [isSpecific(kind) ? { ...linked, ...typeOf(kind) } : linked] : []),
    ],
    reasons: [...disguisesOf(text), ...linkReasons(link), ...kind.reasons],
  };
}

/** A link to the company that it imitates costs a scam nothing: a block becomes a warning, not an all-clear. */
function atHome(confidence: number, { warn, block }: Thresholds): number {
  return confidence < block ? confidence * LEADS_HOME : Math.max(warn, confidence * LEADS_HOME);
}

function wordsFinding(
  confidence: number,
  { kind, thresholds }: { kind: TextKind; thresholds: Models['thresholds'] },
): Finding {
  const code = confidence < thresholds.text.warn ? 'words_occur' : 'words_resemble';
  return { detector: 'text_model', ...typeOf(kind), confidence, ...evidenceOf({ code }) };
}

function inText(finding: Finding, links: number, thresholds: Models['thresholds']): Finding {
  return rescaleFinding(finding, (confidence) =>
    toTextScale(correctForMultiplicity(confidence, { looks: links, usual: USUAL_LINKS }), thresholds),
  );
}

function typeOf({ threatType, category }: TextKind) {
  return { threatType, category };
}

function isSpecific({ threatType }: TextKind): boolean {
  return threatType !== 'suspicious_message' && threatType !== 'robocall_scam';
}

function linkReasons(link: UrlScore | undefined): Clause[] {
  const [trait] = link?.traits ?? [];
  return trait === undefined ? [] : [{ code: 'link', trait, isInText: true }];
}

function worstLink(links: readonly (UrlScore | undefined)[]): UrlScore | undefined {
  return links.reduce<UrlScore | undefined>((worst, link) => {
    if (!link || !worst) return worst ?? link;
    return isWorse(link, worst) ? link : worst;
  }, undefined);
}

/**
 * Returns whether the text has words beside its links: if the model does not understand them, a benign link
 * is not an all-clear.
 */
function hasWords({ text }: NormalizedText): boolean {
  const said = text.replaceAll(LINK_PLACEHOLDER, ' ').slice(0, 10_000);
  // Some scripts do not use spaces, so letters are counted, with their vowel signs.
  return (said.match(/\p{L}[\p{L}\p{M}]+/gu)?.length ?? 0) >= MIN_WORDS || /\p{L}[\p{L}\p{M}]{4}/u.test(said);
}

/** A result for the beginning of a text is not an all-clear for the rest. */
function unreadOf(
  { isWhole, links }: NormalizedText,
  read: { readonly tokens: readonly string[]; readonly isWhole: boolean },
): Pick<Analysis, 'unsupported'> {
  if (!isWhole || read.tokens.length === MAX_TOKENS) return { unsupported: { code: 'more_text' } };
  return read.isWhole && links.length < MAX_LINKS ? {} : { unsupported: { code: 'more_links' } };
}

/** Whether a text contains nothing that a scam needs the person to use: no link, phone number, handle or messenger. */
function hasNothingToFollow(
  written: string,
  { text: { text, links, isWhole }, words }: PreparedText,
): boolean {
  const isReached =
    [written, text].some((each) => FOLLOWED.test(each) || PHONE_NUMBER.test(each.replace(DATE, ''))) ||
    movesOn(words.words) ||
    namesWay(written);
  return isWhole && links.length === 0 && !isReached;
}

function disguisesOf({ disguises }: NormalizedText): Clause[] {
  return DISGUISES.filter((kind) => disguises[kind] > 0).map((kind) => ({ code: `disguised_${kind}` }));
}
