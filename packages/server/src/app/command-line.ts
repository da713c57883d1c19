import { Command } from 'commander';
import { type Config, loadConfig } from '../platform/config/config.ts';
import { configHelp } from '../platform/config/config-options.ts';
import { addBackupCommands } from './commands/backup-commands.ts';
import { addCheckCommand } from './commands/check-command.ts';
import type { Surroundings } from './commands/command-context.ts';
import { addCommandTree } from './commands/command-tree.ts';
import { addIndicatorCommands } from './commands/indicator-commands.ts';
import { addRetentionCommands } from './commands/retention-commands.ts';
import { addSecretCommands } from './commands/secret-commands.ts';
import { addTenantCommands } from './commands/tenant-commands.ts';
import { addTokenCommands } from './commands/token-commands.ts';
import { serviceVersion } from './service-version.ts';

/** Builds the command line. `serve` runs the service and is what happens without a command. */
export function buildCommandLine({
  serve,
  ...surroundings
}: Surroundings & { serve: (config: Config) => Promise<void> }): Command {
  const { env, print, tell } = surroundings;
  const program = new Command('tps')
    // Both hold for all commands that are added from here on.
    .exitOverride()
    .configureOutput({ writeOut: toLines(print), writeErr: toLines(tell) })
    .description('Takes in signed detection events and derives alerts, threats and incidents from them.')
    .version(serviceVersion())
    .showHelpAfterError('(see --help)')
    .addHelpText('after', `\nExamples:\n  tps serve\n  tps tenants create "Example Ltd"\n\n${configHelp()}`);

  program
    .command('serve', { isDefault: true })
    .description('run the service until it is told to stop')
    .addHelpText(
      'after',
      `\nExamples:\n  tps serve\n  SERVICE_BIND=127.0.0.1:9090 tps serve\n\n${configHelp()}`,
    )
    .allowExcessArguments()
    .action((_options: object, command: Command) => {
      // Whatever is no other command ends up here, as the default.
      const [unknown] = command.args;
      if (unknown !== undefined) command.error(`error: unknown command '${unknown}'`);
      return serve(loadConfig(env));
    });

  addTenantCommands(program, surroundings);
  addTokenCommands(program, surroundings);
  addSecretCommands(program, surroundings);
  addIndicatorCommands(program, surroundings);
  addRetentionCommands(program, surroundings);
  addBackupCommands(program, surroundings);
  addCheckCommand(program, surroundings);
  addCommandTree(program, surroundings);
  return program;
}

/** What commander writes ends with a line feed, which whoever prints adds. */
function toLines(write: (text: string) => void): (text: string) => void {
  return (text) => write(text.replace(/\n$/, ''));
}
