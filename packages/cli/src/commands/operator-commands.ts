import type { Command } from 'commander';
import type { CommandContext } from '../command-context.ts';
import { runServerCommand } from '../operator/server-command.ts';
import { loadServiceEnvironment } from '../operator/service-environment.ts';
import { ExitError, usageError } from '../output/command-error.ts';

/** Commands of the service's command line. They work on the store, without a running service and a credential. */
export const OPERATOR_COMMANDS: Readonly<Record<string, string>> = {
  serve: 'run the service until it receives SIGTERM or SIGINT',
  tenants: 'create, list, limit and delete tenants',
  accounts: 'help people who cannot sign in, and disable their accounts',
  'admin-link': 'create a link with which a person becomes an admin of a tenant',
  secrets: 'manage the encrypted secrets in the store',
  retention: 'show and set how long data is kept, and purge older data',
  backup: 'write a verified copy of the SQLite store, also while the service runs',
  restore: 'replace the SQLite store with a backup, while no service runs on it',
  verify:
    'check a backup or, without a file, the store: its pages, the hash chains of events and audit entries, and what repeats or follows from them',
  check: 'check the configuration, the store, its secrets and its disk, without changing anything',
};

/** Adds the operator commands. Each runs the service's command line, also for its help. */
export function addOperatorCommands(program: Command, context: CommandContext): void {
  for (const [name, description] of Object.entries(OPERATOR_COMMANDS)) {
    program
      .command(name)
      .description(description)
      .usage('[arguments]')
      .helpOption(false)
      .argument('[arguments...]')
      .allowUnknownOption()
      .action(() => runOperatorCommand(context, argumentsFrom(program, name)));
  }
}

/**
 * Runs a command of the service with the settings of the environment and the settings file.
 *
 * @throws ExitError with its exit code
 */
export async function runOperatorCommand(context: CommandContext, args: readonly string[]): Promise<never> {
  const { rest, envFile } = takeEnvFile(args);
  const env = await loadServiceEnvironment(context, envFile);
  throw new ExitError(await runServerCommand(rest, { ...context, env }));
}

/** Returns the arguments from the command's name on, because its options belong to the service. `--json` may come before. */
function argumentsFrom(program: Command, name: string): string[] {
  const typed = (program as Command & { rawArgs: string[] }).rawArgs;
  const at = typed.indexOf(name);
  return [...typed.slice(at), ...typed.slice(0, at).filter((word) => word === '--json')];
}

function takeEnvFile(args: readonly string[]): { rest: string[]; envFile: string | undefined } {
  const rest: string[] = [];
  let envFile: string | undefined;
  for (let index = 0; index < args.length; index += 1) {
    const arg = args[index] ?? '';
    const value = /^--env-file=(.*)$/s.exec(arg)?.[1];
    if (value === undefined && arg !== '--env-file') {
      rest.push(arg);
      continue;
    }
    envFile = value ?? args[++index];
    if (!envFile) throw usageError('--env-file requires the name of a file.');
  }
  return { rest, envFile };
}
