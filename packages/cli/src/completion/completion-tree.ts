import type { Command } from 'commander';

/** A command with the details that completion needs. */
export interface CompletionTree {
  readonly name: string;
  readonly description: string;
  readonly options: readonly CompletionOption[];
  readonly commands: readonly CompletionTree[];
}

interface CompletionOption {
  /** Its spellings, such as `-h` and `--help`. */
  readonly names: readonly string[];
  readonly description: string;
  readonly takesValue: boolean;
  /** The allowed values, if they are listed. */
  readonly choices: readonly string[];
}

/** Returns a command and those below it, without hidden ones. */
export function toCompletionTree(command: Command): CompletionTree {
  const help = command.createHelp();
  return {
    name: command.name(),
    description: command.description(),
    options: help.visibleOptions(command).map((option) => ({
      names: [option.short, option.long].filter((name) => name !== undefined),
      description: option.description,
      takesValue: option.required || option.optional,
      choices: option.argChoices ?? [],
    })),
    commands: help.visibleCommands(command).map(toCompletionTree),
  };
}
