import type { Client, CreatedOAuthClient, NewOAuthClient, OAuthClient } from '@tps/client';
import type { Command } from 'commander';
import type { CommandContext } from '../command-context.ts';
import { readNamedFile } from '../connection/read-named-file.ts';
import { usageError } from '../output/command-error.ts';
import { printFields, printSecret } from '../output/print.ts';
import { toShortTime } from '../output/time.ts';
import type { Session } from '../session.ts';
import {
  addEndCommand,
  addGroup,
  addItemCommand,
  type Fields,
  omitUndefined,
  openCall,
} from './api-command.ts';
import { examples } from './examples.ts';
import { confirmEnding } from './holding-commands.ts';
import { addListCommand } from './list-command.ts';
import { AUTH_METHODS, choice, GRANT_TYPES, toWords, wholeNumber, wordsOf } from './values.ts';

const ARGUMENT = ['<client>', 'id of the client'] as const;
const MAX_GRACE_S = 30;
const MAX_OVERLAP_S = 604_800;
const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code';

/** Adds the commands of the group `oauth-clients`. */
export function addOAuthClientCommands(program: Command, context: CommandContext): void {
  const clients = addGroup(
    program,
    'oauth-clients',
    'create, list, change and delete programs that get access tokens with OAuth2',
    'tps oauth-clients create --name "SIEM connector" --grants client_credentials --scopes events:read',
    'tps oauth-clients remove cli_0123',
  );
  addListCommand(clients, context, {
    description: 'list clients, newest first',
    list: (client, query: Parameters<Client['oauthClients']['list']>[0]) => client.oauthClients.list(query),
    columns: [
      { heading: 'ID', of: (client) => client.client_id },
      { heading: 'NAME', of: (client) => client.name, mayShrink: true },
      { heading: 'GRANTS', of: (client) => client.grant_types.map(toShortGrant).join(', '), mayShrink: true },
      { heading: 'LAST USED', of: (client) => toShortTime(client.last_used_at) || 'never' },
      { heading: 'SCOPES', of: (client) => client.scopes.join(', '), mayShrink: true },
    ],
    examples: ['tps oauth-clients list', 'tps oauth-clients list --json'],
  });
  addItemCommand(clients, context, {
    name: 'get',
    description: 'show one client without its secret',
    argument: ARGUMENT,
    examples: ['tps oauth-clients get cli_0123'],
    call: (id, { client, tenant }) => client.oauthClients.get(id, tenant),
    fields: toFields,
  });
  addCreate(clients, context);
  addUpdate(clients, context);
  addEndCommand(clients, context, {
    name: 'remove',
    description: 'remove a client and end its tokens and grants',
    argument: ARGUMENT,
    noun: 'OAuth client',
    idMember: 'client_id',
    example: 'tps oauth-clients remove cli_0123',
    confirm: (id, call, { yes }) =>
      confirmEnding(context, call, { root: { client_id: id }, effect: 'Removing the client', yes }),
    call: (id, { client, tenant }) => client.oauthClients.remove(id, tenant),
  });
  addRotation(clients, context);
}

interface SettingFlags {
  readonly name?: string;
  readonly uri?: string;
  readonly grants?: NewOAuthClient['grant_types'];
  readonly scopes?: readonly string[];
  readonly redirectUri?: string[];
  readonly jwksFile?: string;
  readonly refreshGrace?: number;
}

/** Adds the options that `create` and `update` share. */
function addSettings(command: Command): Command {
  return command
    .option('--name <name>', 'display name, shown on the consent page')
    .option('--grants <grants>', `grants, separated by commas: ${GRANT_TYPES.join(', ')}`, toGrants)
    .option('--scopes <scopes>', 'scopes that its tokens can have, separated by commas', toWords)
    .option('--redirect-uri <uri>', 'where the browser returns to; can be repeated', toUris)
    .option('--uri <url>', 'home page, shown on the consent page')
    .option('--jwks-file <file>', 'file with its public keys (JWK set), for private_key_jwt')
    .option(
      '--refresh-grace <seconds>',
      'seconds within which a used refresh token works again (default: 0)',
      wholeNumber(0, MAX_GRACE_S),
    );
}

function addCreate(clients: Command, context: CommandContext): void {
  addSettings(clients.command('create').description('create a client and show its secret once'))
    .addOption(
      choice(
        '--auth-method <method>',
        'how it proves its identity (default: client_secret_post)',
        AUTH_METHODS,
      ),
    )
    .addHelpText(
      'after',
      `
It can have only scopes that your own credential has. "device" stands for the device grant.
${examples(
  'tps oauth-clients create --name "SIEM connector" --grants client_credentials --scopes events:read,alerts:read',
  'tps oauth-clients create --name Portal --grants authorization_code,refresh_token --scopes status:read \\\n      --redirect-uri https://portal.example.com/callback',
  'tps oauth-clients create --name Desktop --grants authorization_code --scopes status:read \\\n      --redirect-uri http://127.0.0.1/callback --auth-method none',
)}`,
    )
    .action(async (flags: SettingFlags & { authMethod?: AuthMethod }, command: Command) => {
      const { name, grants, scopes } = flags;
      if (name === undefined || !grants?.length || !scopes?.length) {
        throw usageError('--name, --grants and --scopes are required. See: tps oauth-clients create --help');
      }
      const settings = await toSettings(context, flags);
      const { client, session, tenant } = await openCall(context, command);
      const created = await client.oauthClients.create({
        ...settings,
        name,
        grant_types: grants,
        scopes: scopes as NewOAuthClient['scopes'],
        ...omitUndefined({ token_endpoint_auth_method: flags.authMethod }),
        ...tenant,
      });
      await printCreated(session, created, async () => {
        await client.oauthClients.remove(created.client_id, tenant);
        return `The secret could not be shown and the client is deleted: ${created.client_id}.`;
      });
    });
}

type AuthMethod = OAuthClient['token_endpoint_auth_method'];

function addUpdate(clients: Command, context: CommandContext): void {
  addSettings(
    clients
      .command('update')
      .description('change a client')
      .argument(...ARGUMENT),
  )
    .addHelpText(
      'after',
      `
A list replaces the one before. Taking away a scope, a grant, a redirect URI or a key ends all tokens of the client.
Taking away a scope also ends what was set up with the client: tps holdings list --client-id cli_0123
${examples(
  'tps oauth-clients update cli_0123 --scopes events:read',
  'tps oauth-clients update cli_0123 --refresh-grace 10',
)}`,
    )
    .action(async (id: string, flags: SettingFlags, command: Command) => {
      const change = await toSettings(context, flags);
      if (Object.keys(change).length === 0) {
        throw usageError('Nothing to change. See: tps oauth-clients update --help');
      }
      const { client, session, tenant } = await openCall(context, command);
      const changed = await client.oauthClients.update(id, { ...change, ...tenant });
      await printFields(session, changed, toFields(changed));
    });
}

function addRotation(clients: Command, context: CommandContext): void {
  clients
    .command('rotate-secret')
    .description('replace the secret and show the new one once; the old one stays valid for a while')
    .argument(...ARGUMENT)
    .option(
      '--overlap <seconds>',
      'seconds for which the old secret stays valid (default: a day)',
      wholeNumber(0, MAX_OVERLAP_S),
    )
    .addHelpText('after', examples('tps oauth-clients rotate-secret cli_0123 --overlap 3600'))
    .action(async (id: string, { overlap }: { overlap?: number }, command: Command) => {
      const { client, session, tenant } = await openCall(context, command);
      const rotation = { ...omitUndefined({ overlap_s: overlap }), ...tenant };
      const created = await client.oauthClients.rotateSecret(id, rotation);
      await printCreated(
        session,
        created,
        async () => `The secret could not be shown. Run: tps oauth-clients rotate-secret ${id}`,
      );
    });
}

type Settings = Partial<Omit<NewOAuthClient, 'tenant_id' | 'token_endpoint_auth_method'>>;

async function toSettings(context: CommandContext, flags: SettingFlags): Promise<Settings> {
  const { name, uri, grants, scopes, redirectUri, jwksFile, refreshGrace } = flags;
  return omitUndefined({
    name,
    uri,
    grant_types: grants,
    scopes: scopes as Settings['scopes'],
    redirect_uris: redirectUri,
    jwks: jwksFile === undefined ? undefined : parseKeys(await readNamedFile(context, jwksFile), jwksFile),
    refresh_grace_s: refreshGrace,
  }) as Settings;
}

/** The service validates the keys. The text is not quoted: it may hold a private key by mistake. */
function parseKeys(text: string, file: string): NonNullable<OAuthClient['jwks']> {
  try {
    return JSON.parse(text) as NonNullable<OAuthClient['jwks']>;
  } catch {
    throw usageError(`${file} is not JSON.`);
  }
}

const parseGrants = wordsOf([...GRANT_TYPES, 'device'] as const);

function toGrants(text: string): OAuthClient['grant_types'] {
  return parseGrants(text).map((grant) => (grant === 'device' ? DEVICE_GRANT : grant));
}

function toShortGrant(grant: string): string {
  return grant === DEVICE_GRANT ? 'device' : grant;
}

/** Not separated by commas: a URI may contain one. */
function toUris(uri: string, before: readonly string[] = []): string[] {
  return [...before, uri];
}

function printCreated(
  session: Session,
  created: CreatedOAuthClient,
  onLost: () => Promise<string>,
): Promise<void> {
  const fields: Fields = [...toFields(created), ['secret', created.client_secret]];
  return printSecret(session, { value: created, fields }, onLost);
}

function toFields(client: OAuthClient): Fields {
  return [
    ['client', client.client_id],
    ['name', client.name],
    ['uri', client.uri],
    ['grants', client.grant_types.map(toShortGrant).join(', ')],
    ['scopes', client.scopes.join(', ')],
    ['redirect uris', client.redirect_uris.join(' ')],
    ['authentication', client.token_endpoint_auth_method],
    ['keys', client.jwks?.keys.length],
    ['secret hint', client.secret_hint],
    ['old secret until', toShortTime(client.previous_secret_until)],
    ['refresh grace', client.refresh_grace_s === 0 ? undefined : `${client.refresh_grace_s} s`],
    ['created', `${toShortTime(client.created_at)} by ${client.created_by}`],
    ['last used', toShortTime(client.last_used_at) || 'never'],
  ];
}
