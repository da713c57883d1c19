import type { Client, Enrolment } from '@tps/client';
import type { Command } from 'commander';
import type { CommandContext } from '../command-context.ts';
import { printSecret } from '../output/print.ts';
import { toShortTime } from '../output/time.ts';
import { addEndCommand, addGroup, addItemCommand, type Fields, openCall } from './api-command.ts';
import { examples } from './examples.ts';
import { addListCommand } from './list-command.ts';
import { anyOf, createdWithin, TOKEN_STATUSES, toFutureTime, wholeNumber } from './values.ts';

const ARGUMENT = ['<enrolment>', 'id of the enrolment secret, not the secret itself'] as const;
const MAX_USES = 100_000;

export function addEnrolmentCommands(program: Command, context: CommandContext): void {
  const enrolments = addGroup(
    program,
    'enrolments',
    'create, list and revoke secrets with which devices register',
    'tps enrolments create --name "Phones of the sales team" --uses 100 --expires 7d',
    'tps enrolments revoke enr_0123',
  );
  addListCommand(enrolments, context, {
    description: 'list enrolment secrets without their secret part, newest first',
    filters: [
      anyOf('--status <status>', 'only enrolment secrets with this status', TOKEN_STATUSES),
      ...createdWithin('enrolment secrets'),
    ],
    list: (client, query: Parameters<Client['enrolments']['list']>[0]) => client.enrolments.list(query),
    columns: [
      { heading: 'ID', of: (enrolment) => enrolment.enrolment_id },
      { heading: 'NAME', of: (enrolment) => enrolment.name, mayShrink: true },
      { heading: 'STATUS', of: (enrolment) => enrolment.status, isState: true },
      { heading: 'USES', of: ({ uses, max_uses: maxUses }) => `${uses} of ${maxUses}` },
      { heading: 'HINT', of: (enrolment) => enrolment.hint },
      { heading: 'EXPIRES', of: (enrolment) => toShortTime(enrolment.expires_at) },
    ],
    examples: ['tps enrolments list', "tps enrolments list --ndjson | jq -r 'select(.uses < .max_uses)'"],
  });
  addItemCommand(enrolments, context, {
    name: 'show',
    description: 'show one enrolment secret without its secret part',
    argument: ARGUMENT,
    examples: ['tps enrolments show enr_0123'],
    call: (id, { client, tenant }) => client.enrolments.get(id, tenant),
    fields: toFields,
  });
  addCreate(enrolments, context);
  addEndCommand(enrolments, context, {
    name: 'revoke',
    description: 'revoke an enrolment secret with immediate effect; its devices stay',
    argument: ARGUMENT,
    noun: 'enrolment secret',
    idMember: 'enrolment_id',
    example: 'tps enrolments revoke enr_0123',
    call: (id, { client, tenant }) => client.enrolments.revoke(id, tenant),
  });
}

function addCreate(enrolments: Command, context: CommandContext): void {
  enrolments
    .command('create')
    .description('create an enrolment secret and show it once')
    .requiredOption('--name <name>', 'display name')
    .option('--uses <number>', 'how many new devices it registers (default: 1)', wholeNumber(1, MAX_USES))
    .option(
      '--expires <time>',
      'when it ends: in 24h or 7d, or 2026-03-01T09:30:00Z (default: 7d)',
      toFutureTime,
    )
    .addHelpText(
      'after',
      `
The secret can do nothing but register devices. Each device gets its own credential, and its agent renews it.
${examples(
  'tps enrolments create --name "Front desk"',
  'tps enrolments create --name "Phones of the sales team" --uses 100 --expires 7d --json | jq -r .secret',
)}`,
    )
    .action(
      async (
        { name, uses, expires }: { name: string; uses?: number; expires?: string },
        command: Command,
      ) => {
        const { client, session, tenant } = await openCall(context, command);
        const created = await client.enrolments.create({
          name,
          ...(uses === undefined ? {} : { max_uses: uses }),
          ...(expires === undefined ? {} : { expires_at: expires }),
          ...tenant,
        });
        const fields: Fields = [...toFields(created), ['secret', created.secret]];
        await printSecret(session, { value: created, fields }, async () => {
          await client.enrolments.revoke(created.enrolment_id, tenant);
          return `The secret could not be shown and is revoked: ${created.enrolment_id}.`;
        });
      },
    );
}

function toFields(enrolment: Enrolment): Fields {
  return [
    ['enrolment', enrolment.enrolment_id],
    ['name', enrolment.name],
    ['status', enrolment.status],
    ['uses', `${enrolment.uses} of ${enrolment.max_uses}`],
    ['tenant', enrolment.tenant_id],
    ['hint', enrolment.hint],
    ['created', `${toShortTime(enrolment.created_at)} by ${enrolment.created_by}`],
    ['last used', toShortTime(enrolment.last_used_at) || 'never'],
    ['expires', toShortTime(enrolment.expires_at)],
    ['revoked', toShortTime(enrolment.revoked_at)],
  ];
}
