import { createRequire } from 'node:module';
import { Command } from 'commander';
import type { CommandContext } from './command-context.ts';
import { addAgentCommands } from './commands/agent-commands.ts';
import { addAlertCommands } from './commands/alert-commands.ts';
import { addAuditCommands } from './commands/audit-commands.ts';
import { addCompletionCommand } from './commands/completion-command.ts';
import { addDataRequestCommands } from './commands/data-request-commands.ts';
import { addDeviceCommands } from './commands/device-commands.ts';
import { addDoctorCommand } from './commands/doctor-command.ts';
import { addEnrolmentCommands } from './commands/enrolment-commands.ts';
import { addEventCommands } from './commands/event-commands.ts';
import { addExportCommand } from './commands/export-command.ts';
import { addGuidanceCommands } from './commands/guidance-commands.ts';
import { addHoldingCommands } from './commands/holding-commands.ts';
import { addIncidentCommands } from './commands/incident-commands.ts';
import { addIndicatorCommands } from './commands/indicator-commands.ts';
import { addInitCommand } from './commands/init-command.ts';
import { addInvitationCommands } from './commands/invitation-commands.ts';
import { addJobCommands } from './commands/job-commands.ts';
import { addLoginCommand } from './commands/login-command.ts';
import { addMemberCommands } from './commands/member-commands.ts';
import { addNoticeCommands } from './commands/notice-commands.ts';
import { addOAuthClientCommands } from './commands/oauth-client-commands.ts';
import { addOperatorCommands } from './commands/operator-commands.ts';
import { addPolicyCommands } from './commands/policy-commands.ts';
import { addProfileCommands } from './commands/profile-commands.ts';
import { refuseOtherIds } from './commands/refuse-other-ids.ts';
import { addScanCommands } from './commands/scan-commands.ts';
import { addSettingsCommands } from './commands/settings-commands.ts';
import { addSignOnCommands } from './commands/sign-on-commands.ts';
import { addStatisticsCommands } from './commands/statistics-commands.ts';
import { addStatusCommands } from './commands/status-commands.ts';
import { addThreatCommands } from './commands/threat-commands.ts';
import { addTokenCommands } from './commands/token-commands.ts';
import { addViewCommands } from './commands/view-commands.ts';
import { addWebhookCommands } from './commands/webhook-commands.ts';

/**
 * Builds the command line. The options of the program apply to every command, before or after its name; a command must
 * not have an option of the same name.
 */
export function buildProgram(context: CommandContext): Command {
  const program = new Command('tps')
    .description('Run the Threat Protection Service, read what it has detected, and act on it.')
    .version(version())
    .option('--url <url>', 'URL of the service (env: TPS_URL)')
    .option('--profile <name>', 'saved profile to use (env: TPS_PROFILE)')
    .option(
      '--credential-file <file>',
      'file with the credential, or "-" for the standard input (env: TPS_CREDENTIAL, or TPS_CREDENTIAL_FILE)',
    )
    .option('--tenant <id>', 'tenant to use with an operator credential (env: TPS_TENANT)')
    .option('--json', 'print one JSON document')
    .option('--ndjson', 'print one JSON document per line, as soon as it is available')
    .configureHelp({ showGlobalOptions: true, sortSubcommands: false })
    .showHelpAfterError('(see --help)')
    .addHelpText('after', EXAMPLES);

  for (const addCommands of COMMANDS) addCommands(program, context);
  program.hook('preAction', (_program, command) => refuseOtherIds(program, command));
  return program;
}

/** In the order of `--help`. */
const COMMANDS: readonly ((program: Command, context: CommandContext) => void)[] = [
  addInitCommand,
  addOperatorCommands,
  addLoginCommand,
  addProfileCommands,
  addStatusCommands,
  addStatisticsCommands,
  addEventCommands,
  addExportCommand,
  addAlertCommands,
  addThreatCommands,
  addIncidentCommands,
  addJobCommands,
  addPolicyCommands,
  addIndicatorCommands,
  addDeviceCommands,
  addEnrolmentCommands,
  addScanCommands,
  addGuidanceCommands,
  addWebhookCommands,
  addNoticeCommands,
  addViewCommands,
  addTokenCommands,
  addOAuthClientCommands,
  addMemberCommands,
  addHoldingCommands,
  addInvitationCommands,
  addSignOnCommands,
  addAuditCommands,
  addSettingsCommands,
  addDataRequestCommands,
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
