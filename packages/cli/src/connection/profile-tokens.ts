import type { TokenSource } from '@tps/client';
import type { CommandContext } from '../command-context.ts';
import { CommandError } from '../output/command-error.ts';
import { EXIT } from '../output/exit-codes.ts';
import { type Profile, readProfiles, withProfilesLock, writeProfiles } from './profiles.ts';

/** The service's own client for command lines. It is public: anyone can read the program. */
export const CLIENT_ID = 'tps-cli';
/** An access token is renewed this long before its end. */
const MARGIN_MS = 60_000;

/**
 * Returns the access tokens of a profile, renewed when necessary. A refresh token works once, and its second use ends the
 * sign-in. So processes take turns, and each looks first whether another has renewed the token. A renewal that has begun is
 * not interrupted: the next process would use the same refresh token.
 */
export function profileTokens(env: CommandContext['env'], name: string): TokenSource {
  let rejected: string | undefined;
  const isUsable = ({ credential, oauth }: SignedInProfile) =>
    credential !== rejected && Date.now() < oauth.expires_at_ms - MARGIN_MS;
  return {
    async token() {
      const seen = await getSignedIn(env, name);
      if (isUsable(seen)) return seen.credential;
      return withProfilesLock(env, async () => {
        const current = await getSignedIn(env, name);
        return isUsable(current) ? current.credential : renew(env, name, current);
      });
    },
    reject(token) {
      rejected = token;
    },
  };
}

type SignedInProfile = Profile & Required<Pick<Profile, 'oauth'>>;

async function renew(env: CommandContext['env'], name: string, current: SignedInProfile): Promise<string> {
  const { refreshTokens } = await import('@tps/client');
  const { auth_url: authUrl, refresh_token: refreshToken, expires_at_ms: expiresAtMs } = current.oauth;
  const source = refreshTokens({
    authUrl,
    clientId: CLIENT_ID,
    // Others wait meanwhile.
    retry: { attempts: 2 },
    tokens: { accessToken: current.credential, refreshToken, expiresAtMs },
    save: async (tokens) => {
      const all = await readProfiles(env);
      const oauth = {
        auth_url: authUrl,
        refresh_token: tokens.refreshToken,
        expires_at_ms: tokens.expiresAtMs,
      };
      const profile = { ...current, credential: tokens.accessToken, oauth };
      await writeProfiles(env, { ...all, profiles: { ...all.profiles, [name]: profile } });
    },
  });
  source.reject(current.credential);
  return source.token([]);
}

async function getSignedIn(env: CommandContext['env'], name: string): Promise<SignedInProfile> {
  const { profiles } = await readProfiles(env);
  const { oauth, ...profile } = (Object.hasOwn(profiles, name) ? profiles[name] : undefined) ?? {};
  if (oauth && 'url' in profile) return { ...profile, oauth };
  throw new CommandError(`Profile ${name} is not signed in any more. Sign in again: tps login`, {
    code: 'missing_credentials',
    exitCode: EXIT.refused,
  });
}
