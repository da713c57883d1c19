import type { AccountsFeature } from '../accounts/accounts-feature.ts';
import type { Feature, SharedParts } from '../feature.ts';
import type { EndAccessOfMember } from '../members/index.ts';
import { OpenIdProviders } from './openid-provider.ts';
import { SignOnFlow } from './sign-on-flow.ts';
import { signOnPageRoutes } from './sign-on-page-routes.ts';
import { signOnRoutes } from './sign-on-routes.ts';
import { SignOnService } from './sign-on-service.ts';

interface Uses {
  readonly accounts: AccountsFeature;
  readonly endAccess: EndAccessOfMember;
}

/** Single sign-on: its settings and its pages. Providers are called under the rules for webhooks. */
export function signOnFeature(shared: SharedParts, { accounts, endAccess }: Uses): Feature {
  const { config, client, requests: database, site } = shared;
  const allowsInsecure = config.webhooks.allowInsecureTargets;
  const providers = new OpenIdProviders({ client, allowsInsecure });
  const signOn = new SignOnService({ ...shared, database, providers });
  const { sessions, service, logins, verification, throttle } = accounts;
  const flow = new SignOnFlow({
    ...{ ...shared, signOn, providers, sessions, logins, verification, throttle, endAccess },
    accounts: service,
  });
  return {
    routes: signOnRoutes({ database, signOn, site }),
    pages: signOnPageRoutes({ flow, sessions }),
  };
}
