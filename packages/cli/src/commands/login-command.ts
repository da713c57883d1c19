import type { Command } from 'commander';
import type { CommandContext } from '../command-context.ts';
import { findProfile, isSameService, readGivenCredential, requireUrl } from '../connection/connection.ts';
import { type Profile, readProfiles } from '../connection/profiles.ts';
import { readNamedFile } from '../connection/read-named-file.ts';
import { CommandError, usageError } from '../output/command-error.ts';
import { EXIT } from '../output/exit-codes.ts';
import { printDone } from '../output/print.ts';
import { openSession, type ProgramOptions, programOptions } from '../session.ts';
import { examples } from './examples.ts';
import { removeProfile, saveProfile } from './profile-commands.ts';
import { signIn, signOut } from './sign-in.ts';

const DEFAULT_PROFILE = 'default';

interface LoginFlags {
  readonly replace?: true;
  readonly token?: true;
}

/** Adds `tps login` and `tps logout`. */
export function addLoginCommand(program: Command, context: CommandContext): void {
  program
    .command('login')
    .description('sign in to a service, or save a credential, as the profile in use')
    .argument('[url]', 'URL of the service (default: that of the profile)')
    .option('--token', 'prompt for a credential instead of signing in with a browser')
    .option('--replace', 'replace a profile of the same name for another service')
    .addHelpText(
      'after',
      `
On a terminal, it prints an address and a code. Open the address in a browser, on any device, sign in and confirm the
code. The profile then holds an access token, which tps renews. Without a terminal, or with --token or --credential-file,
it saves a credential. This is never an argument, because the list of processes shows arguments. It is checked first.

Examples:
  tps login https://tps.example.com
  tps login https://tps.example.com --token
  tps login https://tps.example.com --profile production --tenant tnt_0123 < credential.txt`,
    )
    .action(async (given: string | undefined, flags: LoginFlags, command: Command) => {
      const options = programOptions(context, command);
      const { name, url } = await findTarget(context, given, options);
      const previous = await findPrevious(context, { name, url, ...flags });
      const access = await gainAccess(context, url, { ...options, ...flags });
      await tryCredential(url, access.credential);
      const { tenant } = options;
      await saveProfile(context.env, name, { url, ...access, ...(tenant === undefined ? {} : { tenant }) });
      // The new profile works; what is left of the old sign-in ends by itself.
      if (previous?.oauth) await signOut(previous.oauth).catch(() => undefined);
      const session = openSession(context, command);
      await printDone(session, `Saved profile ${name}. Commands now use ${url}.`, { profile: name, url });
    });
  addLogout(program, context);
}

function addLogout(program: Command, context: CommandContext): void {
  program
    .command('logout')
    .description('end the sign-in of the profile in use, and remove the profile')
    .addHelpText(
      'after',
      `
The access of a sign-in ends at once. A credential that was saved without a sign-in stays valid until it is revoked.
${examples('tps logout', 'tps logout --profile production')}`,
    )
    .action(async (_flags: object, command: Command) => {
      const { name, profile } = await findProfile(context, programOptions(context, command));
      if (!profile) throw usageError('No profile is in use. Run `tps profiles list` to see the profiles.');
      const { oauth } = profile;
      // The profile goes only when the access has ended: afterwards it could not be ended from here.
      if (oauth) await signOut(oauth);
      await removeProfile(context.env, name);
      const session = openSession(context, command);
      const rest = oauth ? '' : ' Its credential stays valid until it is revoked: tps tokens revoke.';
      await printDone(session, `Signed out and removed profile ${name}.${rest}`, {
        profile: name,
        revoked: oauth !== undefined,
      });
    });
}

/** Returns the name and the URL of the profile to save. */
async function findTarget(
  context: CommandContext,
  given: string | undefined,
  options: ProgramOptions,
): Promise<{ readonly name: string; readonly url: string }> {
  if (given !== undefined) {
    requireUrl(given);
    return { name: options.profile ?? DEFAULT_PROFILE, url: given };
  }
  const { name, profile } = await findProfile(context, options);
  if (!profile) throw usageError('The URL of the service is required: tps login URL');
  return { name, url: profile.url };
}

/** Returns the profile that is replaced. @throws CommandError when it is for another service, without --replace */
async function findPrevious(
  context: CommandContext,
  { name, url, replace }: { name: string; url: string } & LoginFlags,
): Promise<Profile | undefined> {
  const { profiles } = await readProfiles(context.env);
  const previous = Object.hasOwn(profiles, name) ? profiles[name] : undefined;
  if (!previous || isSameService(previous.url, url) || replace) return previous;
  throw new CommandError(`Profile ${name} is for ${previous.url}. Use another --profile, or --replace.`, {
    code: 'profile_exists',
    exitCode: EXIT.conflict,
  });
}

/** Signs in with a browser, or takes the credential that is given. */
async function gainAccess(
  context: CommandContext,
  url: string,
  options: ProgramOptions & LoginFlags,
): Promise<Pick<Profile, 'credential' | 'oauth'>> {
  const given = await readGivenCredential(context, options);
  if (given !== undefined) return { credential: given };
  if (!context.stdin.isTTY) return { credential: await readNamedFile(context, '-') };
  const authUrl = options.token ? undefined : await findSignIn(url);
  return authUrl === undefined ? { credential: await askForCredential() } : signIn(context, authUrl);
}

/** Returns the address of the authorization server. An older service has none. */
async function findSignIn(baseUrl: string): Promise<string | undefined> {
  const { findAuthUrl, UnexpectedAnswerError } = await import('@tps/client');
  return findAuthUrl({ baseUrl }).catch((error: unknown) => {
    if (error instanceof UnexpectedAnswerError && error.code === 'answer_not_understood') return undefined;
    throw error;
  });
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
