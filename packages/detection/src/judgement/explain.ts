import type { Thresholds } from '../model/thresholds.ts';
import { THREAT_TYPES } from '../threat-type.ts';
import type { Judgement } from './conclude.ts';
import type { Inspection } from './inspection.ts';

const SUBJECTS = {
  text: 'message',
  url: 'link',
  file: 'file',
  media: 'recording or picture',
  app: 'app',
} as const;
/** More reasons make no sentence. */
const MOST_REASONS = 3;

type Judged = Pick<Judgement, 'verdict' | 'threatType' | 'confidence' | 'findings'>;

/** Says in one sentence what was found, by what, and against which threshold. Never repeats the content. */
export function explain(
  { type, reasons, score, unsupported }: Inspection,
  { verdict, threatType, confidence, findings }: Judged,
  { version, thresholds }: { readonly version: string; readonly thresholds: Thresholds },
): string {
  const subject = `this ${SUBJECTS[type]}`;
  const [decisive] = findings;
  if (threatType === 'none') {
    if (!decisive && unsupported !== undefined) {
      return `Nothing here can judge ${subject}: ${unsupported}. That is no all-clear.`;
    }
    const scored =
      score === undefined
        ? ''
        : ` at ${toNumber(score)}, below the ${toNumber(thresholds.warn)} from which it warns`;
    return `Nothing known here speaks against ${subject}: no indicator matches, and model ${version} puts it${scored}.`;
  }
  const words = THREAT_TYPES[threatType].words;
  const because = reasons.slice(0, MOST_REASONS).join(', ');
  if (decisive && decisive.asksFor !== undefined && decisive.asksFor !== 'allow') {
    // An indicator of no finer kind is all there is to say.
    const taken = threatType === 'known_indicator' ? ' ' : ` is taken for ${words}, because it `;
    return `${capital(subject)}${taken}shows ${decisive.evidence}${because && ` and ${because}`}; that alone is enough to ${verdict} (model ${version}).`;
  }
  const limit = verdict === 'block' ? thresholds.block : thresholds.warn;
  return `${capital(subject)} is taken for ${words}: model ${version} puts it at ${toNumber(confidence)}, at or above the ${toNumber(limit)} from which it ${verdict}s${because && `, and ${because}`}.`;
}

function toNumber(value: number): string {
  return value.toFixed(3);
}

function capital(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}
