import type { CommandContext } from '../command-context.ts';
import { CommandError, usageError } from '../output/command-error.ts';
import { EXIT } from '../output/exit-codes.ts';
import { type Profile, readProfiles } from './profiles.ts';
import { readNamedFile } from './read-named-file.ts';

/** Where the service is, and as whom to speak to it. */
export interface Connection {
  readonly url: string;
  readonly credential: string;
  readonly tenant: string | undefined;
}

interface Wanted {
  readonly url?: string;
  readonly profile?: string;
  readonly credentialFile?: string;
  readonly tenant?: string;
}

/**
 * Finds out where and as whom: what was typed goes before the environment, and that before the profile.
 *
 * @throws CommandError when an answer is missing, or when a profile's credential would be sent to another service
 */
export async function resolveConnection(context: CommandContext, wanted: Wanted): Promise<Connection> {
  const profile = await findProfile(context, wanted);
  const url = wanted.url ?? profile?.url;
  if (url === undefined) {
    throw usageError(
      'Which service? Run `tps login URL` or `tps init` once, or set TPS_URL and TPS_CREDENTIAL.',
    );
  }
  requireUrl(url);
  const given = await readGivenCredential(context, wanted);
  const credential = given ?? profile?.credential;
  if (credential === undefined) {
    throw new CommandError(`As whom? Run \`tps login ${url}\` once, or set TPS_CREDENTIAL.`, {
      code: 'missing_credentials',
      exitCode: EXIT.refused,
    });
  }
  if (given === undefined && profile && !isSameService(profile.url, url)) {
    throw usageError(
      `The profile's credential belongs to ${profile.url} and is not sent to ${url}. Set TPS_CREDENTIAL, or use another --profile.`,
    );
  }
  return { url, credential, tenant: wanted.tenant ?? profile?.tenant };
}

/** Refuses what is no address, and one over which a credential could be read on its way. @throws CommandError */
export function requireUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw usageError('The address of the service begins with https:// (or http:// on this machine).');
  }
  if (url.username !== '' || url.password !== '') {
    throw usageError(
      'The address of the service holds no credential: it would show in logs and process lists.',
    );
  }
  if (url.protocol === 'http:' && !isOnThisMachine(url)) {
    throw usageError('Credentials are sent over https:// only, but for a service on this machine.');
  }
  return url;
}

/** Tells whether an address is reached without a network. */
export function isOnThisMachine({ hostname }: URL): boolean {
  return /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(hostname);
}

async function findProfile(context: CommandContext, { profile: name }: Wanted): Promise<Profile | undefined> {
  const { current, profiles } = await readProfiles(context.env);
  if (name === undefined) return current === undefined ? undefined : profiles[current];
  const profile = Object.hasOwn(profiles, name) ? profiles[name] : undefined;
  if (!profile)
    throw usageError(`There is no profile ${JSON.stringify(name)}. \`tps profiles list\` shows them.`);
  return profile;
}

/** Reads the credential that was named beside the profiles, if one was. @throws CommandError when it cannot be read */
export async function readGivenCredential(
  context: CommandContext,
  { credentialFile }: Pick<Wanted, 'credentialFile'>,
): Promise<string | undefined> {
  if (credentialFile !== undefined) return readNamedFile(context, credentialFile);
  return context.env.TPS_CREDENTIAL || undefined;
}

/** Tells whether two addresses are of one service: a slash at the end makes no difference. */
export function isSameService(one: string, other: string): boolean {
  return withoutSlash(one) === withoutSlash(other);
}

function withoutSlash(url: string): string {
  return new URL(url).href.replace(/\/+$/, '');
}
