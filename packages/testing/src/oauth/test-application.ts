import { hash, randomBytes } from 'node:crypto';
import type { Scope } from '@tps/contract';
import { testFetch } from '../service/test-fetch.ts';
import type { TestService } from '../service/test-service.ts';

interface WantedApplication {
  readonly name?: string;
  readonly scopes?: readonly Scope[];
  readonly redirectUri?: string;
  readonly grantTypes?: readonly string[];
  /** The credential of the tenant that it belongs to (default: the first tenant). */
  readonly credential?: string;
}

/** The response of the token endpoint, or of another endpoint of the authorization server. */
export interface OAuthAnswer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

/** An application of a tenant that people let act for them: a confidential client with a redirect address. */
export class TestApplication {
  readonly clientId: string;
  readonly secret: string;
  readonly redirectUri: string;
  readonly #authUrl: string;
  /** One for all requests of this application: what tests need is that the code is bound to it. */
  readonly #verifier = randomBytes(32).toString('base64url');

  constructor(authUrl: string, registered: { clientId: string; secret: string; redirectUri: string }) {
    this.clientId = registered.clientId;
    this.secret = registered.secret;
    this.redirectUri = registered.redirectUri;
    this.#authUrl = authUrl;
  }

  /** Registers it with the API. */
  static async register(
    { baseUrl, client, tenant }: Pick<TestService, 'baseUrl' | 'client' | 'tenant'>,
    {
      name = 'Example',
      scopes = ['devices:read', 'tokens:write'],
      redirectUri = 'https://app.example/callback',
      grantTypes = ['authorization_code', 'refresh_token'],
      credential = tenant.credential,
    }: WantedApplication = {},
  ): Promise<TestApplication> {
    const registration = { name, scopes, grant_types: grantTypes, redirect_uris: [redirectUri] };
    const { status, body } = await client.send('POST', '/oauth-clients', {
      credential,
      body: registration,
    });
    if (status !== 201) throw new Error(`the client was not registered: ${JSON.stringify(body)}`);
    const { client_id: clientId, client_secret: secret } = body as {
      client_id: string;
      client_secret: string;
    };
    return new TestApplication(`${baseUrl}/auth`, { clientId, secret, redirectUri });
  }

  /** Returns the address that the application sends a browser to. A parameter that is undefined is left out. */
  authorizationUrl(params: Readonly<Record<string, string | undefined>> = {}): URL {
    const all = {
      response_type: 'code',
      client_id: this.clientId,
      redirect_uri: this.redirectUri,
      scope: 'devices:read',
      state: 'the state',
      code_challenge: hash('sha256', this.#verifier, 'base64url'),
      code_challenge_method: 'S256',
      ...params,
    };
    const given = Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined);
    return new URL(`${this.#authUrl}/authorize?${new URLSearchParams(given)}`);
  }

  /** Exchanges the code of an answer for tokens. */
  exchange(answer: URL): Promise<OAuthAnswer> {
    return this.token({
      grant_type: 'authorization_code',
      code: answer.searchParams.get('code') ?? '',
      redirect_uri: this.redirectUri,
      code_verifier: this.#verifier,
    });
  }

  /** Sends a request to the token endpoint. */
  async token(form: Readonly<Record<string, string>>): Promise<OAuthAnswer> {
    const body = new URLSearchParams({ client_id: this.clientId, client_secret: this.secret, ...form });
    const response = await testFetch(`${this.#authUrl}/token`, { method: 'POST', body });
    return { status: response.status, body: (await response.json()) as OAuthAnswer['body'] };
  }
}
