import type { Database } from '../../database/index.ts';
import type { RequestDatabase } from '../../features/authority/index.ts';
import { OpenIdProviders, SignOnFlow } from '../../features/sign-on/index.ts';
import { signOnPageRoutes } from '../../features/sign-on/sign-on-page-routes.ts';
import { signOnRoutes } from '../../features/sign-on/sign-on-routes.ts';
import { SignOnService } from '../../features/sign-on/sign-on-service.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Config } from '../../platform/config/config.ts';
import type { Route } from '../../platform/http/route.ts';
import type { Logger } from '../../platform/logger.ts';
import type { WebRoute, WebSite } from '../../platform/web/web-route.ts';
import type { Accounts } from './prepare-accounts.ts';
import type { Members } from './prepare-members.ts';
import type { WebhookDelivery } from './start-webhooks.ts';

interface SignOnParts {
  readonly config: Pick<Config, 'webhooks'>;
  readonly database: Database;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly requests: RequestDatabase;
  readonly accounts: Accounts;
  readonly members: Members;
  /** Providers are called under the rules for webhooks, and their secrets are sealed under the same key. */
  readonly push: Pick<WebhookDelivery, 'client' | 'secrets'>;
  readonly site: WebSite;
}

export interface SignOnPrepared {
  readonly routes: readonly Route[];
  readonly pages: readonly WebRoute[];
}

/** Connects single sign-on: its settings and its pages. */
export function prepareSignOn(parts: SignOnParts): SignOnPrepared {
  const { config, database, clock, logger, requests, accounts, push, site } = parts;
  const allowsInsecure = config.webhooks.allowInsecureTargets;
  const providers = new OpenIdProviders({ client: push.client, allowsInsecure });
  const { sessions } = accounts;
  const signOn = new SignOnService({ database: requests, clock, secrets: push.secrets, providers });
  const flow = new SignOnFlow({
    ...{ database, clock, logger, site, signOn, providers, sessions },
    accounts: accounts.service,
    logins: accounts.logins,
    verification: accounts.verification,
    throttle: accounts.throttle,
    endAccess: parts.members.endAccess,
  });
  return {
    routes: signOnRoutes({ database: requests, signOn, site }),
    pages: signOnPageRoutes({ flow, sessions }),
  };
}
