import { readFileSync } from 'node:fs';
import { createDetector } from '@tps/detection';
import { loadShippedModels } from '@tps/detection/node';
import { expect, test } from 'vitest';
import { loadRows } from './rows/load-rows.ts';

/** The last message of a conversation, with those before it. `known_sender` is left out where a device cannot tell. */
interface Conversation {
  readonly text: string;
  readonly previous: readonly string[];
  readonly label: 'ham' | 'scam';
  readonly language: string;
  readonly known_sender?: boolean;
}

interface Share {
  readonly warned: number;
  readonly of: number;
}

const FILE = new URL('../conversations/conversations.jsonl', import.meta.url);
const conversations = readFileSync(FILE, 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Conversation);
const detector = createDetector({ models: loadShippedModels() });
const everyday = (await loadRows()).filter(({ source }) => source === 'everyday_sms');

function isWarned(text: string, context: object = {}): boolean {
  return detector.classify({ type: 'text', text, context: { channel: 'chat', ...context } }).threatDetected;
}

function contextOf({ previous, known_sender: knownSender }: Conversation): object {
  return { previous, ...(knownSender !== undefined && { knownSender }) };
}

function shareOf<Item>(items: readonly Item[], isCounted: (item: Item) => boolean): Share {
  return { warned: items.filter(isCounted).length, of: items.length };
}

function show(what: string, before: Share, after: Share): void {
  process.stdout.write(
    `${what}: ${before.warned} of ${before.of} without context, ${after.warned} with it\n`,
  );
}

test('scams are found by their conversation, and honest conversations stay without a warning', () => {
  const scams = conversations.filter(({ label }) => label === 'scam');
  const honest = conversations.filter(({ label }) => label === 'ham');
  expect(scams.length).toBeGreaterThanOrEqual(30);
  expect(honest.length).toBeGreaterThanOrEqual(30);
  expect(new Set(conversations.map(({ language }) => language)).size).toBe(7);
  const alone = ({ text }: Conversation) => isWarned(text);
  const inContext = (one: Conversation) => isWarned(one.text, contextOf(one));
  const [found, foundInContext] = [shareOf(scams, alone), shareOf(scams, inContext)];
  const [alarms, alarmsInContext] = [shareOf(honest, alone), shareOf(honest, inContext)];
  show('scams that are warned of', found, foundInContext);
  show('honest conversations that are warned of', alarms, alarmsInContext);
  if (process.env.SHOW_MISSES) {
    for (const one of scams) if (!inContext(one)) process.stdout.write(`missed: ${JSON.stringify(one)}\n`);
    for (const one of honest) if (inContext(one)) process.stdout.write(`alarm: ${JSON.stringify(one)}\n`);
  }
  expect(foundInContext.warned / foundInContext.of).toBeGreaterThanOrEqual(0.85);
  expect(foundInContext.warned).toBeGreaterThan(found.warned);
  expect(alarmsInContext.warned / alarmsInContext.of).toBeLessThanOrEqual(0.1);
});

test('an unsuspicious conversation before it does not change the verdict of a harmless message', () => {
  const honest = conversations.filter(({ label }) => label === 'ham');
  const previous = honest.slice(0, 5).map(({ text }) => text);
  for (const { text } of honest) {
    expect(isWarned(text, { previous }), text).toBe(isWarned(text));
  }
});

test('everyday messages by whether their sender is known', () => {
  const scams = everyday.filter(({ threat }) => threat);
  const withoutLink = scams.filter(({ content }) => !/https?:|www\.|\w\.[a-z]{2,}\//i.test(content));
  const honest = everyday.filter(({ threat }) => !threat);
  const as =
    (knownSender?: boolean) =>
    ({ content }: { content: string }) =>
      isWarned(content, knownSender === undefined ? {} : { knownSender });
  for (const [what, rows] of [
    ['everyday scams without a link', withoutLink],
    ['everyday scams', scams],
    ['everyday honest messages', honest],
  ] as const) {
    show(`${what}, of a stranger`, shareOf(rows, as()), shareOf(rows, as(false)));
    show(`${what}, of a known sender`, shareOf(rows, as()), shareOf(rows, as(true)));
  }
  const warnedOf = (rows: typeof honest, knownSender?: boolean) => shareOf(rows, as(knownSender)).warned;
  expect(warnedOf(honest, true)).toBeLessThanOrEqual(warnedOf(honest));
  expect(warnedOf(honest, false)).toBeLessThanOrEqual(warnedOf(honest) + honest.length * 0.01);
  expect(warnedOf(scams, true)).toBeGreaterThanOrEqual(warnedOf(scams) - scams.length * 0.05);
});
