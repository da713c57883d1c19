import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Provider } from 'oidc-provider';

/** A person who is signed in at the provider, with the claims about them. */
type ProviderPerson = { readonly sub: string } & Readonly<Record<string, unknown>>;

export interface IdentityProvider {
  readonly issuer: string;
  /** How often the provider asked a person to sign in. */
  readonly logins: number;
  /** The person who signs in when the provider asks next. */
  setPerson(person: ProviderPerson): void;
  close(): Promise<void>;
}

const CLIENT = { client_id: 'tps', client_secret: 'secret-of-the-test-provider' };

/** Starts an OpenID provider on loopback: a real one, whose people need not type anything. */
export async function startIdentityProvider(options: {
  readonly redirectUri: string;
  /** Whether ID tokens hold all claims. Otherwise, userinfo does. */
  readonly hasFullTokens: boolean;
}): Promise<IdentityProvider> {
  let person: ProviderPerson = { sub: 'no one' };
  let logins = 0;
  const people = new Map<string, ProviderPerson>();
  const server = createServer((request, response) => void handle(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const provider = new Provider(issuer, {
    clients: [{ ...CLIENT, redirect_uris: [options.redirectUri] }],
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name', 'groups'] },
    conformIdTokenClaims: !options.hasFullTokens,
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_ctx, { uid }) => `/interaction/${uid}` },
    findAccount: (_ctx, sub) => ({ accountId: sub, claims: () => people.get(sub) ?? { sub } }),
    ttl: { Interaction: 60, Session: 600, Grant: 600, AccessToken: 60, IdToken: 60, AuthorizationCode: 60 },
    cookies: { keys: ['cookies of the test provider'] },
  });
  const callback = provider.callback();

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (!request.url?.startsWith('/interaction/')) return void callback(request, response);
    const { prompt, params } = await provider.interactionDetails(request, response);
    if (prompt.name === 'login') {
      logins += 1;
      people.set(person.sub, person);
      const login = { accountId: person.sub, remember: true };
      return provider.interactionFinished(request, response, { login });
    }
    const grant = new provider.Grant({ accountId: person.sub, clientId: CLIENT.client_id });
    grant.addOIDCScope(String(params.scope));
    const consent = { grantId: await grant.save() };
    return provider.interactionFinished(request, response, { consent }, { mergeWithLastSubmission: true });
  }

  return {
    issuer,
    get logins() {
      return logins;
    },
    setPerson: (next) => {
      person = next;
      people.set(next.sub, next);
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
