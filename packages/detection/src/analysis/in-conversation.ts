import type { ContentContext } from '../content.ts';
import { announcesNewNumber } from '../cues/new-number.ts';
import { isRelativeWithNewNumber, isSmallTalk, movesOn } from '../cues/small-talk.ts';
import type { Tactic } from '../cues/tactics.ts';
import { findTextKind } from '../cues/text-kind.ts';
import type { Finding } from '../finding.ts';
import type { Models } from '../model/models.ts';
import { type PreparedText, prepareText } from '../model/prepare-text.ts';
import { scoreText } from '../model/score-text.ts';
import { normalizeText } from '../normalize/normalize-text.ts';
import { THREAT_TYPES, type ThreatType } from '../threat-type.ts';
import type { ClauseCode } from '../wording/clause.ts';
import { evidenceOf } from '../wording/evidence-of.ts';
import type { Analysis } from './analysis.ts';
import { combineConfidence, correctForMultiplicity, USUAL_WORDS } from './confidence.ts';

/** Longer texts are mails and documents, not messages of a conversation. */
const MAX_MESSAGE = 4_000;
/** The limits of the contract, which also hold on a device. The newest messages are read. */
const MAX_PREVIOUS = 20;
const MAX_PREVIOUS_LENGTH = 2_000;
/** Of all earlier messages together. Letters that expand when folded can make 180,000 of them. */
const MAX_PREVIOUS_TOTAL = 10_000;
/** The fallback policies of agents warn from this confidence. With findings below a warning it does not add up to a block. */
const RULE_CONFIDENCE = 0.5;
/** The factor for the words of a message of a known sender that asks for nothing. */
const KNOWN_SENDER = 0.5;
/** What scammers who begin with small talk ask for or promise. */
const VALUE: ReadonlySet<Tactic> = new Set<Tactic>([
  'one_time_code',
  'irrevocable_payment',
  'credentials',
  'fee',
  'donation',
  'earnings',
]);
/** Strong phrases about cryptocurrencies and investments. */
const MIN_INVESTMENT_POINTS = 3;
/** Tactics that are also frequent in honest conversations. */
const ORDINARY: ReadonlySet<Tactic> = new Set<Tactic>(['meeting', 'vague_greeting', 'haste', 'call_back']);
type TextFindings = Pick<Analysis, 'findings' | 'reasons'>;

interface Message {
  readonly message: PreparedText;
  readonly context: ContentContext | undefined;
  readonly models: Models;
}

/**
 * Corrects the result of a message by the earlier messages, and by whether its sender is known. It raises a result at most
 * to a warning, keeps each block, and lowers only warnings that rest on words alone.
 */
export function inConversation(own: TextFindings, { message, context, models }: Message): TextFindings {
  if (message.text.text.length > MAX_MESSAGE) return own;
  const { warn, block } = models.thresholds.text;
  const confidence = combineConfidence(own.findings);
  if (confidence >= block) return own;
  const said = [...newestOf(context?.previous ?? []).map(readPrevious), message];
  const rule = findRule(said, context?.knownSender);
  if (rule !== undefined) return byRule(own, rule, { isNew: confidence < warn });
  if (confidence < warn) return said.length > 1 ? withPrevious(own, said, { context, models }) : own;
  // Closer to a block than to no warning: the account of a known sender can be in other hands.
  if (context?.knownSender !== true || confidence >= (warn + block) / 2) return own;
  return byKnownSender(own, message);
}

/** Returns the newest messages that are read, the oldest first. */
function newestOf(previous: readonly string[]): string[] {
  const newest: string[] = [];
  let left = MAX_PREVIOUS_TOTAL;
  for (const message of previous.slice(-MAX_PREVIOUS).reverse()) {
    const read = message.slice(0, MAX_PREVIOUS_LENGTH);
    left -= read.length;
    if (left < 0) break;
    newest.unshift(read);
  }
  return newest;
}

/** Cuts the text to the length of a message, since letters can expand when folded. */
function readPrevious(message: string): PreparedText {
  const read = normalizeText(message);
  return prepareText({ ...read, text: read.text.slice(0, MAX_MESSAGE) });
}

interface Rule {
  readonly code: ClauseCode;
  readonly threatType: ThreatType;
}

function findRule(said: readonly PreparedText[], knownSender: boolean | undefined): Rule | undefined {
  if (knownSender === true) return undefined;
  const messages = said.map(({ words }) => words.words);
  const [latest] = said.slice(-1);
  if (isRelativeWithNewNumber(messages) || (latest && announcesNewNumber(latest.text.text)))
    return { code: 'new_number_of_relative', threatType: 'family_emergency' };
  if (knownSender !== false || !messages.some(isSmallTalk)) return undefined;
  const cues = said.map((message) => message.cues);
  const wants = cues.some(
    ({ tactics, topics }) =>
      [...tactics].some((tactic) => VALUE.has(tactic)) ||
      (topics.get('crypto_scam') ?? 0) >= MIN_INVESTMENT_POINTS,
  );
  if (wants) return { code: 'stranger_wants_value', threatType: 'romance_scam' };
  const moves = movesOn(messages.flat()) || cues.some(({ tactics }) => tactics.has('elsewhere'));
  return moves ? { code: 'stranger_moves_on', threatType: 'romance_scam' } : undefined;
}

function byRule(
  { findings, reasons }: TextFindings,
  { code, threatType }: Rule,
  { isNew }: { readonly isNew: boolean },
): TextFindings {
  const said = [{ code }, ...reasons];
  if (!isNew) return { findings, reasons: said };
  const finding: Finding = {
    detector: 'conversation',
    threatType,
    category: THREAT_TYPES[threatType].category,
    confidence: RULE_CONFIDENCE,
    ...evidenceOf({ code }),
    minimumVerdict: 'warn',
  };
  return { findings: [finding, ...findings], reasons };
}

/**
 * Scores the words of all messages together, to find a scam that is split over several of them. The score counts only with
 * a request or a claim among them, because the words of any long conversation resemble some scam.
 */
function withPrevious(
  own: TextFindings,
  said: readonly PreparedText[],
  { context, models }: Pick<Message, 'context' | 'models'>,
): TextFindings {
  const { warn, block } = models.thresholds.text;
  const together = prepareText(normalizeText(said.map(({ text }) => text.text).join('.\n')));
  const { words, cues } = together;
  // A separate rule applies to the wish to continue elsewhere, because it depends on the sender.
  if ([...cues.tactics].every((tactic) => ORDINARY.has(tactic) || tactic === 'elsewhere')) return own;
  const score = scoreText(together, models.text) ?? 0;
  const confidence = correctForMultiplicity(score, { looks: words.count, usual: USUAL_WORDS });
  if (confidence < warn) return own;
  const { threatType, category, reasons } = findTextKind(cues, context?.channel);
  const finding: Finding = {
    detector: 'text_model',
    threatType,
    category,
    // Between the thresholds: a message that leads to no warning alone is not blocked together with others.
    confidence: Math.min(confidence, (warn + block) / 2),
    ...evidenceOf({ code: 'words_resemble_together' }),
  };
  const others = own.findings.filter(({ detector }) => detector !== 'text_model');
  return { findings: [finding, ...others], reasons: [{ code: 'words_resemble_together' }, ...reasons] };
}

/**
 * Lowers a warning by words alone, if the message asks for nothing and claims nothing that scams do.
 */
function byKnownSender(own: TextFindings, { text, cues }: PreparedText): TextFindings {
  const [only, ...others] = own.findings;
  if (only?.detector !== 'text_model' || others.length > 0 || text.links.length > 0) return own;
  if (Object.values(text.disguises).some((count) => count > 0)) return own;
  if ([...cues.tactics].some((tactic) => !ORDINARY.has(tactic))) return own;
  const confidence = only.confidence * KNOWN_SENDER;
  return {
    ...own,
    findings: [{ ...only, confidence, ...evidenceOf({ code: 'words_of_known_sender' }) }],
  };
}
