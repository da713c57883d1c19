import { hashText } from '#detection/model/hash.ts';
import { createRandom } from '../rows/split.ts';
import { HARMLESS_CALLS } from './harmless-calls.ts';
import { HARMLESS_CHAT } from './harmless-chat.ts';
import { HARMLESS_MAILS } from './harmless-mails.ts';
import { HARMLESS_NOTICES } from './harmless-notices.ts';
import { HARMLESS_OFFERS } from './harmless-offers.ts';
import { HARMLESS_QUESTIONS } from './harmless-questions.ts';
import { HONEST_CALLS } from './honest-calls/honest-calls.ts';
import { HONEST_MAILS } from './honest-mails/honest-mails.ts';
import { HONEST_MESSAGES } from './honest-messages/honest-messages.ts';
import { HARMLESS_ELSEWHERE, SCAMS_ELSEWHERE } from './other-languages.ts';
import { SCAM_CALLS } from './scam-calls.ts';
import { SCAM_LURES } from './scam-lures.ts';
import { SCAM_MAILS } from './scam-mails.ts';
import { SCAM_NOTICES } from './scam-notices.ts';
import { HONEST_LOOK_ALIKES } from './scam-talk/honest-look-alikes.ts';
import { SCAM_TALK } from './scam-talk/scam-talk.ts';
import { SLOTS } from './slots/slots.ts';

/** A text of our own: made from a template, written from what is publicly known about how scams are worded. */
export interface SeedText {
  readonly content: string;
  readonly threat: boolean;
  /** The template it came from: its texts are too alike to be on both sides of a split. */
  readonly key: string;
}

const VARIANTS = 16;
const CHOICE = /\[([^[\]]*)\]/g;
const SLOT = /\{(\w+)\}/g;
/** Choices lie in choices, and slots in slots, to no greater depth. */
const DEEPEST = 6;

const TEMPLATES: readonly (readonly [readonly string[], boolean])[] = [
  [SCAM_NOTICES, true],
  [SCAM_LURES, true],
  [SCAM_CALLS, true],
  [SCAM_MAILS, true],
  [SCAMS_ELSEWHERE, true],
  [SCAM_TALK, true],
  [HONEST_LOOK_ALIKES, false],
  [HARMLESS_NOTICES, false],
  [HARMLESS_QUESTIONS, false],
  [HARMLESS_OFFERS, false],
  [HARMLESS_CHAT, false],
  [HARMLESS_CALLS, false],
  [HARMLESS_MAILS, false],
  [HONEST_MAILS, false],
  [HARMLESS_ELSEWHERE, false],
  [HONEST_MESSAGES, false],
  [HONEST_CALLS, false],
];

/** Fills the templates, each in up to sixteen ways. The same seed gives the same texts. */
export function expandSeeds(seed: number): SeedText[] {
  return TEMPLATES.flatMap(([templates, threat]) =>
    templates.flatMap((template) => {
      const random = createRandom(hashText(template, seed));
      const contents = new Set(Array.from({ length: VARIANTS }, () => fill(template, random)));
      return [...contents].map((content) => ({ content, threat, key: template }));
    }),
  );
}

/** In a template `[a|b]` is a choice and `{bank}` one of the words of a slot. */
function fill(template: string, random: () => number): string {
  const choose = (options: readonly string[]) => options[Math.floor(random() * options.length)] ?? '';
  let text = template;
  for (let depth = 0; depth < DEEPEST; depth += 1) {
    text = text
      .replace(CHOICE, (_, options: string) => choose(options.split('|')))
      .replace(SLOT, (_, name: string) => choose(SLOTS[name] ?? [digits(name, random)]));
  }
  return text.replace(/ +/g, ' ').trim();
}

/** `{n4}` is four digits. */
function digits(name: string, random: () => number): string {
  const count = /^n(\d)$/.exec(name)?.[1];
  if (count === undefined) throw new Error(`No slot is called ${name}.`);
  return Array.from(
    { length: Number(count) },
    (_, at) => Math.floor(random() * (at === 0 ? 9 : 10)) + (at === 0 ? 1 : 0),
  ).join('');
}
