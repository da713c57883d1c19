import type { AccountsFeature } from '../accounts/accounts-feature.ts';
import { accountStore, emailText } from '../accounts/index.ts';
import type { Feature, SharedParts } from '../feature.ts';
import type { Holdings } from '../holdings/index.ts';
import { oauthClientRoutes } from './clients/client-routes.ts';
import { OAuthClientService } from './clients/client-service.ts';
import { applicationRoutes } from './consent/application-routes.ts';
import { ConsentService } from './consent/consent-service.ts';
import { deviceRoutes } from './consent/device-routes.ts';
import { interactionRoutes } from './consent/interaction-routes.ts';
import { endAccessOfConsent } from './end-access.ts';
import { noteProof } from './provider/note-proof.ts';
import { OauthServer } from './provider/oauth-server.ts';
import { purgeOauth } from './provider/purge-oauth.ts';

interface Uses {
  readonly accounts: AccountsFeature;
  readonly holdings: Holdings;
}

/** OAuth clients, the authorization server, and the pages on which people decide what applications may do. */
export function oauthFeature(shared: SharedParts, { accounts, holdings }: Uses) {
  const { config, database, requests, clock, site } = shared;
  const { sessions } = accounts;
  const oauthClients = new OAuthClientService({ database, clock, endHoldings: holdings.end });
  const consents = new ConsentService({
    ...{ database, clock, sessions, holdings },
    endAccess: async (tx, key) => {
      const tokenIds = await endAccessOfConsent(tx, key, clock.now());
      const { tenantId, accountId: ownerId, clientId } = key;
      const why = 'the person has withdrawn the access of the client that set it up';
      return holdings.end(tx, tenantId, { ownerId, clientId }, { signOn: 'end', why, tokenIds });
    },
  });
  const apiUrl = () => toResource(config.urls.baseUrl, site.url);
  // It is created when it is first needed.
  const server = new OauthServer({
    ...{ ...shared, sessions, consents },
    mountPath: site.mountPath,
    resource: apiUrl,
  });
  const { provider } = server;
  const emailOf = async (accountId: string) => {
    const account = await accountStore.find(database.read, accountId);
    return account && emailText(account);
  };
  const parts = { ...shared, throttle: accounts.throttle, provider, sessions, consents, emailOf };
  // What the API checks of tokens that are bound to a key.
  const isNewProof = (proof: Parameters<typeof noteProof>[1]) => noteProof(database, proof, clock.now());
  return {
    ...{ server, proofs: { clock, apiUrl, isNewProof } },
    routes: oauthClientRoutes({ ...shared, database: requests, oauthClients }),
    pages: [...interactionRoutes(parts), ...deviceRoutes(parts), ...applicationRoutes(parts)],
    chores: { 'authorization server': (signal) => purgeOauth(database, { nowMs: clock.now(), signal }) },
  } satisfies Feature;
}

/** The address of the API, with the port that the service has got: port 0 means any free port. */
function toResource(baseUrl: string, ownUrl: string): string {
  const api = new URL(baseUrl);
  if (api.port === '0') api.port = new URL(ownUrl).port;
  return api.href.replace(/\/$/, '');
}
