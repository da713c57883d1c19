import type { Database, InstallationKeys } from '../../database/index.ts';
import { accountRoutes } from '../../features/accounts/account-pages/account-routes.ts';
import { AccountService } from '../../features/accounts/account-service.ts';
import {
  AccountSessions,
  type AccountTies,
  BreachedPasswords,
  findUnreadableTotp,
  LoginThrottle,
  Passkeys,
  type PasswordCost,
  PasswordHasher,
  passkeyAlternative,
  passkeyAssets,
  SecondFactors,
} from '../../features/accounts/index.ts';
import { loginRoutes } from '../../features/accounts/login/login-routes.ts';
import { LoginService } from '../../features/accounts/login/login-service.ts';
import { passkeyLoginRoutes } from '../../features/accounts/passkeys/passkey-login-routes.ts';
import { resetRoutes } from '../../features/accounts/reset/reset-routes.ts';
import { ResetService } from '../../features/accounts/reset/reset-service.ts';
import { VerificationService } from '../../features/accounts/verification/verification-service.ts';
import { signOnAlternative } from '../../features/sign-on/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Config } from '../../platform/config/config.ts';
import type { SecretBox } from '../../platform/crypto/secret-box.ts';
import type { Logger } from '../../platform/logger.ts';
import type { Mailer } from '../../platform/mail/mailer.ts';
import type { WebRoute, WebSite } from '../../platform/web/web-route.ts';

interface AccountsParts {
  readonly config: Pick<Config, 'auth'>;
  readonly database: Database;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly keys: InstallationKeys;
  readonly secrets: SecretBox;
  readonly mailer: Mailer;
  readonly site: WebSite;
  readonly ties: AccountTies;
  readonly passwordCost?: PasswordCost | undefined;
}

/** What other parts use of the accounts of people. */
export interface Accounts {
  readonly sessions: AccountSessions;
  readonly service: AccountService;
  readonly secondFactors: SecondFactors;
  readonly logins: LoginService;
  readonly verification: VerificationService;
  readonly throttle: LoginThrottle;
  readonly pages: readonly WebRoute[];
  /** Waits for mails under way. */
  close(): Promise<void>;
}

/** Opens the accounts of people: passwords, sessions and the pages to sign in. */
export async function prepareAccounts(parts: AccountsParts): Promise<Accounts> {
  const { config, database, clock, logger, keys, secrets, mailer, site, ties, passwordCost } = parts;
  const { breachedPasswordsFile } = config.auth;
  const breached = breachedPasswordsFile && (await BreachedPasswords.open(breachedPasswordsFile));
  const hasher = new PasswordHasher(passwordCost ? { cost: passwordCost } : {});
  const sessions = new AccountSessions({ database, clock });
  const throttle = new LoginThrottle({ database, clock, key: keys.logins });
  const rules = { breached: breached || undefined };
  const service = new AccountService({ database, clock, hasher, rules, sessions });
  const unreadable = await findUnreadableTotp({ database, secrets });
  if (unreadable !== undefined) logger.error(unreadable);
  const secondFactors = new SecondFactors({ secrets, clock });
  const logins = new LoginService({
    ...{ database, clock, hasher, throttle, sessions, secondFactors },
    deviceKey: keys.devices,
  });
  const verification = new VerificationService({ clock, ties, mailer });
  const resets = new ResetService({
    ...{ database, clock, logger, throttle, mailer, verification },
    accounts: service,
  });
  const passkeys = new Passkeys({ database, clock, logger, site });
  const passkeyParts = { database, passkeys, logins, sessions };
  const pages = [
    ...loginRoutes({
      logins,
      sessions,
      alternatives: [passkeyAlternative(passkeyParts), signOnAlternative],
      needsCode: ({ accountId }) => secondFactors.isRequired(database.read, accountId),
      hasPassword: async ({ accountId }) => (await service.find(accountId))?.passwordHash != null,
    }),
    ...resetRoutes(resets),
    ...passkeyLoginRoutes(passkeyParts),
    ...passkeyAssets(),
    ...accountRoutes({
      ...{ database, clock, sessions, passkeys, ties },
      ...{ accounts: service, factors: secondFactors, logins },
    }),
  ];
  return {
    ...{ sessions, service, secondFactors, logins, verification, throttle, pages },
    async close() {
      await resets.close();
      await verification.close();
      if (breached) await breached.close();
    },
  };
}
