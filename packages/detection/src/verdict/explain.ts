import type { Analysis } from '../analysis/analysis.ts';
import { type ModelContext, WITHOUT_MODELS } from '../model/model-context.ts';
import { THREAT_TYPES, type ThreatType } from '../threat-type.ts';
import type { Classification } from './classification.ts';

const SUBJECTS = {
  text: 'message',
  url: 'link',
  file: 'file',
  media: 'recording or picture',
  app: 'app',
} as const;
/** More reasons would make the sentence too long. */
const MAX_REASONS = 3;

type ExplainedParts = Pick<Classification, 'verdict' | 'threatType' | 'confidence' | 'findings'>;

/**
 * Explains in one sentence what was found, by which model, and against which threshold. Never repeats the
 * content.
 */
export function explain(analysis: Analysis, parts: ExplainedParts, model: ModelContext): string {
  return parts.threatType === 'none'
    ? explainBenign(analysis, parts, model)
    : explainThreat(analysis, parts, model);
}

function explainBenign(
  { type, score, unsupported }: Analysis,
  { confidence, findings }: ExplainedParts,
  { version, thresholds }: ModelContext,
): string {
  const subject = SUBJECTS[type];
  const [decisive] = findings;
  const threshold = `warning threshold of ${toNumber(thresholds.warn)}`;
  const model = nameOf(version);
  if (unsupported !== undefined) {
    const extent = score === undefined ? 'could not be analyzed' : 'was analyzed only in part';
    return `This ${subject} ${extent}: ${unsupported}. This is not an all-clear.`;
  }
  const result = `No threat was detected in this ${subject}`;
  if (decisive) {
    return `${result}: ${decisive.evidence}, but the combined probability of ${toNumber(confidence)} is below the ${threshold} of ${model}.`;
  }
  const estimate =
    score === undefined
      ? `${model} found nothing suspicious`
      : `${model} estimates a probability of ${toNumber(score)}, below its ${threshold}`;
  return `${result}: no indicator matches, and ${estimate}.`;
}

function explainThreat(
  { type, reasons }: Analysis,
  { verdict, threatType, confidence, findings }: ExplainedParts,
  { version, thresholds }: ModelContext,
): string {
  const subject = `This ${SUBJECTS[type]}`;
  const { words } = THREAT_TYPES[threatType as ThreatType];
  const because = listClauses(reasons.slice(0, MAX_REASONS));
  const [decisive] = findings;
  if (decisive?.minimumVerdict === verdict) {
    const result = threatType === 'known_indicator' ? 'matches' : 'was classified as';
    const action = verdict === 'block' ? 'block it' : 'warn of it';
    return `${subject} ${result} ${words}: ${decisive.evidence}; this alone is enough to ${action} (${nameOf(version)})${because && `; in addition, ${because}`}.`;
  }
  const threshold =
    verdict === 'block'
      ? `blocking threshold of ${toNumber(thresholds.block)}`
      : `warning threshold of ${toNumber(thresholds.warn)}`;
  return `${subject} was classified as ${words}: ${nameOf(version)} estimates a probability of ${toNumber(confidence)}, at or above its ${threshold}${because && `; ${because}`}.`;
}

function listClauses(clauses: readonly string[]): string {
  return clauses.length < 2 ? clauses.join('') : `${clauses.slice(0, -1).join(', ')}, and ${clauses.at(-1)}`;
}

function nameOf(version: string): string {
  return version === WITHOUT_MODELS.version ? 'the rules without models' : `model ${version}`;
}

function toNumber(value: number): string {
  return value.toFixed(3);
}
