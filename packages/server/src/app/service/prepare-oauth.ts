import type { Database } from '../../database/index.ts';
import type { Holdings } from '../../features/holdings/index.ts';
import { ConsentService } from '../../features/oauth/consent/consent-service.ts';
import { endAccessOfConsent, noteProof, OauthServer } from '../../features/oauth/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Config } from '../../platform/config/config.ts';
import type { SecretBox } from '../../platform/crypto/secret-box.ts';
import type { Logger } from '../../platform/logger.ts';
import type { WebRoute } from '../../platform/web/web-route.ts';
import type { ProofParts } from '../http/access/proof-of-possession.ts';
import type { Accounts } from './prepare-accounts.ts';
import { consentPages } from './prepare-consent.ts';
import type { OwnSite } from './web-site.ts';

/** What other parts use of the authorization server. */
export interface Oauth {
  readonly server: OauthServer;
  readonly pages: readonly WebRoute[];
  /** What the API checks of tokens that are bound to a key. */
  readonly proofs: ProofParts;
}

/** Prepares the authorization server, which is created when it is first needed, and its pages. */
export function prepareOauth(parts: {
  config: Config;
  database: Database;
  clock: Clock;
  logger: Logger;
  secrets: SecretBox;
  site: OwnSite;
  accounts: Accounts;
  holdings: Holdings;
}): Oauth {
  const { config, database, clock, site, accounts, holdings } = parts;
  const consents = new ConsentService({
    database,
    clock,
    sessions: accounts.sessions,
    holdings,
    endAccess: async (tx, key) => {
      const tokenIds = await endAccessOfConsent(tx, key, clock.now());
      const { tenantId, accountId: ownerId, clientId } = key;
      const why = 'the person has withdrawn the access of the client that set it up';
      return holdings.end(tx, tenantId, { ownerId, clientId }, { signOn: 'end', why, tokenIds });
    },
  });
  const apiUrl = () => toResource(config.urls.baseUrl, site.url);
  const server = new OauthServer({
    ...parts,
    mountPath: site.mountPath,
    resource: apiUrl,
    sessions: accounts.sessions,
    consents,
  });
  return {
    server,
    pages: consentPages({ database, clock, accounts, consents, provider: server.provider }),
    proofs: { clock, apiUrl, isNewProof: (proof) => noteProof(database, proof, clock.now()) },
  };
}

/** The address of the API, with the port that the service has got: port 0 means any free port. */
function toResource(baseUrl: string, ownUrl: string): string {
  const api = new URL(baseUrl);
  if (api.port === '0') api.port = new URL(ownUrl).port;
  return api.href.replace(/\/$/, '');
}
