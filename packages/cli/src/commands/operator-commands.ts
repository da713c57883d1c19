import type { Command } from 'commander';
import type { CommandContext } from '../command-context.ts';
import { runServerCommand } from '../operator/server-command.ts';
import { loadServiceEnvironment } from '../operator/service-environment.ts';
import { ExitError, usageError } from '../output/command-error.ts';

/** Commands of the service's own program. They work on the store itself, with no service running and no credential. */
export const OPERATOR_COMMANDS: Readonly<Record<string, string>> = {
  serve: 'run the service until it is told to stop',
  tenants: 'make, list, limit and delete tenants',
  secrets: 'look after the secrets of webhooks in the store',
  retention: 'show and run what is deleted when',
  backup: 'copy the store while the service runs',
  restore: 'put a backup back',
  verify: 'check that the store, or a backup, is whole and unchanged',
  check: 'look at the configuration, the store, its secrets and its disk, and change nothing',
};

/** Adds the operator's commands: each is the service's own program, its help included. */
export function addOperatorCommands(program: Command, context: CommandContext): void {
  for (const [name, description] of Object.entries(OPERATOR_COMMANDS)) {
    program
      .command(name)
      .description(description)
      .usage('[arguments]')
      .helpOption(false)
      .argument('[arguments...]')
      .allowUnknownOption()
      .action(() => handOver(context, argumentsFrom(program, name)));
  }
}

/**
 * Lets the service's own program run in our place.
 *
 * @throws ExitError with its exit code
 */
export async function handOver(context: CommandContext, args: readonly string[]): Promise<never> {
  const { rest, envFile } = takeEnvFile(args);
  const env = await loadServiceEnvironment(context, envFile);
  throw new ExitError(await runServerCommand(rest, { ...context, env }));
}

/** What was typed from the command's name on, untouched: its options are the other program's. `--json` may stand before. */
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
    if (!envFile) throw usageError('--env-file needs the name of a file.');
  }
  return { rest, envFile };
}
