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
export function explain(analysis: Analysis, judged: ExplainedParts, model: ModelContext): string {
  return judged.threatType === 'none'
    ? explainBenign(analysis, judged, model)
    : explainThreat(analysis, judged, model);
}

function explainBenign(
  { type, score, unsupported }: Analysis,
  { confidence, findings }: ExplainedParts,
  { version, thresholds }: ModelContext,
): string {
  const subject = `this ${SUBJECTS[type]}`;
  const [decisive] = findings;
  const warns = toNumber(thresholds.warn);
  const model = nameOf(version);
  if (unsupported !== undefined) {
    const judged = score === undefined ? 'Nothing here can judge' : 'Nothing here can judge all of';
    return `${judged} ${subject}: ${unsupported}. That is no all-clear.`;
  }
  if (decisive) {
    return `Too little speaks against ${subject}: ${decisive.evidence}; in all that is ${toNumber(confidence)}, below the ${warns} from which ${model} warns.`;
  }
  const scored =
    score === undefined
      ? `nor anything that ${model} looks for`
      : `and ${model} puts it at ${toNumber(score)}, below the ${warns} from which it warns`;
  return `Nothing known here speaks against ${subject}: no indicator matches, ${scored}.`;
}

function explainThreat(
  { type, reasons }: Analysis,
  { verdict, threatType, confidence, findings }: ExplainedParts,
  { version, thresholds }: ModelContext,
): string {
  const subject = `This ${SUBJECTS[type]}`;
  const { words } = THREAT_TYPES[threatType as ThreatType];
  const because = reasons.slice(0, MAX_REASONS).join(', ');
  const [decisive] = findings;
  if (decisive?.minimumVerdict === verdict) {
    // An indicator without a specific type has nothing to add.
    const taken = threatType === 'known_indicator' ? '' : ` is taken for ${words}, because it`;
    return `${subject}${taken} shows ${decisive.evidence}${because && ` and ${because}`}; that alone is enough to ${verdict} (${nameOf(version)}).`;
  }
  const limit = toNumber(thresholds[verdict === 'block' ? 'block' : 'warn']);
  return `${subject} is taken for ${words}: ${nameOf(version)} puts it at ${toNumber(confidence)}, at or above the ${limit} from which it ${verdict}s${because && `, and ${because}`}.`;
}

function nameOf(version: string): string {
  return version === WITHOUT_MODELS.version ? 'the classification without models' : `model ${version}`;
}

function toNumber(value: number): string {
  return value.toFixed(3);
}
