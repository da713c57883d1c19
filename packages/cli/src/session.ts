import type { Client, Fetch } from '@tps/client';
import type { Command } from 'commander';
import type { CommandContext } from './command-context.ts';
import { type Connection, resolveConnection } from './connection/connection.ts';
import { type Format, formatOf } from './output/format.ts';
import { createPalette, type Palette } from './output/palette.ts';

/** The options of the program, which hold for each command. */
export interface ProgramOptions {
  readonly url?: string;
  readonly profile?: string;
  readonly credentialFile?: string;
  readonly tenant?: string;
  readonly json?: true;
  readonly ndjson?: true;
}

/** One run of one command: what the person asked for beside the command itself. */
export interface Session {
  readonly context: CommandContext;
  readonly format: Format;
  /** Colours for the standard output, which are none where nobody looks. */
  readonly palette: Palette;
  /** The tenant an operator credential means, to be passed on with each request; empty for any other credential. */
  tenant(): Promise<{ readonly tenant_id?: string }>;
  /** Where the service is, and as whom to speak. @throws CommandError when nobody said */
  connection(): Promise<Connection>;
  /**
   * Speaks to the service, by `fetch` where the first call gives one.
   * @throws CommandError when nobody said where it is, or as whom
   */
  client(fetch?: Fetch): Promise<Client>;
}

/** Opens the session of a command that is about to run. Nothing is read before it is needed. */
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
    format: formatOf(options),
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

/** Gives the options that hold for each command: as typed, else as the environment has them. */
export function programOptions({ env }: Pick<CommandContext, 'env'>, command: Command): ProgramOptions {
  const { TPS_URL: url, TPS_PROFILE: profile, TPS_TENANT: tenant } = env;
  // A variable that is set to nothing is not set.
  const fromEnvironment = Object.entries({ url, profile, tenant }).filter(([, value]) => value);
  return { ...Object.fromEntries(fromEnvironment), ...command.optsWithGlobals<ProgramOptions>() };
}

/** The client is loaded when it is needed: completion and help answer sooner without it. */
async function openClient({ url, credential }: Connection, fetch: Fetch | undefined): Promise<Client> {
  const { createClient } = await import('@tps/client');
  return createClient({ baseUrl: url, credential, ...(fetch && { fetch }) });
}
