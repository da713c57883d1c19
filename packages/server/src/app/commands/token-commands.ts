import { SCOPES, type Scope } from '@tps/contract';
import { type Command, InvalidArgumentError } from 'commander';
import { parseTimestamp } from '../../platform/time.ts';
import { toName } from './arguments.ts';
import type { Surroundings } from './surroundings.ts';
import { type StoreParts, withStore } from './with-store.ts';

export function addTokenCommands(program: Command, { env, print }: Surroundings): void {
  program
    .command('tokens')
    .description('make credentials')
    .command('create')
    .description('make a credential and show it, this once')
    .option('--tenant <id>', 'bind it to this tenant')
    .option('--operator', 'bind it to no tenant: it may name any')
    .requiredOption('--name <name>', 'what it is for', toName)
    .option('--scopes <scopes>', 'separated by commas', toScopes, SCOPES)
    .option('--expires <time>', 'RFC 3339 time at which it ends', toTime)
    .addHelpText(
      'after',
      '\nExamples:\n  npm start -- tokens create --tenant tnt_0123 --name "SIEM reader" --scopes events:read,alerts:read\n  npm start -- tokens create --operator --name "night shift"',
    )
    .action(
      async (wanted: {
        tenant?: string;
        operator?: true;
        name: string;
        scopes: Scope[];
        expires?: number;
      }) => {
        if ((wanted.tenant === undefined) === (wanted.operator === undefined)) {
          throw new InvalidArgumentError('Give either --tenant or --operator.');
        }
        const create = async ({ database, tenants, tokens }: StoreParts) => {
          const tenant = wanted.tenant === undefined ? undefined : await tenants.get(wanted.tenant);
          const { name, scopes } = wanted;
          const minted = await database.transaction((tx) =>
            tokens.createFromCommandLine(tx, {
              tenantId: tenant?.tenantId ?? null,
              environment: tenant?.environment ?? 'live',
              name,
              scopes,
              expiresAtMs: wanted.expires ?? null,
            }),
          );
          print(`${minted.record.tokenId}\n${minted.credential.reveal()}`);
        };
        await withStore(env, create, { mayMake: true });
      },
    );
}

function toScopes(text: string): Scope[] {
  const scopes = text.split(',').map((scope) => scope.trim());
  const unknown = scopes.filter((scope) => !SCOPES.some((known) => known === scope));
  if (unknown.length > 0)
    throw new InvalidArgumentError(`There is no scope ${unknown.join(', ')}. Known: ${SCOPES.join(', ')}`);
  return [...new Set(scopes as Scope[])];
}

function toTime(text: string): number {
  const ms = parseTimestamp(text);
  if (ms === undefined || ms <= Date.now())
    throw new InvalidArgumentError('Give an RFC 3339 time in the future.');
  return ms;
}
