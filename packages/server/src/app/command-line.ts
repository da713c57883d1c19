import { Command } from 'commander';
import { configHelp } from '../platform/config/config-options.ts';
import { addAccountCommands } from './commands/account-commands.ts';
import { addAdminLinkCommand } from './commands/admin-link-command.ts';
import { addBackupCommands } from './commands/backup-commands.ts';
import { addCheckCommand } from './commands/check-command.ts';
import type { CommandContext } from './commands/command-context.ts';
import { addIndicatorCommands } from './commands/indicator-commands.ts';
import { addRetentionCommands } from './commands/retention-commands.ts';
import { addSecretCommands } from './commands/secret-commands.ts';
import { addStatisticsCommands } from './commands/statistics-commands.ts';
import { addTenantCommands } from './commands/tenant-commands.ts';
import { addTokenCommands } from './commands/token-commands.ts';
import { serviceVersion } from './service-version.ts';

/** Builds the command line. `serve` runs the service; it is also the default command. */
export function buildCommandLine({
  serve,
  ...context
}: CommandContext & { serve: (env: CommandContext['env']) => Promise<void> }): Command {
  const { env, stdout, stderr } = context;
  const program = new Command('tps')
    // Commands inherit both settings when they are added.
    .exitOverride()
    .configureOutput({ writeOut: toLines(stdout), writeErr: toLines(stderr) })
    .description('Stores signed detection events and derives alerts, threats and incidents from them.')
    .version(serviceVersion())
    .showHelpAfterError('(see --help)')
    .addHelpText('after', `\nExamples:\n  tps serve\n  tps tenants create "Example Ltd"\n\n${configHelp()}`);

  program
    .command('serve', { isDefault: true })
    .description('run the service until it receives SIGTERM or SIGINT')
    .addHelpText(
      'after',
      `\nExamples:\n  tps serve\n  SERVICE_BIND=127.0.0.1:9090 tps serve\n\n${configHelp()}`,
    )
    .allowExcessArguments()
    .action((_options: object, command: Command) => {
      // As the default command this also gets unknown commands.
      const [unknown] = command.args;
      if (unknown !== undefined) command.error(`error: unknown command '${unknown}'`);
      return serve(env);
    });

  addTenantCommands(program, context);
  addTokenCommands(program, context);
  addAccountCommands(program, context);
  addAdminLinkCommand(program, context);
  addSecretCommands(program, context);
  addIndicatorCommands(program, context);
  addRetentionCommands(program, context);
  addStatisticsCommands(program, context);
  addBackupCommands(program, context);
  addCheckCommand(program, context);
  return program;
}

/** Removes the line feed that commander ends its texts with: the writers add one. */
function toLines(write: (text: string) => unknown): (text: string) => void {
  return (text) => void write(text.replace(/\n$/, ''));
}
