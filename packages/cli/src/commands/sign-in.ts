import type { CommandContext } from '../command-context.ts';
import { CLIENT_ID } from '../connection/profile-tokens.ts';
import type { Profile } from '../connection/profiles.ts';
import { CommandError } from '../output/command-error.ts';
import { EXIT } from '../output/exit-codes.ts';
import { sanitizeLine } from '../output/sanitize.ts';
import { showWaiting } from '../output/show-waiting.ts';

/**
 * Signs a person in with the device grant (RFC 8628): prints an address and a code, and waits until the person has confirmed
 * the code in a browser, on any device. Opens nothing.
 *
 * @throws OAuthError when the person refuses, or the code has ended
 */
export async function signIn(
  context: CommandContext,
  authUrl: string,
): Promise<Pick<Profile, 'credential'> & Required<Pick<Profile, 'oauth'>>> {
  const { deviceAuthorization } = await import('@tps/client');
  const grant = await deviceAuthorization({ authUrl, clientId: CLIENT_ID });
  await context.stderr.write(
    `Open this address in a browser, on any device, and confirm the code ${sanitizeLine(grant.userCode)}:\n\n` +
      `  ${sanitizeLine(grant.verificationUriComplete ?? grant.verificationUri)}\n\n`,
  );
  const signal = context.stopSignal();
  const { accessToken, refreshToken, expiresAtMs } = await showWaiting(
    context,
    'the confirmation',
    grant.tokens({ signal }),
  );
  if (refreshToken === undefined) {
    throw new CommandError('The service gave no refresh token. Nothing was saved.', {
      code: 'token_not_understood',
      exitCode: EXIT.failure,
    });
  }
  return {
    credential: accessToken,
    oauth: { auth_url: authUrl, refresh_token: refreshToken, expires_at_ms: expiresAtMs },
  };
}

/** Revokes a sign-in: its refresh token and its access tokens end at once. */
export async function signOut({ auth_url: authUrl, refresh_token: token }: NonNullable<Profile['oauth']>) {
  const { revokeOAuthToken } = await import('@tps/client');
  await revokeOAuthToken({ authUrl, clientId: CLIENT_ID }, token);
}
