import type { Client, CreatedToken, NewToken, Token } from '@tps/client';
import { type Command, Option } from 'commander';
import type { CommandContext } from '../command-context.ts';
import { usageError } from '../output/command-error.ts';
import { printSecret } from '../output/print.ts';
import { toShortTime } from '../output/time.ts';
import { type ProgramOptions, programOptions } from '../session.ts';
import { addEndCommand, addGroup, addItemCommand, type Fields, openCall } from './api-command.ts';
import { AUDIT_COLUMNS } from './audit-columns.ts';
import { examples } from './examples.ts';
import { addListCommand } from './list-command.ts';
import { runOperatorCommand } from './operator-commands.ts';
import { anyOf, createdWithin, TOKEN_STATUSES, toFutureTime, toWords, wholeNumber } from './values.ts';

const ARGUMENT = ['<token>', 'id of the token, not the credential itself'] as const;
const MAX_GRACE_S = 604_800;

export function addTokenCommands(program: Command, context: CommandContext): void {
  const tokens = addGroup(
    program,
    'tokens',
    'create, list, replace and revoke credentials',
    'tps tokens create --name "SIEM reader" --scopes events:read,alerts:read',
    'tps tokens revoke tok_0123',
  );
  addListCommand(tokens, context, {
    description: 'list credentials without their secret part, newest first',
    filters: [
      anyOf('--status <status>', 'only credentials with this status', TOKEN_STATUSES),
      new Option('--created-by <id>', 'only credentials that this token created'),
      new Option('--device-id <id>', 'only the credentials of this device'),
      ...createdWithin('credentials'),
    ],
    list: (client, query: Parameters<Client['tokens']['list']>[0]) => client.tokens.list(query),
    columns: [
      { heading: 'ID', of: (token) => token.token_id },
      { heading: 'NAME', of: (token) => token.name, mayShrink: true },
      { heading: 'STATUS', of: (token) => token.status, isState: true },
      { heading: 'HINT', of: (token) => token.hint },
      { heading: 'LAST USED', of: (token) => toShortTime(token.last_used_at) || 'never' },
      { heading: 'EXPIRES', of: (token) => toShortTime(token.expires_at) || 'never' },
      { heading: 'SCOPES', of: (token) => token.scopes.join(', '), mayShrink: true },
    ],
    examples: [
      'tps tokens list',
      "tps tokens list --ndjson | jq -r 'select(.last_used_at == null) | .token_id'",
    ],
  });
  addItemCommand(tokens, context, {
    name: 'show',
    description: 'show one credential without its secret part',
    argument: ARGUMENT,
    examples: ['tps tokens show tok_0123'],
    call: (id, { client, tenant }) => client.tokens.get(id, tenant),
    fields: toFields,
  });
  addCreate(tokens, context);
  addEndCommand(tokens, context, {
    name: 'revoke',
    description: 'revoke a credential with immediate effect',
    argument: ARGUMENT,
    noun: 'credential',
    idMember: 'token_id',
    example: 'tps tokens revoke tok_0123',
    call: (id, { client, tenant }) => client.tokens.revoke(id, tenant),
  });
  addRoll(tokens, context);
  addListCommand(tokens, context, {
    name: 'audit',
    description: 'list the audit entries of credentials, newest first',
    filters: [
      new Option('--action <action>', 'only entries of this action, such as token.create'),
      new Option('--token-id <id>', 'only entries about this token'),
    ],
    list: (client, query: Parameters<Client['tokens']['audit']>[0]) => client.tokens.audit(query),
    columns: AUDIT_COLUMNS,
    examples: ['tps tokens audit', 'tps tokens audit --action token.denied'],
  });
}

interface CreateFlags {
  readonly name: string;
  readonly scopes?: readonly string[];
  readonly expires?: string;
  readonly operator?: true;
  readonly store?: true;
}

function addCreate(tokens: Command, context: CommandContext): void {
  tokens
    .command('create')
    .description('create a credential and show it once')
    .requiredOption('--name <name>', 'display name')
    .option('--scopes <scopes>', 'scopes, separated by commas', toWords)
    .option('--expires <time>', 'expiry time, RFC 3339 or relative, such as 30d', toFutureTime)
    .option('--operator', 'create an operator credential, which is not bound to a tenant, in the store')
    .option(
      '--store',
      'create it in the store, without a running service and a credential; requires --tenant',
    )
    .addHelpText(
      'after',
      `
The service creates the credential; it can have only scopes that your own credential has. With --operator or --store the
command works on the store of SERVICE_DATABASE_URL or tps.env instead. Without --scopes it then has all scopes.
${examples(
  'tps tokens create --name "SIEM reader" --scopes events:read,alerts:read',
  'tps tokens create --operator --name "night shift" --expires 12h',
  'tps tokens create --store --tenant tnt_0123 --name "first admin"',
)}`,
    )
    .action(async (flags: CreateFlags, command: Command) => {
      if (flags.operator || flags.store) {
        return runOperatorCommand(context, toOperatorArguments(flags, programOptions(context, command)));
      }
      if (!flags.scopes?.length) throw usageError('--scopes is required. See: tps tokens create --help');
      const { client, session, tenant } = await openCall(context, command);
      const { name, scopes, expires } = flags;
      const created = await client.tokens.create({
        name,
        scopes: scopes as NewToken['scopes'],
        ...(expires === undefined ? {} : { expires_at: expires }),
        ...tenant,
      });
      await printSecret(session, toCreatedItem(created), async () => {
        await client.tokens.revoke(created.token_id, tenant);
        return `The credential could not be shown and is revoked: ${created.token_id}.`;
      });
    });
}

function toOperatorArguments(
  { name, scopes, expires, operator }: CreateFlags,
  { tenant, json, ndjson }: ProgramOptions,
): string[] {
  // An operator credential is for all tenants. TPS_TENANT applies to requests to the API only.
  const of = operator ? ['--operator'] : tenant === undefined ? [] : ['--tenant', tenant];
  return [
    'tokens',
    'create',
    ...of,
    '--name',
    name,
    ...(scopes?.length ? ['--scopes', scopes.join(',')] : []),
    ...(expires === undefined ? [] : ['--expires', expires]),
    ...(json || ndjson ? ['--json'] : []),
  ];
}

function addRoll(tokens: Command, context: CommandContext): void {
  tokens
    .command('roll')
    .description('replace a credential with one that has the same scopes, and show it once')
    .argument(...ARGUMENT)
    .option(
      '--grace <seconds>',
      'seconds for which the old credential stays valid (default: 0)',
      wholeNumber(0, MAX_GRACE_S),
    )
    .addHelpText('after', examples('tps tokens roll tok_0123 --grace 3600'))
    .action(async (id: string, { grace }: { grace?: number }, command: Command) => {
      const { client, session, tenant } = await openCall(context, command);
      const created = await client.tokens.roll(id, {
        ...(grace === undefined ? {} : { grace_s: grace }),
        ...tenant,
      });
      await printSecret(
        session,
        toCreatedItem(created),
        async () => `The new credential could not be shown. Run: tps tokens roll ${created.token_id}`,
      );
    });
}

function toCreatedItem(created: CreatedToken): { value: CreatedToken; fields: Fields } {
  return { value: created, fields: [...toFields(created), ['credential', created.token]] };
}

function toFields(token: Token): Fields {
  return [
    ['token', token.token_id],
    ['name', token.name],
    ['status', token.status],
    ['scopes', token.scopes.join(', ')],
    ['tenant', token.tenant_id ?? 'any (operator)'],
    ['hint', token.hint],
    ['created', `${toShortTime(token.created_at)} by ${token.created_by}`],
    ['last used', toShortTime(token.last_used_at) || 'never'],
    ['expires', toShortTime(token.expires_at) || 'never'],
    ['revoked', toShortTime(token.revoked_at)],
  ];
}
