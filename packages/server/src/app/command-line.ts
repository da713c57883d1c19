import { Command } from 'commander';
import { type Config, loadConfig } from '../platform/config.ts';
import { configHelp } from '../platform/config-options.ts';
import { addBackupCommands } from './commands/backup-commands.ts';
import { addRetentionCommands } from './commands/retention-commands.ts';
import { addSecretCommands } from './commands/secret-commands.ts';
import type { Surroundings } from './commands/surroundings.ts';
import { addTenantCommands } from './commands/tenant-commands.ts';
import { addTokenCommands } from './commands/token-commands.ts';
import { serviceVersion } from './service-version.ts';

/** Builds the command line. `serve` runs the service and is what happens without a command. */
export function buildCommandLine({
  serve,
  ...surroundings
}: Surroundings & { serve: (config: Config) => Promise<void> }): Command {
  const { env } = surroundings;
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

  addTenantCommands(program, surroundings);
  addTokenCommands(program, surroundings);
  addSecretCommands(program, surroundings);
  addRetentionCommands(program, surroundings);
  addBackupCommands(program, surroundings);
  return program;
}
