import type { Client, DataRequest, DataSubject } from '@tps/client';
import type { Command } from 'commander';
import type { CommandContext } from '../command-context.ts';
import { usageError } from '../output/command-error.ts';
import { printFields } from '../output/print.ts';
import { toShortTime } from '../output/time.ts';
import { addGroup, addItemCommand, type Fields, openCall } from './api-command.ts';
import { examples } from './examples.ts';
import { addListCommand } from './list-command.ts';

const ARGUMENT = ['<request>', 'id of the data request'] as const;

interface SubjectFlags {
  readonly device?: string;
  readonly indicator?: string;
}

export function addDataRequestCommands(program: Command, context: CommandContext): void {
  const requests = addGroup(
    program,
    'data-requests',
    'export or delete what is kept about a device or a person',
    'tps data-requests export --device dev_0123',
    'tps data-requests delete --device dev_0123 --confirm dev_0123',
  );
  addExport(requests, context);
  addDelete(requests, context);
  addListCommand(requests, context, {
    description: 'list data requests, newest first',
    list: (client, query: Parameters<Client['dataRequests']['list']>[0]) => client.dataRequests.list(query),
    columns: [
      { heading: 'ID', of: (request) => request.request_id },
      { heading: 'KIND', of: (request) => request.kind },
      { heading: 'STATUS', of: (request) => request.status, isState: true },
      { heading: 'RECORDS', of: (request) => String(totalOf(request)) },
      { heading: 'CREATED', of: (request) => toShortTime(request.created_at) },
      { heading: 'COMPLETED', of: (request) => toShortTime(request.completed_at) },
    ],
    examples: [
      'tps data-requests list',
      'tps data-requests list --ndjson | jq \'select(.kind == "deletion")\'',
    ],
  });
  addItemCommand(requests, context, {
    name: 'show',
    description: 'show one data request, and the numbers of records',
    argument: ARGUMENT,
    examples: ['tps data-requests show drq_0123', 'tps data-requests show drq_0123 --json | jq .records'],
    call: (id, { client, tenant }) => client.dataRequests.get(id, tenant),
    fields: toFields,
  });
  addReads(requests, context);
}

function addReads(requests: Command, context: CommandContext): void {
  addListCommand(requests, context, {
    name: 'records',
    description: 'print the records of an export',
    argument: ARGUMENT,
    list: (client, query: Parameters<Client['dataRequests']['records']>[1], id) =>
      client.dataRequests.records(id, query),
    columns: [
      { heading: 'KIND', of: ({ kind }) => kind },
      { heading: 'RECORD', of: ({ record }) => JSON.stringify(record), mayShrink: true },
    ],
    examples: ['tps data-requests records drq_0123 --ndjson > records.ndjson'],
  });
  addListCommand(requests, context, {
    name: 'erased-events',
    description: 'list positions and hashes of the events that a deletion erased',
    argument: ARGUMENT,
    list: (client, query: Parameters<Client['dataRequests']['erasedEvents']>[1], id) =>
      client.dataRequests.erasedEvents(id, query),
    columns: [
      { heading: 'POSITION', of: ({ position }) => String(position) },
      { heading: 'RECEIVED', of: (event) => toShortTime(event.received_at) },
      { heading: 'SHA-256', of: (event) => event.event_hash },
    ],
    examples: ['tps data-requests erased-events drq_0123 --ndjson > erased.ndjson'],
  });
}

function addExport(requests: Command, context: CommandContext): void {
  addSubject(requests.command('export').description('search for what is kept about a device or a person'))
    .addHelpText(
      'after',
      `
The service searches in the background. Read the records when \`tps data-requests show\` says completed.
${examples(
  'tps data-requests export --device dev_0123',
  'tps data-requests export --indicator https://parcel-desk.example/pay',
  'tps data-requests records drq_0123 --ndjson > records.ndjson',
)}`,
    )
    .action(async (flags: SubjectFlags, command: Command) => {
      const subject = toSubject(flags);
      const { client, session, tenant } = await openCall(context, command);
      const request = await client.dataRequests.create({ kind: 'export', subject, ...tenant });
      await printFields(session, request, toFields(request));
    });
}

function addDelete(requests: Command, context: CommandContext): void {
  addSubject(requests.command('delete').description('delete what is kept about a device or a person'))
    .requiredOption('--confirm <subject>', 'the device or the indicator again, as a confirmation')
    .addHelpText(
      'after',
      `
This cannot be undone. It does not reach the audit log, backups, and what others have received.
${examples(
  'tps data-requests delete --device dev_0123 --confirm dev_0123',
  'tps data-requests delete --indicator pkg:org.example.app --confirm pkg:org.example.app',
)}`,
    )
    .action(async ({ confirm, ...flags }: SubjectFlags & { confirm: string }, command: Command) => {
      const subject = toSubject(flags);
      const { client, session, tenant } = await openCall(context, command);
      const request = await client.dataRequests.create({ kind: 'deletion', subject, confirm, ...tenant });
      await printFields(session, request, toFields(request));
    });
}

function addSubject(command: Command): Command {
  return command
    .option('--device <device>', 'id of the device')
    .option('--indicator <indicator>', 'indicator as events hold it, or a link');
}

/** @throws CommandError for none or two */
function toSubject({ device, indicator }: SubjectFlags): DataSubject {
  if (device !== undefined && indicator === undefined) return { device_id: device };
  if (indicator !== undefined && device === undefined) return { indicator };
  throw usageError('Give either --device or --indicator.');
}

function totalOf({ records }: DataRequest): number {
  return records.reduce((sum, { count }) => sum + count, 0);
}

function toFields(request: DataRequest): Fields {
  return [
    ['request', request.request_id],
    ['kind', request.kind],
    ['status', request.status],
    ['subject', request.subject ?? `a ${request.subject_type}, not kept`],
    ...request.records.map(({ kind, count }): [string, string] => [kind.replaceAll('_', ' '), String(count)]),
    ['proof', request.proof ?? ''],
    ['created', `${toShortTime(request.created_at)} by ${request.created_by.type} ${request.created_by.id}`],
    ['completed', toShortTime(request.completed_at) || 'not yet'],
    ['expires', toShortTime(request.expires_at) || 'does not'],
  ];
}
