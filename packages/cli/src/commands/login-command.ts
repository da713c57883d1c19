import type { Command } from 'commander';
import type { CommandContext } from '../command-context.ts';
import { isSameService, readGivenCredential, requireUrl } from '../connection/connection.ts';
import { readProfiles } from '../connection/profiles.ts';
import { readNamedFile } from '../connection/read-named-file.ts';
import { CommandError } from '../output/command-error.ts';
import { EXIT } from '../output/exit-codes.ts';
import { printDone } from '../output/print.ts';
import { openSession, type ProgramOptions, programOptions } from '../session.ts';
import { saveProfile } from './profile-commands.ts';

const DEFAULT_PROFILE = 'default';

/** Adds `tps login`. */
export function addLoginCommand(program: Command, context: CommandContext): void {
  program
    .command('login')
    .description('save the URL and a credential of a service as the profile in use')
    .argument('<url>', 'URL of the service')
    .option('--replace', 'replace a profile of the same name for another service')
    .addHelpText(
      'after',
      `
The credential is prompted for, or read from the standard input or --credential-file. It is not an argument, because the
list of processes shows arguments. It is checked before it is saved.

Examples:
  tps login https://tps.example.com
  tps login https://tps.example.com --profile production --tenant tnt_0123 < credential.txt`,
    )
    .action(async (url: string, { replace }: { replace?: true }, command: Command) => {
      const options = programOptions(context, command);
      requireUrl(url);
      const name = options.profile ?? DEFAULT_PROFILE;
      const { profiles } = await readProfiles(context.env);
      const previous = Object.hasOwn(profiles, name) ? profiles[name] : undefined;
      if (previous && !isSameService(previous.url, url) && !replace) {
        throw new CommandError(
          `Profile ${name} is for ${previous.url}. Use another --profile, or --replace.`,
          {
            code: 'profile_exists',
            exitCode: EXIT.conflict,
          },
        );
      }
      const credential = await readCredential(context, options);
      await tryCredential(url, credential);
      const { tenant } = options;
      await saveProfile(context.env, name, { url, credential, ...(tenant === undefined ? {} : { tenant }) });
      const session = openSession(context, command);
      await printDone(session, `Saved profile ${name}. Commands now use ${url}.`, { profile: name, url });
    });
}

async function readCredential(context: CommandContext, options: ProgramOptions): Promise<string> {
  const given = await readGivenCredential(context, options);
  if (given !== undefined) return given;
  return context.stdin.isTTY ? askForCredential() : readNamedFile(context, '-');
}

async function askForCredential(): Promise<string> {
  const { isCancel, password } = await import('@clack/prompts');
  const answer = await password({ message: 'Credential', output: process.stderr });
  if (isCancel(answer))
    throw new CommandError('Cancelled. Nothing was saved.', {
      code: 'cancelled',
      exitCode: EXIT.interrupted,
    });
  return answer.trim();
}

/**
 * Checks a credential by reading the status. Only 401 means that it is not valid: it may lack the scope. An error that
 * is not in the format of the service means that the URL is wrong.
 *
 * @throws ClientError when the service rejects the credential or does not respond
 */
async function tryCredential(baseUrl: string, credential: string): Promise<void> {
  const { ApiError, AuthenticationError, createClient, ServiceError } = await import('@tps/client');
  try {
    await createClient({ baseUrl, credential, retry: { attempts: 1 } }).status.get();
  } catch (error) {
    const isRefusal = error instanceof AuthenticationError || error instanceof ServiceError;
    if (isRefusal || !(error instanceof ApiError) || error.code === `http_${error.status}`) throw error;
  }
}
