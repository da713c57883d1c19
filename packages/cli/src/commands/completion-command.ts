import { Argument, type Command } from 'commander';
import type { CommandContext } from '../command-context.ts';
import { type CompletionTree, toCompletionTree } from '../completion/completion-tree.ts';
import { SHELL_SCRIPTS, SHELLS } from '../completion/shell-scripts.ts';
import { suggest } from '../completion/suggest.ts';
import { findServerCommand } from '../operator/server-command.ts';
import { examples } from './examples.ts';
import { OPERATOR_COMMANDS } from './operator-commands.ts';

/** Adds `tps completion`, and the hidden command that the shell calls. */
export function addCompletionCommand(program: Command, context: CommandContext): void {
  program
    .command('completion')
    .description('print the completion script of a shell')
    .addArgument(new Argument('<shell>', 'name of the shell').choices(SHELLS))
    .addHelpText(
      'after',
      examples(
        'source <(tps completion bash)',
        'source <(tps completion zsh)',
        'tps completion fish > ~/.config/fish/completions/tps.fish',
      ),
    )
    .action((shell: keyof typeof SHELL_SCRIPTS) => context.stdout.write(SHELL_SCRIPTS[shell]));

  program
    .command('complete', { hidden: true })
    .description('print the completions of the last word')
    .argument('[words...]', 'words typed so far')
    .addHelpText('after', examples('tps complete -- ev'))
    .action(async (words: readonly string[]) => {
      const tree = await withOperatorCommand(toCompletionTree(program), words);
      for (const { value, description } of suggest(tree, words)) {
        await context.stdout.write(`${value}\t${description}\n`);
      }
    });
}

/** Replaces the placeholder of an operator command with the command itself. Loads the service's command line only for one. */
async function withOperatorCommand(tree: CompletionTree, words: readonly string[]): Promise<CompletionTree> {
  const name = words.slice(0, -1).find((word) => Object.hasOwn(OPERATOR_COMMANDS, word));
  if (name === undefined) return tree;
  const command = await findServerCommand(name);
  if (!command) return tree;
  const commands = tree.commands.map((one) => (one.name === name ? toCompletionTree(command) : one));
  return { ...tree, commands };
}
