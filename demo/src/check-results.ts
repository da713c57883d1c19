import { isDeepStrictEqual } from 'node:util';
import type { Event } from '@tps/client';
import { type AgentCounts, checkFeed, type EventAnswer, type Step } from '@tps/simulator';
import type { Progress } from './progress.ts';
import type { Sample } from './sample.ts';

/** One claim about the run, and whether it holds. */
export interface Check {
  readonly holds: boolean;
  readonly text: string;
}

/** Checks the run against what devices were answered and what integrators read. */
export async function checkResults(parts: {
  progress: Progress;
  /** The feed, read again from the start. */
  secondReading: readonly Event[];
  sample: Sample;
  steps: readonly Step[];
  counts: AgentCounts;
}): Promise<Check[]> {
  const { progress, secondReading, sample, steps, counts } = parts;
  return [
    checkAnswers(progress.answers),
    ...(await checkEvents(progress)),
    {
      holds: isDeepStrictEqual(progress.feed, secondReading),
      text: 'A second reader, from the start of the feed, read the same events in the same order.',
    },
    checkRedaction(progress, { sample, steps }),
    {
      holds: counts.recorded === counts.archived,
      text: `Agents recorded ${counts.recorded} events, each in its own encrypted log; the service has confirmed ${counts.archived}.`,
    },
    checkScans(counts, progress.feed),
    // A part of the sample may lack the events of a campaign or of a broken chain.
    ...(steps.length >= sample.steps.length ? [checkDerived(progress)] : []),
  ];
}

function checkAnswers(answers: readonly EventAnswer[]): Check {
  const wrong = answers.filter(({ status, code, expected }) =>
    expected === undefined ? status !== 200 && status !== 201 : code !== expected,
  );
  const [first] = wrong;
  return {
    holds: first === undefined,
    text: first
      ? `${wrong.length} answers are unexpected, for example ${first.status} ${first.code ?? ''} for ${first.event.event_id}.`
      : `All ${answers.length} answers are as expected, refusals included.`,
  };
}

async function checkEvents({ answers, feed }: Progress): Promise<Check[]> {
  const accepted = new Map(
    answers.flatMap(({ status, event }) => (status === 201 ? [[event.event_id, event] as const] : [])),
  );
  const { missing, repeated, foreign } = await checkFeed(feed, accepted);
  const isExact = missing.length + repeated.length + foreign === 0;
  const changed = feed.filter((event) => !isDeepStrictEqual(accepted.get(event.event_id), event)).length;
  return [
    {
      holds: isExact,
      text: isExact
        ? `The feed returned each of the ${accepted.size} accepted events exactly once, and no other event.`
        : `Of ${accepted.size} accepted events the feed lacks ${missing.length} and repeats ${repeated.length}; it has ${foreign} others.`,
    },
    {
      holds: changed === 0,
      text:
        changed === 0
          ? 'Each event in the feed is identical to what its device sent.'
          : `${changed} events in the feed differ from what their devices sent.`,
    },
  ];
}

function checkRedaction(
  { feed, alerts, threats, incidents }: Progress,
  { sample, steps }: { sample: Sample; steps: readonly Step[] },
): Check {
  const onDevices = JSON.stringify(steps);
  const readable = JSON.stringify([feed, ...[alerts, threats, incidents].map((map) => [...map.values()])]);
  const seen = sample.personal_data.filter((text) => onDevices.includes(text));
  const leaked = seen.filter((text) => readable.includes(text));
  return {
    holds: leaked.length === 0,
    text:
      leaked.length === 0
        ? `None of the ${seen.length} names, numbers, addresses and links on the devices can be read from the service.`
        : `Personal data can be read from the service: ${leaked.join(', ')}.`,
  };
}

/** An event about scanned content states its threat type and the model. Harmless content produces no event. */
function checkScans({ scanned, harmless }: AgentCounts, feed: readonly Event[]): Check {
  const explained = feed.filter(
    ({ description, metadata }) =>
      metadata !== undefined &&
      'threat_type' in metadata &&
      metadata.model_version !== undefined &&
      description !== undefined,
  );
  return {
    holds: scanned === harmless + explained.length,
    text: `Agents scanned ${scanned} messages, calls and links: ${harmless} were harmless and stayed on the device, ${explained.length} became events with an explanation.`,
  };
}

function checkDerived({ alerts, threats, incidents }: Progress): Check {
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
