import type { Analysis } from '../analysis/analysis.ts';
import type { Finding } from '../finding.ts';
import type { ModelContext } from '../model/model-context.ts';
import type { ThreatType } from '../threat-type.ts';
import type { Catalogue } from '../wording/catalogue.ts';
import { CATALOGUES, inWords } from '../wording/in-words.ts';
import type { Language } from '../wording/language.ts';
import type { Classification } from './classification.ts';

/** More reasons would make the sentence too long. */
const MAX_REASONS = 3;

type ExplainedParts = Pick<Classification, 'verdict' | 'threatType' | 'confidence' | 'findings' | 'language'>;

/**
 * Explains in one sentence what was found, and against which threshold. Never repeats the content. The only place where
 * codes become a sentence.
 */
export function explain(analysis: Analysis, parts: ExplainedParts, model: ModelContext): string {
  return parts.threatType === 'none'
    ? explainBenign(analysis, parts, model)
    : explainThreat(analysis, parts, model);
}

function explainBenign(
  { type, score, unsupported }: Analysis,
  { confidence, findings, language }: ExplainedParts,
  { thresholds }: ModelContext,
): string {
  const words = CATALOGUES[language];
  const threshold = toNumber(thresholds.warn, words);
  const [decisive] = findings;
  if (unsupported !== undefined) {
    const extent = score === undefined ? 'none' : 'part';
    return words.notAnalyzed(type, extent, inWords(unsupported, language));
  }
  if (decisive) {
    const but = words.butBelow(toNumber(confidence, words), threshold);
    return words.noThreat(type, `${evidenceIn(decisive, language)}, ${but}`);
  }
  return words.noThreat(
    type,
    score === undefined
      ? words.noIndicatorAndNothing
      : words.noIndicatorAndBelow(toNumber(score, words), threshold),
  );
}

function explainThreat(
  { type, reasons }: Analysis,
  { verdict, threatType, confidence, findings, language }: ExplainedParts,
  { thresholds }: ModelContext,
): string {
  const words = CATALOGUES[language];
  const threat = words.threats[threatType as ThreatType];
  const because = listClauses(
    reasons.slice(0, MAX_REASONS).map((reason) => inWords(reason, language)),
    words.and,
  );
  const [decisive] = findings;
  const severity = verdict === 'block' ? 'block' : 'warn';
  if (decisive?.minimumVerdict === verdict) {
    const say = threatType === 'known_indicator' ? words.matched : words.classified;
    const addition = because && `; ${words.inAddition(because)}`;
    return say(type, threat, `${evidenceIn(decisive, language)}; ${words.enough[severity]}${addition}`);
  }
  const reached = words.reached(toNumber(confidence, words), toNumber(thresholds[severity], words), severity);
  return words.classified(type, threat, `${reached}${because && `; ${because}`}`);
}

function evidenceIn({ clause, evidence }: Finding, language: Language): string {
  return clause === undefined ? evidence : inWords(clause, language);
}

function listClauses(clauses: readonly string[], and: string): string {
  return clauses.length < 2 ? clauses.join('') : `${clauses.slice(0, -1).join(', ')}${and}${clauses.at(-1)}`;
}

function toNumber(value: number, { decimalMark }: Catalogue): string {
  return value.toFixed(3).replace('.', decimalMark);
}
