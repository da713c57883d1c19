import type { Database } from '../../../database/index.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { WebRoute } from '../../../platform/web/web-route.ts';
import type { AccountService } from '../account-service.ts';
import type { LoginService } from '../login/login-service.ts';
import type { Passkeys } from '../passkeys/passkeys.ts';
import type { SecondFactors } from '../second-factors/second-factors.ts';
import type { AccountSessions } from '../sessions/account-sessions.ts';
import { AccountDeletionService } from './account-deletion-service.ts';
import type { AccountTies } from './account-ties.ts';
import { deletionRoutes } from './deletion-routes.ts';
import { exportRoutes } from './export-routes.ts';
import { overviewRoutes } from './overview-routes.ts';
import { passkeyRoutes } from './passkey-routes.ts';
import { passwordRoutes } from './password-routes.ts';
import { secondFactorRoutes } from './second-factor-routes.ts';
import { sessionsRoutes } from './sessions-routes.ts';

/** The pages on which people manage their own account. */
export function accountRoutes(parts: {
  readonly database: Database;
  readonly clock: Clock;
  readonly sessions: AccountSessions;
  readonly accounts: AccountService;
  readonly logins: LoginService;
  readonly factors: SecondFactors;
  readonly passkeys: Passkeys;
  readonly ties: AccountTies;
}): WebRoute[] {
  const deletion = new AccountDeletionService(parts);
  return [
    ...overviewRoutes(parts),
    ...passwordRoutes(parts),
    ...secondFactorRoutes(parts),
    ...passkeyRoutes(parts),
    ...sessionsRoutes(parts),
    ...exportRoutes(parts),
    ...deletionRoutes({ ...parts, deletion }),
  ];
}
