import type Provider from 'oidc-provider';
import type { Database } from '../../database/index.ts';
import { accountStore, emailText } from '../../features/accounts/index.ts';
import { applicationRoutes } from '../../features/oauth/consent/application-routes.ts';
import type { ConsentService } from '../../features/oauth/consent/consent-service.ts';
import { deviceRoutes } from '../../features/oauth/consent/device-routes.ts';
import { interactionRoutes } from '../../features/oauth/consent/interaction-routes.ts';
import type { Clock } from '../../platform/clock.ts';
import type { WebRoute } from '../../platform/web/web-route.ts';
import type { Accounts } from './prepare-accounts.ts';

/** Connects the pages on which people decide what applications may do. */
export function consentPages({
  database,
  clock,
  accounts,
  consents,
  provider,
}: {
  readonly database: Database;
  readonly clock: Clock;
  readonly accounts: Accounts;
  readonly consents: ConsentService;
  readonly provider: () => Promise<Provider>;
}): WebRoute[] {
  const { sessions, throttle } = accounts;
  const emailOf = async (accountId: string) => {
    const account = await accountStore.find(database.read, accountId);
    return account && emailText(account);
  };
  const parts = { database, clock, throttle, provider, sessions, consents, emailOf };
  return [...interactionRoutes(parts), ...deviceRoutes(parts), ...applicationRoutes(parts)];
}
