import type { Client, Event, EventContext } from '@tps/client';
import { type Command, Option } from 'commander';
import type { CommandContext } from '../command-context.ts';
import { printDocument } from '../output/print.ts';
import { createOutageReport } from '../output/report-outage.ts';
import { sanitizeLine } from '../output/sanitize.ts';
import { type Column, fitWidths, layOut, widen } from '../output/table.ts';
import { toShortTime } from '../output/time.ts';
import type { Session } from '../session.ts';
import { addGroup, addItemCommand, type Fields, openCall } from './api-command.ts';
import { addCountsCommand } from './counts-command.ts';
import { examples } from './examples.ts';
import { addListCommand } from './list-command.ts';
import { addSendCommand } from './send-command.ts';
import {
  ACTIONS,
  anyOf,
  choice,
  PLATFORMS,
  SEVERITIES,
  THREAT_CATEGORIES,
  toTime,
  wholeNumber,
} from './values.ts';

const FILTERS = () => [
  anyOf('--severity <severity>', 'only events of this severity', SEVERITIES),
  anyOf('--threat-category <category>', 'only events of this category', THREAT_CATEGORIES),
  anyOf('--action-taken <action>', 'only events with this action', ACTIONS),
  new Option('--device-id <id>', 'only events of this device'),
  anyOf('--device-platform <platform>', 'only events of devices with this platform', PLATFORMS),
  new Option('--policy-id <id>', 'only events of this policy'),
  new Option('--indicator <indicator>', 'only events with this indicator'),
];

const TIMES = () => [
  new Option('--since <time>', 'only events from this time on, RFC 3339 or relative, such as 24h').argParser(
    toTime,
  ),
  new Option('--until <time>', 'only events before this time').argParser(toTime),
  new Option('--received-since <time>', 'only events that arrived since this time').argParser(toTime),
  new Option('--received-until <time>', 'only events that arrived before this time').argParser(toTime),
];

const COLUMNS: readonly Column<Event>[] = [
  { heading: 'TIME', of: (event) => toShortTime(event.timestamp) },
  { heading: 'SEVERITY', of: (event) => event.severity, isState: true },
  { heading: 'ACTION', of: (event) => event.action_taken, isState: true },
  { heading: 'CATEGORY', of: (event) => event.threat_category },
  { heading: 'ID', of: (event) => event.event_id },
  { heading: 'DESCRIPTION', of: (event) => event.description ?? '', mayShrink: true },
];

export function addEventCommands(program: Command, context: CommandContext): void {
  const events = addGroup(
    program,
    'events',
    'read, follow and send events',
    'tps events list --since 24h',
    'tps events follow --severity critical',
  );
  addListCommand(events, context, {
    description: 'list events, oldest first',
    filters: [
      ...TIMES(),
      ...FILTERS(),
      choice('--order <order>', 'which event is first (default: oldest)', ['oldest', 'newest']),
    ],
    list: (client, query: Parameters<Client['events']['list']>[0]) => client.events.list(query),
    columns: COLUMNS,
    examples: [
      'tps events list --since 24h --order newest',
      'tps events list --severity critical --ndjson > events.ndjson',
    ],
  });
  addCountsCommand(events, context, {
    noun: 'events',
    filters: [...TIMES(), ...FILTERS()],
    counts: (client, query: Parameters<Client['events']['counts']>[0]) => client.events.counts(query),
    examples: ['tps events counts --received-since 24h --action-taken block'],
  });
  addItemCommand(events, context, {
    name: 'show',
    description: 'show one event',
    argument: ['<event>', 'id of the event'],
    examples: ['tps events show evt_0123'],
    call: (id, { client, tenant }) => client.events.get(id, tenant),
    fields: (event) => [
      ['event', event.event_id],
      ['time', toShortTime(event.timestamp)],
      ['device', event.device_id],
      ['category', event.threat_category],
      ['severity', event.severity],
      ['confidence', event.confidence],
      ['action', event.action_taken],
      ['policy', event.policy_id],
      ['description', event.description],
      ['indicators', event.indicators?.join(', ')],
      ['corrects', event.corrects_event_id],
      ['reason', event.correction_reason],
      ['metadata', event.metadata && JSON.stringify(event.metadata)],
    ],
  });
  addItemCommand(events, context, {
    name: 'context',
    description: 'show what is known about an event: chains, signature, corrections, what followed',
    argument: ['<event>', 'id of the event'],
    examples: ['tps events context evt_0123'],
    call: (id, { client, tenant }) => client.events.context(id, tenant),
    fields: toContextFields,
  });
  addFollow(events, context);
  addSendCommand(events, context);
}

function toContextFields({ signature, corrections, derived, ...event }: EventContext): Fields {
  const { device_key: key, key_replaced: replaced } = signature;
  return [
    ['event', event.event_id],
    ['position', event.position],
    ['received', toShortTime(event.received_at)],
    ['event hash', event.feed_chain.event_hash],
    ['chain hash', event.feed_chain.chain_hash],
    ['previous hash', event.feed_chain.previous_chain_hash],
    ['device chain', event.device_chain.state],
    ['sequence', event.device_chain.sequence],
    ['signed body', signature.body_digest],
    ['device key', key && `${key.type} ${key.bits} ${key.fingerprint}${replaced ? ' (replaced since)' : ''}`],
    ['redaction', event.redaction.map(({ mark, count }) => `${mark} ${count}`).join(', ')],
    ['corrected by', corrections.event_ids.join(', ')],
    ['counts', corrections.effective_event_id],
    ['threat', derived.threat_id],
    ['alert', derived.alert_id],
    ['incident', derived.incident_id],
    ['deliveries', derived.deliveries.map(({ delivery_id: id, status }) => `${id} ${status}`).join(', ')],
  ];
}

interface FollowFlags {
  readonly since?: string;
  readonly severity?: Event['severity'];
  readonly threatCategory?: Event['threat_category'];
  readonly deviceId?: string;
  readonly poll?: number;
}

function addFollow(events: Command, context: CommandContext): void {
  const follow = events
    .command('follow')
    .description('print events as they arrive, until interrupted')
    .option('--since <time>', 'start at this time, RFC 3339 or relative, such as 1h (default: now)', toTime)
    .option(
      '--poll <ms>',
      'read pages at this interval in milliseconds, instead of a stream',
      wholeNumber(100, 3_600_000),
    );
  for (const filter of FILTERS()) follow.addOption(filter);
  follow
    .addHelpText(
      'after',
      examples('tps events follow', 'tps events follow --since 1h --severity critical --ndjson'),
    )
    .action(async (flags: FollowFlags) => {
      const { client, session, tenant } = await openCall(context, follow);
      const items = followEvents(context, { client, flags, tenant });
      const print =
        session.format === 'table' ? rowPrinter(session) : (event: Event) => printLineOfJson(session, event);
      for await (const event of items) await print(event);
    });
}

/** Receives events over a stream, after those since a time; with `--poll`, and from a service without streams, in pages. */
async function* followEvents(
  context: CommandContext,
  { client, flags, tenant }: { client: Client; flags: FollowFlags; tenant: { readonly tenant_id?: string } },
): AsyncGenerator<Event, void, void> {
  const { since, poll } = flags;
  const signal = context.stopSignal();
  const query = { ...toQuery(flags), ...tenant };
  const onOutage = createOutageReport(context);
  let failed = 0;
  // Without a stream, all events that arrive from now on, regardless of the time on their device.
  const from = since === undefined ? { received_since: new Date().toISOString() } : {};
  const follow = () => client.events.follow({ ...query, ...from, pollMs: poll, signal, onOutage });
  if (poll !== undefined) return yield* follow();
  const stored = since === undefined ? undefined : client.events.list({ ...query, signal });
  if (stored) yield* stored;
  const stream = client.events.stream({
    ...query,
    cursor: stored?.cursor,
    signal,
    onStateChange: (state, reason) => {
      if (state === 'connected') failed = 0;
      else if (reason !== undefined) onOutage(reason, ++failed);
    },
  });
  try {
    yield* stream;
  } catch (error) {
    const isUnknown = Object(error).status === 404;
    if (!isUnknown || stored) throw error;
    yield* follow();
  }
}

function toQuery({ since, severity, threatCategory, deviceId }: FollowFlags) {
  return {
    ...(since === undefined ? {} : { since }),
    ...(severity === undefined ? {} : { severity }),
    ...(threatCategory === undefined ? {} : { threat_category: threatCategory }),
    ...(deviceId === undefined ? {} : { device_id: deviceId }),
  };
}

/** A stream has no end, so --json also prints one document per line. */
function printLineOfJson(session: Session, event: Event): Promise<void> {
  return printDocument({ ...session, format: 'ndjson' }, event);
}

/** Prints each row at once, in columns that are wide enough for every value of the contract. */
function rowPrinter(session: Session): (event: Event) => Promise<void> {
  const { context, palette } = session;
  const widest = COLUMNS.map(({ heading }) => WIDEST[heading] ?? heading);
  let widths: number[] | undefined;
  return async (event) => {
    const row = COLUMNS.map(({ of }) => sanitizeLine(of(event)));
    const withHeadings = widths === undefined;
    const available = context.stdout.columns;
    widths = widen(widths ?? fitWidths(COLUMNS, [widest], available), COLUMNS, { rows: [row], available });
    await context.stdout.write(layOut({ columns: COLUMNS, rows: [row], widths, palette, withHeadings }));
  };
}

const WIDEST: Readonly<Record<string, string>> = {
  TIME: '2026-03-01T09:30:00Z',
  CATEGORY: 'social_engineering',
  ID: 'evt_01m7zhpasgfyfa4hmwdae6zg17',
  DESCRIPTION: 'x'.repeat(200),
};
