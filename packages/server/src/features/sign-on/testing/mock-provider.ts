import { Events, type MutableResponse, type MutableToken, OAuth2Server } from 'oauth2-mock-server';

type Claims = Readonly<Record<string, unknown>>;

/** What a provider says about a person. */
export interface Statements {
  readonly idToken: Claims & { readonly sub: string };
  /** Without it, the endpoint returns the subject only. */
  readonly userinfo?: Claims;
}

/** An OpenID provider whose claims a test chooses. */
export interface MockProvider {
  readonly issuer: string;
  /** The scopes of the last request for a sign-in. */
  readonly scopes: string;
  /** Sets what it says from now on. */
  say(statements: Statements): void;
  /** Lets the userinfo endpoint fail once. */
  failUserinfo(statusCode: number): void;
  close(): Promise<void>;
}

/** Starts a provider on loopback that signs with a new key. */
export async function startMockServer(): Promise<OAuth2Server> {
  const server = new OAuth2Server();
  await server.issuer.keys.generate('RS256');
  await server.start(undefined, '127.0.0.1');
  return server;
}

export async function startMockProvider(): Promise<MockProvider> {
  const server = await startMockServer();
  let now: Statements = { idToken: { sub: 'no one' } };
  let scopes = '';
  server.service.on(Events.BeforeTokenSigning, ({ payload }: MutableToken) =>
    Object.assign(payload, { aud: 'tps', ...now.idToken }),
  );
  server.service.on(Events.BeforeUserinfo, (info: MutableResponse) => {
    info.body = { sub: now.idToken.sub, ...now.userinfo };
  });
  server.service.on(Events.BeforeAuthorizeRedirect, (_redirect: unknown, request: { url?: string }) => {
    scopes = new URL(request.url ?? '', 'http://localhost').searchParams.get('scope') ?? '';
  });
  return {
    issuer: server.issuer.url ?? '',
    get scopes() {
      return scopes;
    },
    say: (statements) => {
      now = statements;
    },
    failUserinfo: (statusCode) =>
      void server.service.once(Events.BeforeUserinfo, (info: MutableResponse) =>
        Object.assign(info, { statusCode }),
      ),
    close: () => server.stop(),
  };
}
