import type { Command } from 'commander';
import type { Surroundings } from './command-context.ts';
import { toJsonText } from './json-option.ts';

/** A command as another program needs it to know: for completion, and for taking commands over under its own name. */
export interface CommandTree {
  readonly name: string;
  readonly description: string;
  /** What follows the name, as the help shows it: `<tenant> <requests>`. */
  readonly arguments: readonly { readonly name: string; readonly required: boolean }[];
  readonly options: readonly { readonly flags: string; readonly description: string }[];
  readonly commands: readonly CommandTree[];
}

/** Adds a command that prints all others. It is no part of what a person uses, so the help leaves it out. */
export function addCommandTree(program: Command, { print }: Surroundings): void {
  program
    .command('commands', { hidden: true })
    .description('print all commands and their options as JSON')
    .addHelpText('after', '\nExamples:\n  tps commands')
    .action(() => print(toJsonText(toCommandTree(program))));
}

function toCommandTree(command: Command): CommandTree {
  const help = command.createHelp();
  return {
    name: command.name(),
    description: command.description(),
    arguments: command.registeredArguments.map((one) => ({ name: one.name(), required: one.required })),
    options: help.visibleOptions(command).map(({ flags, description }) => ({ flags, description })),
    commands: help
      .visibleCommands(command)
      .filter((one) => one.name() !== 'help')
      .map(toCommandTree),
  };
}
