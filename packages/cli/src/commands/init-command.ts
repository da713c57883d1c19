import type { Command } from 'commander';
import type { CommandContext } from '../command-context.ts';
import { isOnThisMachine, requireUrl } from '../connection/connection.ts';
import { readProfiles } from '../connection/profiles.ts';
import { createInstallation } from '../operator/create-installation.ts';
import { CommandError, usageError } from '../output/command-error.ts';
import { EXIT } from '../output/exit-codes.ts';
import { printDocument, printLine } from '../output/print.ts';
import { openSession, programOptions } from '../session.ts';
import { saveProfile } from './profile-commands.ts';

interface Answers {
  readonly directory: string;
  readonly name: string;
  readonly bind: string;
}

/** Adds `tps init`. */
export function addInitCommand(program: Command, context: CommandContext): void {
  program
    .command('init')
    .description('set up a service on this machine: store, settings, tenant and credential')
    .option('--directory <path>', 'directory for its files', '.')
    .option('--name <name>', 'name of the first tenant', 'live')
    .option(
      '--bind <address>',
      'address and port that the service listens on (env: SERVICE_BIND)',
      context.env.SERVICE_BIND || '127.0.0.1:8080',
    )
    .option('--yes', 'accept the defaults without asking; implied without a terminal')
    .addHelpText(
      'after',
      `
Creates tps.env, which \`tps serve\` reads, and the directory data, and saves the credential of an administrator in a
profile. Existing files and profiles are never overwritten.

Examples:
  tps init
  tps init --yes --directory /srv/tps --name "Example Ltd"`,
    )
    .action(async (flags: Answers & { yes?: true }, command: Command) => {
      const session = openSession(context, command);
      const options = programOptions(context, command);
      const profile = options.profile ?? 'default';
      await requireNewProfile(context, profile);
      const isInteractive = !flags.yes && context.stdin.isTTY && context.stderr.isTerminal;
      const answers = isInteractive ? await ask(flags) : flags;
      const url = options.url ?? toOwnUrl(answers.bind);
      requireUrl(url);
      const { tenantId, envFile, adminLink } = await createInstallation(
        context,
        { ...answers, baseUrl: options.url },
        ({ credential }) => saveProfile(context.env, profile, { url, credential }),
      );
      if (session.format !== 'table') {
        return printDocument(session, {
          ...{ tenant_id: tenantId, env_file: envFile, url, profile },
          admin_link: adminLink,
        });
      }
      await printLine(
        session,
        `Created tenant ${tenantId} and ${envFile}. The profile ${profile} uses them.`,
      );
      const isHere = answers.directory === '.';
      await printLine(session, `Now run: ${isHere ? '' : `cd ${answers.directory} && `}tps serve`);
      await printLine(
        session,
        'Then open this link within 24 hours to become the administrator. It works once:',
      );
      await printLine(session, adminLink);
    });
}

/** Returns the URL of a service on this machine. Another address must be given with --url. @throws CommandError */
function toOwnUrl(bind: string): string {
  const url = `http://${bind}`;
  if (!/^[\w.:[\]-]+:\d{1,5}$/.test(bind) || !URL.canParse(url)) {
    throw usageError('--bind requires an address and a port, such as 127.0.0.1:8080.');
  }
  if (isOnThisMachine(new URL(url))) return url;
  throw usageError(
    `${bind} can be reached from other machines. --url is required: https://tps.example.com, for example, or http://localhost:PORT on this machine.`,
  );
}

async function requireNewProfile(context: CommandContext, name: string): Promise<void> {
  const { profiles } = await readProfiles(context.env);
  if (!Object.hasOwn(profiles, name)) return;
  throw new CommandError(
    `Profile ${name} exists already. Use another --profile, or run: tps profiles remove ${name}`,
    { code: 'profile_exists', exitCode: EXIT.conflict },
  );
}

async function ask(defaults: Answers): Promise<Answers> {
  const { group, text } = await import('@clack/prompts');
  const output = process.stderr;
  const question = (message: string, initialValue: string) => () => text({ message, initialValue, output });
  return group(
    {
      directory: question('Directory for the files of the service?', defaults.directory),
      name: question('Name of the first tenant?', defaults.name),
      bind: question('Address and port that the service listens on?', defaults.bind),
    },
    {
      onCancel() {
        throw new CommandError('Cancelled. Nothing was created.', {
          code: 'cancelled',
          exitCode: EXIT.interrupted,
        });
      },
    },
  );
}
