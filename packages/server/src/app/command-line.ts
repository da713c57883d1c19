import { SCOPES, type Scope } from '@tps/contract';
import { Command, InvalidArgumentError } from 'commander';
import { openDatabase } from '../database/index.ts';
import { TenantService, tenantStore } from '../features/tenants/index.ts';
import { TokenService } from '../features/tokens/index.ts';
import { rewrapSecrets } from '../features/webhooks/index.ts';
import { systemClock } from '../platform/clock.ts';
import { type Config, loadConfig } from '../platform/config.ts';
import { configHelp } from '../platform/config-options.ts';
import { SecretBox } from '../platform/secret-box.ts';
import { parseTimestamp } from '../platform/time.ts';
import { serviceVersion } from './service-version.ts';

/** As much as the service's own limit may be. */
const MAX_LIMIT = 1_000_000;
/** A name is shown in lists and lines of text: no control character belongs in it. */
const NAME = /^[^\p{Cc}]{1,200}$/u;

type Print = (text: string) => void;

/** Builds the command line. `serve` runs the service and is what happens without a command. */
export function buildCommandLine(parts: {
  env: Readonly<Record<string, string | undefined>>;
  serve: (config: Config) => Promise<void>;
  print: Print;
}): Command {
  const { env, serve, print } = parts;
  const program = new Command('threat-protection-service')
    .description('Takes in signed detection events and derives alerts, threats and incidents from them.')
    .version(serviceVersion())
    .showHelpAfterError('(see --help)')
    .addHelpText('after', `\n${configHelp()}`);

  program
    .command('serve', { isDefault: true })
    .description('run the service until it is told to stop')
    .addHelpText('after', `\n${configHelp()}`)
    .allowExcessArguments()
    .action((_options: object, command: Command) => {
      // Whatever is no other command ends up here, as the default.
      const [unknown] = command.args;
      if (unknown !== undefined) command.error(`error: unknown command '${unknown}'`);
      return serve(loadConfig(env));
    });

  addTenantCommands(program, { env, print });
  addTokenCommands(program, { env, print });
  addSecretCommands(program, { env, print });
  return program;
}

type Surroundings = { env: Readonly<Record<string, string | undefined>>; print: Print };

function addTenantCommands(program: Command, { env, print }: Surroundings): void {
  const tenants = program.command('tenants').description('make and limit tenants');

  tenants
    .command('create')
    .argument('<name>', 'what people call it', toName)
    .description('make a tenant')
    .option('--test', 'for trials: its credentials begin with svc_test_')
    .addHelpText('after', '\nExample:\n  npm start -- tenants create "Example Ltd" --test')
    .action((name: string, { test }: { test?: true }) =>
      withStore(env, async ({ database, tenants }) => {
        const environment = test ? 'test' : 'live';
        const tenant = await database.transaction((tx) => tenants.create(tx, { name, environment }));
        print(tenant.tenantId);
      }),
    );

  tenants
    .command('list')
    .description('list the ids of all tenants, oldest first')
    .action(() =>
      withStore(env, async ({ database }) => {
        for (const tenantId of await tenantStore.list(database.read)) print(tenantId);
      }),
    );

  tenants
    .command('set-limit <tenant> <requests>')
    .description(
      'set the most requests per minute of a tenant; "default" gives it back to the service\'s own',
    )
    .addHelpText('after', '\nExample:\n  npm start -- tenants set-limit tnt_0123 600')
    .action((tenantId: string, requests: string) =>
      withStore(env, ({ tenants }) => tenants.setRateLimit(tenantId, toLimit(requests))),
    );
}

function addTokenCommands(program: Command, { env, print }: Surroundings): void {
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
        await withStore(env, async ({ database, tenants, tokens }) => {
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
        });
      },
    );
}

function addSecretCommands(program: Command, { env, print }: Surroundings): void {
  program
    .command('secrets')
    .description('look after the secrets of webhooks in the store')
    .command('rewrap')
    .description('seal what is under SERVICE_SECRET_KEY_B64_PREVIOUS under SERVICE_SECRET_KEY_B64')
    .addHelpText(
      'after',
      `
To replace the master key:
  1. set the new one as SERVICE_SECRET_KEY_B64 and the old one as SERVICE_SECRET_KEY_B64_PREVIOUS, on every node
  2. start the service anew and run: npm start -- secrets rewrap
  3. take SERVICE_SECRET_KEY_B64_PREVIOUS away`,
    )
    .action(() =>
      withStore(env, async ({ database, config }) => {
        const secrets = new SecretBox(config.secrets);
        const { rewrapped, unreadable } = await rewrapSecrets({ database, secrets, clock: systemClock });
        print(`${rewrapped} secrets sealed under the present key, ${unreadable} webhooks cannot be read`);
        if (unreadable > 0) process.exitCode = 1;
      }),
    );
}

/** Opens the store beside a service that may be running on it. */
async function withStore(
  env: Surroundings['env'],
  work: (parts: {
    database: Awaited<ReturnType<typeof openDatabase>>;
    tenants: TenantService;
    tokens: TokenService;
    config: Config;
  }) => Promise<void>,
): Promise<void> {
  const config = loadConfig(env);
  const database = await openDatabase(config.database.url.reveal(), { poolSize: 1, exclusive: false });
  try {
    const parts = { database, clock: systemClock };
    await work({ config, database, tenants: new TenantService(parts), tokens: new TokenService(parts) });
  } finally {
    await database.close();
  }
}

function toLimit(text: string): number | null {
  if (text === 'default') return null;
  const limit = Number(text);
  if (!/^\d{1,7}$/.test(text) || limit < 1 || limit > MAX_LIMIT)
    throw new InvalidArgumentError(`Give a whole number from 1 to ${MAX_LIMIT}, or "default".`);
  return limit;
}

function toName(text: string): string {
  if (!NAME.test(text)) throw new InvalidArgumentError('Give 1 to 200 characters on one line.');
  return text;
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
