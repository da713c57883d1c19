import type { Client, Fetch } from '@tps/client';
import type { Command } from 'commander';
import type { CommandContext } from './command-context.ts';
import { type Connection, resolveConnection } from './connection/connection.ts';
import { type Format, toFormat } from './output/format.ts';
import { createPalette, type Palette } from './output/palette.ts';

/** The options of the program, which apply to every command. */
export interface ProgramOptions {
  readonly url?: string;
  readonly profile?: string;
  readonly credentialFile?: string;
  readonly tenant?: string;
  readonly json?: true;
  readonly ndjson?: true;
}

/** One run of a command with the options of the program. */
export interface Session {
  readonly context: CommandContext;
  readonly format: Format;
  /** Colors for the standard output; none when it is not a terminal. */
  readonly palette: Palette;
  /** The tenant for requests with an operator credential; empty if none is configured. */
  tenant(): Promise<{ readonly tenant_id?: string }>;
  /** URL and credential of the service. @throws CommandError when one is not configured */
  connection(): Promise<Connection>;
  /**
   * Returns the API client, which uses the `fetch` of the first call if given.
   * @throws CommandError when the URL or the credential is not configured
   */
  client(fetch?: Fetch): Promise<Client>;
}

/** Opens the session of a command. Profiles and credentials are read when they are first needed. */
export function openSession(context: CommandContext, command: Command): Session {
  const options = programOptions(context, command);
  let connection: Promise<Connection> | undefined;
  let client: Promise<Client> | undefined;
  const connect = () => {
    connection ??= resolveConnection(context, options);
    return connection;
  };
  return {
    context,
    format: toFormat(options),
    palette: createPalette(context.stdout, context.env),
    connection: connect,
    async tenant() {
      const { tenant } = await connect();
      return tenant === undefined ? {} : { tenant_id: tenant };
    },
    client(fetch) {
      client ??= connect().then((connection) => openClient(connection, fetch));
      return client;
    },
  };
}

/** Returns the options of the program: from the command line, otherwise from the environment. */
export function programOptions({ env }: Pick<CommandContext, 'env'>, command: Command): ProgramOptions {
  const { TPS_URL: url, TPS_PROFILE: profile, TPS_TENANT: tenant } = env;
  // An empty variable counts as not set.
  const fromEnvironment = Object.entries({ url, profile, tenant }).filter(([, value]) => value);
  return { ...Object.fromEntries(fromEnvironment), ...command.optsWithGlobals<ProgramOptions>() };
}

/** Loads the client only when it is needed: completion and help start faster without it. */
async function openClient({ url, credential }: Connection, fetch: Fetch | undefined): Promise<Client> {
  const { createClient } = await import('@tps/client');
  return createClient({ baseUrl: url, credential, ...(fetch && { fetch }) });
}
