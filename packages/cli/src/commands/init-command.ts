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

/** Adds the command that makes everything a first use needs. */
export function addInitCommand(program: Command, context: CommandContext): void {
  program
    .command('init')
    .description('set up a service on this machine: its store, its settings, a tenant and a credential')
    .option('--directory <path>', 'where its files are made', '.')
    .option('--name <name>', 'what the first tenant is called', 'live')
    .option('--bind <address>', 'where the service listens', '127.0.0.1:8080')
    .option('--yes', 'ask nothing; without a terminal nothing is asked in any case')
    .addHelpText(
      'after',
      `
It makes tps.env, which \`tps serve\` reads, and the folder data, and saves the credential of an administrator in a
profile. Nothing that exists is written over.

Examples:
  tps init
  tps init --yes --directory /srv/tps --name "Example Ltd"`,
    )
    .action(async (flags: Answers & { yes?: true }, command: Command) => {
      const session = openSession(context, command);
      const options = programOptions(context, command);
      const profile = options.profile ?? 'default';
      await requireNewProfile(context, profile);
      const isAsked = !flags.yes && context.stdin.isTTY && context.stderr.isTerminal;
      const answers = isAsked ? await ask(flags) : flags;
      const url = options.url ?? toOwnUrl(answers.bind);
      requireUrl(url);
      const { tenantId, envFile } = await createInstallation(context, answers, ({ credential }) =>
        saveProfile(context.env, profile, { url, credential }),
      );
      if (session.format !== 'table') {
        return printDocument(session, { tenant_id: tenantId, env_file: envFile, url, profile });
      }
      await printLine(
        session,
        `Made the tenant ${tenantId} and ${envFile}; the profile ${profile} speaks for it.`,
      );
      const isHere = answers.directory === '.';
      await printLine(session, `Now run: ${isHere ? '' : `cd ${answers.directory} && `}tps serve`);
    });
}

/** Who listens for other machines, too, is reached at an address that only its operator knows. @throws CommandError */
function toOwnUrl(bind: string): string {
  const url = `http://${bind}`;
  if (!/^[\w.:[\]-]+:\d{1,5}$/.test(bind) || !URL.canParse(url)) {
    throw usageError('Give --bind an address and a port, such as 127.0.0.1:8080.');
  }
  if (isOnThisMachine(new URL(url))) return url;
  throw usageError(
    `Other machines can reach ${bind}. How do you reach it? Give --url, such as https://tps.example.com, or http://localhost:PORT on this machine.`,
  );
}

async function requireNewProfile(context: CommandContext, name: string): Promise<void> {
  const { profiles } = await readProfiles(context.env);
  if (!Object.hasOwn(profiles, name)) return;
  throw new CommandError(
    `There is a profile ${name} already. Give another --profile, or run: tps profiles remove ${name}`,
    { code: 'profile_exists', exitCode: EXIT.conflict },
  );
}

async function ask(defaults: Answers): Promise<Answers> {
  const { group, text } = await import('@clack/prompts');
  const output = process.stderr;
  const question = (message: string, initialValue: string) => () => text({ message, initialValue, output });
  return group(
    {
      directory: question('Where are the files of the service made?', defaults.directory),
      name: question('What is the first tenant called?', defaults.name),
      bind: question('Where does the service listen?', defaults.bind),
    },
    {
      onCancel() {
        throw new CommandError('Nothing was made.', { code: 'cancelled', exitCode: EXIT.interrupted });
      },
    },
  );
}
