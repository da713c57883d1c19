import type { TokenSource } from '@tps/client';
import type { CommandContext } from '../command-context.ts';
import { CommandError, usageError } from '../output/command-error.ts';
import { EXIT } from '../output/exit-codes.ts';
import { profileTokens } from './profile-tokens.ts';
import { type Profile, readProfiles } from './profiles.ts';
import { readSecretFile, readSecretVariable } from './secret-input.ts';

/** URL of a service, and the credential and tenant to use. */
export interface Connection {
  readonly url: string;
  /** A token, or a source that renews the access token of the profile. */
  readonly credential: string | TokenSource;
  readonly tenant: string | undefined;
}

interface ConnectionOptions {
  readonly url?: string;
  readonly profile?: string;
  readonly credentialFile?: string;
  readonly tenant?: string;
}

/**
 * Resolves URL, credential and tenant. Options take precedence over the environment, and the environment over the profile.
 *
 * @throws CommandError when one is missing, or when the credential of a profile would be sent to another service
 */
export async function resolveConnection(
  context: CommandContext,
  options: ConnectionOptions,
): Promise<Connection> {
  const { name, profile } = await findProfile(context, options);
  const url = options.url ?? profile?.url;
  if (url === undefined) {
    throw usageError(
      'No service is configured. Run `tps login URL` or `tps init`, or set TPS_URL and TPS_CREDENTIAL.',
    );
  }
  requireUrl(url);
  const given = await readGivenCredential(context, options);
  const credential = given ?? (profile?.oauth ? profileTokens(context.env, name) : profile?.credential);
  if (credential === undefined) {
    throw new CommandError(
      `No credential is configured for ${url}. Run \`tps login ${url}\`, or set TPS_CREDENTIAL.`,
      {
        code: 'missing_credentials',
        exitCode: EXIT.refused,
      },
    );
  }
  if (given === undefined && profile && !isSameService(profile.url, url)) {
    throw usageError(
      `The profile's credential belongs to ${profile.url} and is not sent to ${url}. Set TPS_CREDENTIAL, or use another --profile.`,
    );
  }
  return { url, credential, tenant: options.tenant ?? profile?.tenant };
}

/** Requires https, or http on this machine, without a credential in the URL. @throws CommandError */
export function requireUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw usageError('The URL of the service must begin with https:// (http:// on this machine only).');
  }
  if (url.username !== '' || url.password !== '') {
    throw usageError(
      'The URL of the service must not contain a credential: logs and process lists would show it.',
    );
  }
  if (url.protocol === 'http:' && !isOnThisMachine(url)) {
    throw usageError('Credentials are sent over https:// only, except to a service on this machine.');
  }
  return url;
}

/** Whether a URL is on this machine, so that requests do not use a network. */
export function isOnThisMachine({ hostname }: URL): boolean {
  return /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(hostname);
}

/** Returns the credential to send now. */
export async function currentCredential({ credential }: Pick<Connection, 'credential'>): Promise<string> {
  return typeof credential === 'string' ? credential : credential.token([]);
}

/** Finds the profile in use. @throws CommandError when the named one does not exist */
export async function findProfile(
  context: Pick<CommandContext, 'env'>,
  { profile: named }: Pick<ConnectionOptions, 'profile'>,
): Promise<{ readonly name: string; readonly profile: Profile | undefined }> {
  const { current = '', profiles } = await readProfiles(context.env);
  const name = named ?? current;
  const profile = Object.hasOwn(profiles, name) ? profiles[name] : undefined;
  if (!profile && named !== undefined)
    throw usageError(
      `Profile ${JSON.stringify(name)} does not exist. Run \`tps profiles list\` to see the profiles.`,
    );
  return { name, profile };
}

/**
 * Reads the credential of --credential-file, TPS_CREDENTIAL or TPS_CREDENTIAL_FILE, if set.
 *
 * @throws CommandError when it cannot be read
 */
export async function readGivenCredential(
  context: CommandContext,
  { credentialFile }: Pick<ConnectionOptions, 'credentialFile'>,
): Promise<string | undefined> {
  if (credentialFile !== undefined) return readSecretFile(context, credentialFile);
  return readSecretVariable(context, 'TPS_CREDENTIAL');
}

/** Whether two URLs are of the same service. A trailing slash does not matter. */
export function isSameService(one: string, other: string): boolean {
  return withoutSlash(one) === withoutSlash(other);
}

function withoutSlash(url: string): string {
  return new URL(url).href.replace(/\/+$/, '');
}
