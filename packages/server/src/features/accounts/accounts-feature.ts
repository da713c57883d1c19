import type { Feature, SharedParts } from '../feature.ts';
import { signOnAlternative } from '../sign-on/index.ts';
import { accountRoutes } from './account-pages/account-routes.ts';
import type { AccountTies } from './account-pages/account-ties.ts';
import { AccountService } from './account-service.ts';
import { loginRoutes } from './login/login-routes.ts';
import { LoginService } from './login/login-service.ts';
import { passkeyAssets } from './passkeys/passkey-form.ts';
import { passkeyAlternative, passkeyLoginRoutes } from './passkeys/passkey-login-routes.ts';
import { Passkeys } from './passkeys/passkeys.ts';
import { BreachedPasswords } from './passwords/breached-passwords.ts';
import { type PasswordCost, PasswordHasher } from './passwords/password-hasher.ts';
import { purgeSignIns } from './purge-sign-ins.ts';
import { resetRoutes } from './reset/reset-routes.ts';
import { ResetService } from './reset/reset-service.ts';
import { SecondFactors } from './second-factors/second-factors.ts';
import { findUnreadableTotp } from './second-factors/stored-totp-secrets.ts';
import { AccountSessions } from './sessions/account-sessions.ts';
import { LoginThrottle } from './throttling/login-throttle.ts';
import { VerificationService } from './verification/verification-service.ts';

interface Uses {
  readonly ties: AccountTies;
  readonly passwordCost?: PasswordCost | undefined;
}

export type AccountsFeature = Awaited<ReturnType<typeof accountsFeature>>;

/** The accounts of people: passwords, sessions and the pages to sign in. */
export async function accountsFeature(shared: SharedParts, { ties, passwordCost }: Uses) {
  const unreadable = await findUnreadableTotp(shared);
  if (unreadable !== undefined) shared.logger.error(unreadable);
  const breached = await openBreachedPasswords(shared);
  const hasher = new PasswordHasher(passwordCost ? { cost: passwordCost } : {});
  const sessions = new AccountSessions(shared);
  const throttle = new LoginThrottle({ ...shared, key: shared.keys.logins });
  const service = new AccountService({ ...shared, hasher, rules: { breached }, sessions });
  const factors = new SecondFactors(shared);
  const logins = new LoginService({
    ...{ ...shared, hasher, throttle, sessions, secondFactors: factors },
    deviceKey: shared.keys.devices,
  });
  const verification = new VerificationService({ ...shared, ties });
  const resets = new ResetService({ ...shared, throttle, verification, accounts: service });
  const passkeys = new Passkeys(shared);
  const parts = { ...shared, ties, accounts: service, sessions, logins, factors, passkeys };
  return {
    ...{ sessions, service, logins, verification, throttle },
    pages: [
      ...loginRoutes({
        ...{ logins, sessions },
        alternatives: [passkeyAlternative(parts), signOnAlternative],
        needsCode: ({ accountId }) => factors.isRequired(shared.database.read, accountId),
        hasPassword: async ({ accountId }) => (await service.find(accountId))?.passwordHash != null,
      }),
      ...resetRoutes(resets),
      ...passkeyLoginRoutes(parts),
      ...passkeyAssets(),
      ...accountRoutes(parts),
    ],
    chores: { 'sign-ins': () => purgeSignIns(shared) },
    /** Waits for mails under way. */
    async close() {
      await resets.close();
      await verification.close();
      await breached?.close();
    },
  } satisfies Feature;
}

async function openBreachedPasswords({ config }: SharedParts): Promise<BreachedPasswords | undefined> {
  const { breachedPasswordsFile: file } = config.auth;
  return file ? BreachedPasswords.open(file) : undefined;
}
