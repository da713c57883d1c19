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

/** Adds the command that saves where a service is and as whom to speak to it. */
export function addLoginCommand(program: Command, context: CommandContext): void {
  program
    .command('login')
    .description('save the address of a service and a credential, and use them from now on')
    .argument('<url>', 'address of the service')
    .option('--replace', 'replace a profile of this name that is for another service')
    .addHelpText(
      'after',
      `
The credential is asked for, or read from the standard input or --credential-file: an argument would show in the
list of processes. It is tried before it is saved.

Examples:
  tps login https://tps.example.com
  tps login https://tps.example.com --profile production --tenant tnt_0123 < credential.txt`,
    )
    .action(async (url: string, { replace }: { replace?: true }, command: Command) => {
      const options = programOptions(context, command);
      requireUrl(url);
      const name = options.profile ?? DEFAULT_PROFILE;
      const { profiles } = await readProfiles(context.env);
      const former = Object.hasOwn(profiles, name) ? profiles[name] : undefined;
      if (former && !isSameService(former.url, url) && !replace) {
        throw new CommandError(
          `The profile ${name} is for ${former.url}. Give another --profile, or --replace.`,
          { code: 'profile_exists', exitCode: EXIT.conflict },
        );
      }
      const credential = await readCredential(context, options);
      await tryCredential(url, credential);
      const { tenant } = options;
      await saveProfile(context.env, name, { url, credential, ...(tenant === undefined ? {} : { tenant }) });
      const session = openSession(context, command);
      await printDone(session, `Commands now use ${url} (profile ${name}).`, { profile: name, url });
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
    throw new CommandError('Nothing was saved.', { code: 'cancelled', exitCode: EXIT.interrupted });
  return answer.trim();
}

/**
 * A credential without a right to read the status is a credential all the same: only 401 says that it is none. What
 * refuses in other words than the service's is no service.
 *
 * @throws ClientError when the service does not know it, or does not answer
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
