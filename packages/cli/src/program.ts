import { createRequire } from 'node:module';
import { Command } from 'commander';
import type { CommandContext } from './command-context.ts';
import { addAgentCommands } from './commands/agent-commands.ts';
import { addAlertCommands } from './commands/alert-commands.ts';
import { addCompletionCommand } from './commands/completion-command.ts';
import { addDeviceCommands } from './commands/device-commands.ts';
import { addDoctorCommand } from './commands/doctor-command.ts';
import { addEventCommands } from './commands/event-commands.ts';
import { addExportCommand } from './commands/export-command.ts';
import { addGuidanceCommands } from './commands/guidance-commands.ts';
import { addIncidentCommands } from './commands/incident-commands.ts';
import { addIndicatorCommands } from './commands/indicator-commands.ts';
import { addInitCommand } from './commands/init-command.ts';
import { addJobCommands } from './commands/job-commands.ts';
import { addLoginCommand } from './commands/login-command.ts';
import { addOperatorCommands } from './commands/operator-commands.ts';
import { addPolicyCommands } from './commands/policy-commands.ts';
import { addProfileCommands } from './commands/profile-commands.ts';
import { addScanCommands } from './commands/scan-commands.ts';
import { addStatusCommands } from './commands/status-commands.ts';
import { addThreatCommands } from './commands/threat-commands.ts';
import { addTokenCommands } from './commands/token-commands.ts';
import { addWebhookCommands } from './commands/webhook-commands.ts';

/**
 * Builds the whole command line. The options of the program hold for each of its commands, before or after the
 * command's name; a command must not have one of the same name.
 */
export function buildProgram(context: CommandContext): Command {
  const program = new Command('tps')
    .description('Threat protection from the command line: run the service, read what it found, act on it.')
    .version(version())
    .option('--url <url>', 'address of the service (environment: TPS_URL)')
    .option('--profile <name>', 'which saved profile to use (environment: TPS_PROFILE)')
    .option(
      '--credential-file <file>',
      'read the credential from this file, or from "-" (environment: TPS_CREDENTIAL)',
    )
    .option('--tenant <id>', 'which tenant, with an operator credential (environment: TPS_TENANT)')
    .option('--json', 'print one JSON document')
    .option('--ndjson', 'print one JSON document per line, as they come')
    .configureHelp({ showGlobalOptions: true, sortSubcommands: false })
    .showHelpAfterError('(see --help)')
    .addHelpText('after', EXAMPLES);

  for (const addCommands of COMMANDS) addCommands(program, context);
  return program;
}

/** In the order in which `--help` lists them. Commands below another's find it with `program.commands`. */
const COMMANDS: readonly ((program: Command, context: CommandContext) => void)[] = [
  addInitCommand,
  addOperatorCommands,
  addLoginCommand,
  addProfileCommands,
  addStatusCommands,
  addEventCommands,
  addExportCommand,
  addAlertCommands,
  addThreatCommands,
  addIncidentCommands,
  addJobCommands,
  addPolicyCommands,
  addIndicatorCommands,
  addDeviceCommands,
  addScanCommands,
  addGuidanceCommands,
  addWebhookCommands,
  addTokenCommands,
  addAgentCommands,
  addDoctorCommand,
  addCompletionCommand,
];

const EXAMPLES = `
Examples:
  tps init
  tps serve
  tps status
  tps incidents list --status open`;

function version(): string {
  const { version } = createRequire(import.meta.url)('../package.json') as { version: string };
  return version;
}
