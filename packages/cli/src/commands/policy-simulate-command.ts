import type { ActionCounts, ChangedEvent, NewPolicySimulation, PolicySimulation } from '@tps/client';
import type { Command } from 'commander';
import type { CommandContext } from '../command-context.ts';
import { usageError } from '../output/command-error.ts';
import { printFields, printList } from '../output/print.ts';
import type { Column } from '../output/table.ts';
import { toShortTime } from '../output/time.ts';
import { type Fields, openCall } from './api-command.ts';
import { examples } from './examples.ts';
import { addChangeOptions, type PolicyFlags, toPolicyChange } from './policy-flags.ts';
import { toTime, wholeNumber } from './values.ts';

interface Flags extends PolicyFlags {
  readonly since?: string;
  readonly until?: string;
  readonly events?: number;
}

const MAX_EVENTS = 20_000;

const NOTES = `
With <policy>, the options are a change of it; without, they describe a new policy, which needs --category and --action.
Nothing is stored. The result covers what devices recorded: content that no detector reported is not among the events,
however low the threshold.
`;

const COLUMNS: readonly Column<ChangedEvent>[] = [
  { heading: 'EVENT', of: (event) => event.event_id },
  { heading: 'TIME', of: (event) => toShortTime(event.timestamp) },
  { heading: 'DEVICE', of: (event) => event.device_id, mayShrink: true },
  { heading: 'CATEGORY', of: (event) => event.threat_category },
  { heading: 'CONFIDENCE', of: (event) => String(event.confidence) },
  { heading: 'TAKEN', of: (event) => event.action_taken },
  { heading: 'BEFORE', of: (event) => event.before },
  { heading: 'AFTER', of: (event) => event.after, isState: true },
];

/** Adds `tps policies simulate`. */
export function addPolicySimulation(policies: Command, context: CommandContext): void {
  const simulate = policies
    .command('simulate')
    .description('show what a new or changed policy would have done on past events')
    .argument('[policy]', 'id of the policy to change (default: a new policy)');
  addChangeOptions(simulate)
    .option('--since <time>', 'only events that arrived at this time or later', toTime)
    .option('--until <time>', 'only events that arrived before this time', toTime)
    .option('--events <number>', 'maximum number of events to read, newest first', wholeNumber(1, MAX_EVENTS))
    .addHelpText(
      'after',
      NOTES +
        examples(
          'tps policies simulate pol_0123 --threshold 0.7 --since 7d',
          'tps policies simulate --category phishing --action block --threshold 0.9',
          'tps policies simulate pol_0123 --disable --json',
        ),
    )
    .action(async (id: string | undefined, flags: Flags, command: Command) => {
      const simulation = toSimulation(id, flags);
      const { client, session, tenant } = await openCall(context, command);
      const outcome = await client.policies.simulate({ ...simulation, ...tenant });
      await printFields(session, outcome, toFields(outcome));
      const { events = [] } = outcome;
      if (session.format !== 'table' || events.length === 0) return;
      await printList(session, inTurn(events), { columns: COLUMNS, limit: events.length });
    });
}

/** @throws CommandError for flags that are missing or contradict each other */
function toSimulation(id: string | undefined, flags: Flags): NewPolicySimulation {
  const { since, until, events: limit } = flags;
  const change = toPolicyChange(flags);
  const range = {
    ...(since === undefined ? {} : { received_since: since }),
    ...(until === undefined ? {} : { received_until: until }),
    ...(limit === undefined ? {} : { limit }),
  };
  if (id !== undefined) {
    if (Object.keys(change).length === 0)
      throw usageError('Nothing to change. See: tps policies simulate --help');
    return { policy_id: id, change, ...range };
  }
  const { name = 'Simulated', category, action, threshold } = flags;
  if (category === undefined || action === undefined)
    throw usageError('A new policy needs --category and --action.');
  const policy = {
    name,
    threat_categories: [...category],
    action,
    enabled: change.enabled ?? true,
    ...(threshold === undefined ? {} : { confidence_threshold: threshold }),
  };
  return { policy, ...range };
}

function toFields(outcome: PolicySimulation): Fields {
  const { read, complete, oldest_received_at, matched, left_out, stricter, milder, devices } = outcome;
  return [
    ['events read', complete ? read : `${read}, not all: the oldest were not read`],
    ['since', toShortTime(oldest_received_at)],
    ['decisions', `${matched} on the categories of the policy`],
    ['left out', left_out === 0 ? null : `${left_out} corrections and status events`],
    ['taken', describe(outcome.taken)],
    ['before', describe(outcome.before)],
    ['after', describe(outcome.after)],
    ['stricter', stricter],
    ['milder', milder],
    ['devices', `${devices} with a changed action`],
  ];
}

function describe({ allow, warn, block }: ActionCounts): string {
  return `${allow} allow, ${warn} warn, ${block} block`;
}

async function* inTurn<Item>(items: readonly Item[]): AsyncGenerator<Item> {
  yield* items;
}
