import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { type Channel, createDetector } from '@tps/detection';
import { loadShippedModels } from '@tps/detection/node';
import { expect, test } from 'vitest';
import { CALLS, HONEST_CALLS } from './examples/calls.ts';
import { HONEST_MESSAGES, MESSAGES } from './examples/messages.ts';

/** A text that is warned of or blocked, with each clause of its explanation and whether a careful reader agrees. */
interface ReviewedText {
  readonly id: string;
  /** How it begins, for the reviewer. */
  readonly begins: string;
  readonly clauses: Readonly<Record<string, boolean>>;
}

interface WrittenText {
  readonly text: string;
  readonly channel: Channel | undefined;
}

const EVERYDAY = new URL('../../../tools/training/data/everyday.jsonl', import.meta.url);
const REVIEWED = new URL('./reviewed-clauses.jsonl', import.meta.url);
const CHANNELS: Readonly<Record<string, Channel>> = { everyday_call: 'call', everyday_mail: 'email' };
/** What is said where no cue fits and no word has a kind. */
const GENERAL = /resembles? those of known|also occur in scams|some features of phishing/;
const THRESHOLD = /(?:threshold of [\d.]+|enough to (?:block|warn of) it); (?:in addition, )?(.+)\.$/;
const CLAUSES =
  /, and (?=it |its |a link in |the domain |words |a )|, (?=it |its |a link in |the domain |words )/;

const detector = createDetector({ models: loadShippedModels() });
const explained = [...everydayTexts(), ...exampleTexts()].flatMap(({ text, channel }) => {
  const { verdict, status, details } = detector.classify({
    type: 'text',
    text,
    ...(channel ? { context: { channel } } : {}),
  });
  if (verdict === 'allow' || status !== 'completed') return [];
  const clauses = THRESHOLD.exec(details)?.[1]?.split(CLAUSES) ?? [];
  return [{ id: idOf(text), begins: text.replace(/\s+/g, ' ').slice(0, 60), clauses }];
});
const reviewed = new Map(
  readLines<ReviewedText>(REVIEWED).map(({ id, clauses }) => [id, new Map(Object.entries(clauses))]),
);

test('every clause of an explanation was reviewed', () => {
  expect(explained.length).toBeGreaterThanOrEqual(200);
  const unreviewed = explained.flatMap(({ id, begins, clauses }) => {
    const missing = clauses.filter((clause) => !reviewed.get(id)?.has(clause));
    return missing.length === 0 ? [] : [{ id, begins, missing }];
  });
  expect(unreviewed, 'review these, and add them to reviewed-clauses.jsonl').toEqual([]);
});

test('at least 95 % of the clauses are true, and at most 5 % of the warnings have none', () => {
  const verdicts = explained.flatMap(({ id, clauses }) =>
    clauses.map((clause) => reviewed.get(id)?.get(clause)),
  );
  const untrue = verdicts.filter((isTrue) => isTrue !== true).length;
  const without = explained.filter(({ clauses }) => clauses.every((clause) => GENERAL.test(clause))).length;
  process.stdout.write(
    `${explained.length} warnings, ${verdicts.length} clauses: ${untrue} untrue, ${without} warnings without a clause\n`,
  );
  expect(untrue / verdicts.length).toBeLessThanOrEqual(0.05);
  expect(without / explained.length).toBeLessThanOrEqual(0.05);
});

function everydayTexts(): WrittenText[] {
  return readLines<{ text: string; source: string }>(EVERYDAY).map(({ text, source }) => ({
    text,
    channel: CHANNELS[source] ?? 'sms',
  }));
}

function exampleTexts(): WrittenText[] {
  return [...MESSAGES, ...HONEST_MESSAGES, ...CALLS, ...HONEST_CALLS].map(({ scan }) => ({
    text: scan.content ?? '',
    channel: scan.context?.channel,
  }));
}

function readLines<Line>(file: URL): Line[] {
  return readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Line);
}

function idOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 12);
}
