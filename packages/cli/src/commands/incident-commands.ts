import type { Client, Incident, IncidentBulk, IncidentChange } from '@tps/client';
import { type Command, Option } from 'commander';
import type { CommandContext } from '../command-context.ts';
import { usageError } from '../output/command-error.ts';
import { printFields, printLine } from '../output/print.ts';
import { sanitizeLine } from '../output/sanitize.ts';
import { toShortTime } from '../output/time.ts';
import type { Session } from '../session.ts';
import { addGroup, omitUndefined, openCall } from './api-command.ts';
import { addBulkCommand } from './bulk-command.ts';
import { addCountsCommand } from './counts-command.ts';
import { examples } from './examples.ts';
import { addListCommand } from './list-command.ts';
import {
  anyOf,
  choice,
  createdWithin,
  INCIDENT_CATEGORIES,
  INCIDENT_STATUSES,
  RESOLUTIONS,
  SEVERITIES,
  toWords,
} from './values.ts';

const ARGUMENT = ['<incident>', 'id of the incident'] as const;

export function addIncidentCommands(program: Command, context: CommandContext): void {
  const incidents = addGroup(
    program,
    'incidents',
    'read and handle incidents',
    'tps incidents list --status open',
    'tps incidents resolve inc_0123 --resolution true_positive',
  );
  addList(incidents, context);
  addShow(incidents, context);
  addUpdate(incidents, context);
  addAssign(incidents, context);
  addMoves(incidents, context);
  addComment(incidents, context);
  addSimilar(incidents, context);
  addAssignees(incidents, context);
  addBulk(incidents, context);
}

const FILTERS = () => [
  anyOf('--severity <severity>', 'only incidents of this severity', SEVERITIES),
  anyOf('--status <status>', 'only incidents with this status', INCIDENT_STATUSES),
  anyOf('--category <category>', 'only incidents of this category', INCIDENT_CATEGORIES),
  new Option('--assignee <name>', 'only incidents of this person or team; none for unassigned ones'),
  new Option('--tag <tag>', 'only incidents with this tag'),
  ...createdWithin('incidents'),
];

function addList(incidents: Command, context: CommandContext): void {
  addListCommand(incidents, context, {
    description: 'list incidents, newest first',
    filters: [
      ...FILTERS(),
      choice('--sort <order>', 'highest severity or last changed first', ['severity', 'updated_at']),
    ],
    list: (client, query: Parameters<Client['incidents']['list']>[0]) => client.incidents.list(query),
    columns: [
      { heading: 'ID', of: (incident) => incident.id },
      { heading: 'SEVERITY', of: (incident) => incident.severity, isState: true },
      { heading: 'STATUS', of: (incident) => incident.status, isState: true },
      { heading: 'CATEGORY', of: (incident) => incident.category },
      { heading: 'UPDATED', of: (incident) => toShortTime(incident.updated_at) },
      {
        heading: 'ASSIGNEE',
        of: (incident) => incident.assignee_name ?? incident.assignee ?? '',
        mayShrink: true,
      },
      { heading: 'MESSAGE', of: (incident) => incident.message, mayShrink: true },
    ],
    examples: [
      'tps incidents list --status open,in_progress --sort severity',
      'tps incidents list --severity critical --all --json',
    ],
  });
  addCountsCommand(incidents, context, {
    noun: 'incidents',
    filters: FILTERS(),
    counts: (client, query: Parameters<Client['incidents']['counts']>[0]) => client.incidents.counts(query),
    examples: ["tps incidents counts --since 7d --status '!closed'"],
  });
}

function addShow(incidents: Command, context: CommandContext): void {
  incidents
    .command('show')
    .description('show one incident with its timeline')
    .argument(...ARGUMENT)
    .addHelpText(
      'after',
      examples('tps incidents show inc_0123', 'tps incidents show inc_0123 --json | jq .timeline'),
    )
    .action(async (id: string, _options: object, command: Command) => {
      const { client, session, tenant } = await openCall(context, command);
      await printIncident(session, await client.incidents.get(id, tenant));
    });
}

function addUpdate(incidents: Command, context: CommandContext): void {
  incidents
    .command('update')
    .description('change the status, severity, assignee or tags of an incident')
    .argument(...ARGUMENT)
    .addOption(choice('--status <status>', 'new status', INCIDENT_STATUSES))
    .addOption(choice('--resolution <resolution>', 'what it turned out to be', RESOLUTIONS))
    .addOption(choice('--severity <severity>', 'new severity', SEVERITIES))
    .option('--assignee <name>', 'new assignee, or me; "" to unassign')
    .option('--tags <tags>', 'new tags, separated by commas, replacing the current ones', toWords)
    .option('--comment <text>', 'reason, recorded in the timeline')
    .addHelpText(
      'after',
      examples(
        'tps incidents update inc_0123 --status in_progress --assignee jo',
        'tps incidents update inc_0123 --severity high --tags vip,finance --comment "Board member"',
      ),
    )
    .action(async (id: string, change: IncidentChange, command: Command) => {
      if (Object.keys(change).length === 0)
        throw usageError('Nothing to change. See: tps incidents update --help');
      const assignee = change.assignee === '' ? { assignee: null } : {};
      await update(context, command, id, { ...change, ...assignee });
    });
}

function addAssign(incidents: Command, context: CommandContext): void {
  incidents
    .command('assign')
    .description('assign an incident, or unassign it')
    .argument(...ARGUMENT)
    .argument('[name]', 'new assignee, or me (default: unassign)')
    .addHelpText('after', examples('tps incidents assign inc_0123 jo', 'tps incidents assign inc_0123'))
    .action((id: string, name: string | undefined, _options: object, command: Command) =>
      update(context, command, id, { assignee: name ?? null }),
    );
}

/** Adds the commands that change the status of an incident, with the options that each change requires. */
function addMoves(incidents: Command, context: CommandContext): void {
  const add = (name: string, description: string, status: Incident['status'], ...lines: string[]) =>
    incidents
      .command(name)
      .description(description)
      .argument(...ARGUMENT)
      .option('--comment <text>', 'reason, recorded in the timeline')
      .addHelpText('after', examples(...lines))
      .action((id: string, flags: Pick<IncidentChange, 'comment' | 'resolution'>, command: Command) =>
        update(context, command, id, { status, ...flags }),
      );
  const resolution = () => choice('--resolution <resolution>', 'what it turned out to be', RESOLUTIONS);
  add('start', 'start work on an incident', 'in_progress', 'tps incidents start inc_0123');
  add(
    'hold',
    'put an incident on hold',
    'on_hold',
    'tps incidents hold inc_0123 --comment "Waiting for the bank"',
  );
  add(
    'resolve',
    'resolve an incident',
    'resolved',
    'tps incidents resolve inc_0123 --resolution true_positive --comment "Blocked at the gateway"',
  ).addOption(resolution().makeOptionMandatory());
  add(
    'close',
    'close a resolved incident, or an open one that is not genuine',
    'closed',
    'tps incidents close inc_0123',
    'tps incidents close inc_0123 --resolution duplicate',
  ).addOption(resolution());
  add(
    'reopen',
    'reopen a resolved incident',
    'in_progress',
    'tps incidents reopen inc_0123 --comment "It happened again"',
  );
}

function addComment(incidents: Command, context: CommandContext): void {
  incidents
    .command('comment')
    .description('add a comment to the timeline of an incident')
    .argument(...ARGUMENT)
    .argument('<text>', 'the comment')
    .addHelpText('after', examples('tps incidents comment inc_0123 "The bank calls back tomorrow"'))
    .action((id: string, comment: string, _options: object, command: Command) =>
      update(context, command, id, { comment }),
    );
}

function addSimilar(incidents: Command, context: CommandContext): void {
  addListCommand(incidents, context, {
    name: 'similar',
    description: 'list the newest incidents that share an indicator or the device with one',
    argument: ARGUMENT,
    list: (client, query: { tenant_id?: string }, id) => similarTo(client, id, query),
    columns: [
      { heading: 'ID', of: (incident) => incident.id },
      { heading: 'SEVERITY', of: (incident) => incident.severity, isState: true },
      { heading: 'STATUS', of: (incident) => incident.status, isState: true },
      { heading: 'RESOLUTION', of: (incident) => incident.resolution ?? '' },
      { heading: 'SHARED', of: (incident) => incident.shared.join(', ') },
      { heading: 'CREATED', of: (incident) => toShortTime(incident.created_at) },
      { heading: 'MESSAGE', of: (incident) => incident.message, mayShrink: true },
    ],
    examples: ['tps incidents similar inc_0123'],
  });
}

async function* similarTo(client: Client, id: string, { tenant_id }: { tenant_id?: string }) {
  const { data } = await client.incidents.similar(id, tenant_id === undefined ? {} : { tenant_id });
  yield* data;
}

function addAssignees(incidents: Command, context: CommandContext): void {
  addListCommand(incidents, context, {
    name: 'assignees',
    description: 'list the members to whom incidents can be assigned',
    list: (client, query: Parameters<Client['incidents']['assignees']>[0]) =>
      client.incidents.assignees(query),
    columns: [
      { heading: 'ID', of: (member) => member.account_id },
      { heading: 'NAME', of: (member) => member.name, mayShrink: true },
      { heading: 'ROLE', of: (member) => member.role },
    ],
    examples: ['tps incidents assignees'],
  });
}

type IncidentBulkFlags = Omit<IncidentBulk['change'], 'add_tags' | 'remove_tags'> & {
  readonly addTags?: string[];
  readonly removeTags?: string[];
};

function addBulk(incidents: Command, context: CommandContext): void {
  addBulkCommand<IncidentBulk['change'], IncidentBulkFlags>(incidents, context, {
    description: 'change several incidents, each by itself',
    noun: 'incidents',
    changes: [
      choice('--status <status>', 'new status', INCIDENT_STATUSES),
      choice('--resolution <resolution>', 'what they turned out to be', RESOLUTIONS),
      choice('--severity <severity>', 'new severity', SEVERITIES),
      new Option('--assignee <name>', 'new assignee, or me; "" to unassign'),
      new Option('--add-tags <tags>', 'tags to add, separated by commas').argParser(toWords),
      new Option('--remove-tags <tags>', 'tags to remove, separated by commas').argParser(toWords),
      new Option('--comment <text>', 'reason, recorded in the timelines'),
    ],
    toChange: ({ addTags, removeTags, assignee, ...others }: IncidentBulkFlags) => {
      const change = {
        ...others,
        ...(assignee !== undefined && { assignee: assignee === '' ? null : assignee }),
        ...(addTags !== undefined && { add_tags: addTags }),
        ...(removeTags !== undefined && { remove_tags: removeTags }),
      };
      if (Object.keys(change).length === 0)
        throw usageError('Nothing to change. See: tps incidents bulk --help');
      return change;
    },
    counts: (client, filter) => client.incidents.counts(filter),
    run: (client, request) => client.incidents.bulkAll(request as IncidentBulk),
    examples: [
      'tps incidents bulk inc_0123 inc_0124 --status in_progress --assignee me',
      'tps incidents bulk --filter status=open --filter severity=low --dry-run --status closed --resolution test',
    ],
  });
}

async function update(
  context: CommandContext,
  command: Command,
  id: string,
  change: IncidentChange,
): Promise<void> {
  const { client, session, tenant } = await openCall(context, command);
  await printIncident(session, await client.incidents.update(id, { ...omitUndefined(change), ...tenant }));
}

async function printIncident(session: Session, incident: Incident): Promise<void> {
  await printFields(session, incident, [
    ['incident', incident.id],
    ['message', incident.message],
    ['severity', incident.severity],
    ['status', incident.status],
    ['resolution', incident.resolution],
    ['category', incident.category],
    ['assignee', incident.assignee_name ?? incident.assignee],
    ['tags', incident.tags.join(', ')],
    ['devices', incident.device_ids.join(', ')],
    ['alerts', incident.alert_ids.join(', ')],
    ['threats', incident.threat_ids.join(', ')],
    ['created', toShortTime(incident.created_at)],
    ['updated', toShortTime(incident.updated_at)],
    ['acknowledged', incident.acknowledged_at && toShortTime(incident.acknowledged_at)],
    ['resolved', incident.resolved_at && toShortTime(incident.resolved_at)],
    ['next status', incident.allowed_moves.map(({ status }) => status).join(', ')],
  ]);
  if (session.format !== 'table') return;
  for (const { at, actor, actor_name: name, message } of incident.timeline) {
    await printLine(session, sanitizeLine(`  ${toShortTime(at)}  ${name ?? actor}  ${message}`));
  }
}
