import type { RequestDatabase } from '../../features/authority/index.ts';
import { OpenIdProviders } from '../../features/sign-on/index.ts';
import { signOnRoutes } from '../../features/sign-on/sign-on-routes.ts';
import { SignOnService } from '../../features/sign-on/sign-on-service.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Config } from '../../platform/config/config.ts';
import type { Route } from '../../platform/http/route.ts';
import type { WebSite } from '../../platform/web/web-route.ts';
import type { Accounts } from './prepare-accounts.ts';
import type { WebhookDelivery } from './start-webhooks.ts';

interface SignOnParts {
  readonly config: Pick<Config, 'webhooks'>;
  readonly clock: Clock;
  readonly requests: RequestDatabase;
  readonly accounts: Accounts;
  /** Providers are called under the rules for webhooks, and their secrets are sealed under the same key. */
  readonly push: Pick<WebhookDelivery, 'client' | 'secrets'>;
  readonly site: WebSite;
}

/** Connects single sign-on: its settings. */
export function prepareSignOn(parts: SignOnParts): { routes: Route[] } {
  const { config, clock, requests, accounts, push, site } = parts;
  const allowsInsecure = config.webhooks.allowInsecureTargets;
  const providers = new OpenIdProviders({ client: push.client, allowsInsecure });
  const { sessions } = accounts;
  const signOn = new SignOnService({ database: requests, clock, secrets: push.secrets, providers, sessions });
  return { routes: signOnRoutes({ database: requests, signOn, site }) };
}
