import { isDeepStrictEqual } from 'node:util';
import type { Event } from '@tps/client';
import type { Account } from './fleet.ts';
import type { Observed } from './observer.ts';
import type { Sample, Step } from './sample.ts';
import type { Outcome } from './wire.ts';

/** A claim about the run, and whether it holds. */
export interface Finding {
  readonly holds: boolean;
  readonly text: string;
}

/** Judges the run by what devices were answered and integrators could read, and by nothing else. */
export function checkResults(parts: {
  outcomes: readonly Outcome[];
  observed: Observed;
  /** The feed read once more, from its beginning. */
  secondReading: readonly Event[];
  sample: Sample;
  steps: readonly Step[];
  /** What each agent says of its own store. */
  accounts: readonly Account[];
  isWholeSample: boolean;
}): Finding[] {
  const { outcomes, observed, secondReading, sample, steps, accounts, isWholeSample } = parts;
  return [
    checkAnswers(outcomes),
    ...checkFeed(outcomes, observed.feed),
    {
      holds: isDeepStrictEqual(observed.feed, secondReading),
      text: 'A second reader, from the beginning, got the same events in the same order.',
    },
    checkRedaction(sample.personal_data, { steps, observed }),
    checkAccounts(accounts),
    ...checkJudgements(accounts, observed.feed),
    // Fewer events than the sample has may well lack what a campaign or a broken chain is made of.
    ...(isWholeSample ? [checkDerived(observed)] : []),
  ];
}

function checkAnswers(outcomes: readonly Outcome[]): Finding {
  const wrong = outcomes.filter(({ status, code, expected }) =>
    expected === undefined ? status !== 200 && status !== 201 : code !== expected,
  );
  const [first] = wrong;
  return {
    holds: wrong.length === 0,
    text: first
      ? `${wrong.length} answers are not what was to be expected, such as ${first.status} ${first.code ?? ''} for ${first.event.event_id}.`
      : `All ${outcomes.length} answers are what was to be expected, refusals included.`,
  };
}

function checkFeed(outcomes: readonly Outcome[], feed: readonly Event[]): Finding[] {
  const accepted = new Set(
    outcomes.filter(({ status }) => status === 201).map(({ event }) => event.event_id),
  );
  const read = new Map<string, number>();
  for (const { event_id: id } of feed) read.set(id, (read.get(id) ?? 0) + 1);
  const missing = [...accepted].filter((id) => !read.has(id)).length;
  const repeated = [...read.values()].filter((times) => times > 1).length;
  const foreign = [...read.keys()].filter((id) => !accepted.has(id)).length;
  const isExact = missing + repeated + foreign === 0;

  const byId = new Map(feed.map((event) => [event.event_id, event]));
  const sent = outcomes.filter(({ status }) => status === 201).map(({ event }) => event);
  const changed = sent.filter((event) => !isDeepStrictEqual(byId.get(event.event_id), event)).length;
  return [
    {
      holds: isExact,
      text: isExact
        ? `The feed gave each of the ${accepted.size} accepted events exactly once, and nothing else.`
        : `Of ${accepted.size} accepted events the feed lacks ${missing}, repeats ${repeated}, and has ${foreign} others.`,
    },
    {
      holds: changed === 0,
      text:
        changed === 0
          ? 'Each event reads as its device had sent it.'
          : `${changed} events read otherwise than their devices had sent them.`,
    },
  ];
}

function checkRedaction(
  personalData: readonly string[],
  { steps, observed }: { steps: readonly Step[]; observed: Observed },
): Finding {
  const { feed, alerts, threats, incidents } = observed;
  const written = JSON.stringify(steps);
  const readable = JSON.stringify([
    feed,
    [...alerts.values()],
    [...threats.values()],
    [...incidents.values()],
  ]);
  const observedOnDevices = personalData.filter((text) => written.includes(text));
  const found = observedOnDevices.filter((text) => readable.includes(text));
  return {
    holds: found.length === 0,
    text:
      found.length === 0
        ? `None of ${observedOnDevices.length} names, numbers, addresses and links that devices observed can be read back.`
        : `Personal data can be read back: ${found.join(', ')}.`,
  };
}

function checkAccounts(accounts: readonly Account[]): Finding {
  const [recorded, archived] = [sumOf(accounts, 'recorded'), sumOf(accounts, 'archived')];
  return {
    holds: recorded === archived,
    text: `Of ${recorded} events that agents recorded, each on its own encrypted store, ${archived} are known to be with the service.`,
  };
}

/** Each event about content says what it was taken for and by which model; harmless content makes none. */
function checkJudgements(accounts: readonly Account[], feed: readonly Event[]): Finding[] {
  const [judged, harmless] = [sumOf(accounts, 'judged'), sumOf(accounts, 'harmless')];
  const explained = feed.filter(
    ({ description, metadata }) =>
      metadata !== undefined &&
      'threat_type' in metadata &&
      description?.includes(metadata.model_version ?? '?'),
  );
  return [
    {
      holds: judged === harmless + explained.length,
      text: `Agents judged ${judged} messages, calls and links: ${harmless} were harmless and stayed on the device, ${explained.length} became events that say why.`,
    },
  ];
}

function sumOf(accounts: readonly Account[], name: keyof Account): number {
  return accounts.reduce((total, account) => total + account[name], 0);
}

function checkDerived({ alerts, threats, incidents }: Observed): Finding {
  const categories = new Set([...incidents.values()].map(({ category }) => category));
  const lacking = [
    ...(alerts.size === 0 ? ['alerts'] : []),
    ...(threats.size === 0 ? ['threats'] : []),
    ...(categories.has('campaign') ? [] : ['a campaign']),
    ...(categories.has('device_integrity') ? [] : ['the broken chain of a device']),
  ];
  return {
    holds: lacking.length === 0,
    text:
      lacking.length === 0
        ? 'Alerts, threats and incidents were derived, among them a campaign and a broken device chain.'
        : `Not derived: ${lacking.join(', ')}.`,
  };
}
