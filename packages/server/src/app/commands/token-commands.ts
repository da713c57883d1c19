import { SCOPES, type Scope } from '@tps/contract';
import { type Command, InvalidArgumentError } from 'commander';
import type { MintedToken } from '../../features/tokens/index.ts';
import { parseTimestamp, toOptionalTimestamp } from '../../platform/time.ts';
import { toName } from './arguments.ts';
import type { CommandContext } from './command-context.ts';
import { jsonOption, toJsonText } from './json-option.ts';
import { type StoreParts, withStore } from './with-store.ts';

export function addTokenCommands(program: Command, { env, stdout }: CommandContext): void {
  program
    .command('tokens')
    .description('create credentials')
    .addHelpText('after', '\nExamples:\n  tps tokens create --operator --name "night shift"')
    .command('create')
    .description('create a credential and show it once')
    .option('--tenant <id>', 'bind it to this tenant')
    .option('--operator', 'for all tenants: each request names one')
    .requiredOption('--name <name>', 'what it is for', toName)
    .option('--scopes <scopes>', 'separated by commas', toScopes, SCOPES)
    .option('--expires <time>', 'expiry time, RFC 3339 or relative, such as 30d', toExpiry)
    .addOption(jsonOption('token_id, token, tenant_id, name, scopes, environment, expires_at'))
    .addHelpText(
      'after',
      '\nExamples:\n  tps tokens create --tenant tnt_0123 --name "SIEM reader" --scopes events:read,alerts:read\n  tps tokens create --operator --name "night shift"',
    )
    .action(
      async (wanted: {
        tenant?: string;
        operator?: true;
        name: string;
        scopes: Scope[];
        expires?: number;
        json?: true;
      }) => {
        if ((wanted.tenant === undefined) === (wanted.operator === undefined)) {
          throw new InvalidArgumentError('Use either --tenant or --operator.');
        }
        const create = async ({ database, tenants, tokens }: StoreParts) => {
          const tenant = wanted.tenant === undefined ? undefined : await tenants.get(wanted.tenant);
          const { name, scopes } = wanted;
          await database.transaction(async (tx) => {
            const minted = await tokens.createFromCommandLine(tx, {
              tenantId: tenant?.tenantId ?? null,
              environment: tenant?.environment ?? 'live',
              name,
              scopes,
              expiresAtMs: wanted.expires ?? null,
            });
            // Before the commit: the store could not show it again.
            if (await stdout(wanted.json ? toJsonText(toJson(minted)) : toText(minted))) return;
            throw new Error('The credential was not created: the standard output is closed.');
          });
        };
        await withStore(env, create, { mayMake: true });
      },
    );
}

function toText({ record, credential }: MintedToken): string {
  return `${record.tokenId}\n${credential.reveal()}`;
}

function toJson({ record, credential }: MintedToken) {
  return {
    token_id: record.tokenId,
    token: credential.reveal(),
    tenant_id: record.tenantId,
    name: record.name,
    scopes: record.scopes,
    environment: record.environment,
    expires_at: toOptionalTimestamp(record.expiresAtMs),
  };
}

function toScopes(text: string): Scope[] {
  const scopes = text.split(',').map((scope) => scope.trim());
  const unknown = scopes.filter((scope) => !SCOPES.some((known) => known === scope));
  if (unknown.length > 0)
    throw new InvalidArgumentError(`Unknown scope ${unknown.join(', ')}. Known scopes: ${SCOPES.join(', ')}`);
  return [...new Set(scopes as Scope[])];
}

const UNITS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 };

function toExpiry(text: string): number {
  const nowMs = Date.now();
  const [, count, unit = ''] = /^(\d{1,6})([mhd])$/.exec(text) ?? [];
  const ms = count === undefined ? parseTimestamp(text) : nowMs + Number(count) * (UNITS[unit] ?? 0);
  if (ms !== undefined && ms > nowMs) return ms;
  throw new InvalidArgumentError(
    'Use an RFC 3339 time in the future, or 30m, 24h or 7d for that long from now.',
  );
}
