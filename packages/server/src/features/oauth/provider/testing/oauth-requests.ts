import type { TestService } from '@tps/testing/service';
import { purgeOauth } from '../purge-oauth.ts';

/** A client of the test tenant, with its secret. */
export interface OauthTestClient {
  readonly tenantId: string;
  readonly clientId: string;
  readonly secret: string;
  readonly authMethod: string;
}

type ServiceUnderTest = Pick<TestService, 'baseUrl' | 'tenant'>;

/** Creates a client with the API. */
export async function createClient(
  { baseUrl, tenant }: ServiceUnderTest,
  settings: Readonly<Record<string, unknown>>,
): Promise<OauthTestClient> {
  const response = await fetch(`${baseUrl}/oauth-clients`, {
    method: 'POST',
    headers: { authorization: `Bearer ${tenant.credential}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'Test client', grant_types: ['client_credentials'], ...settings }),
  });
  const body = (await response.json()) as Record<string, string>;
  if (response.status !== 201) throw new Error(`the client was not created: ${JSON.stringify(body)}`);
  const { client_id: clientId = '', client_secret: secret = '', token_endpoint_auth_method = '' } = body;
  return { tenantId: tenant.tenantId, clientId, secret, authMethod: token_endpoint_auth_method };
}

export interface TokenAnswer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

/** Sends a form to the token endpoint, or to another one where clients authenticate. */
export async function tokenRequest(
  { baseUrl }: Pick<ServiceUnderTest, 'baseUrl'>,
  { clientId, secret, authMethod }: OauthTestClient,
  fields: Readonly<Record<string, string>>,
  {
    endpoint = '/token',
    headers = {},
  }: { endpoint?: string; headers?: Readonly<Record<string, string>> } = {},
): Promise<TokenAnswer> {
  const form = new URLSearchParams(fields);
  const isBasic = authMethod === 'client_secret_basic';
  if (!isBasic) form.set('client_id', clientId);
  if (authMethod === 'client_secret_post') form.set('client_secret', secret);
  const response = await fetch(`${baseUrl}/auth${endpoint}`, {
    method: 'POST',
    headers: {
      ...(isBasic ? { authorization: `Basic ${btoa(`${clientId}:${encodeURIComponent(secret)}`)}` } : {}),
      ...headers,
    },
    body: form,
  });
  const text = await response.text();
  return { status: response.status, body: text === '' ? {} : (JSON.parse(text) as TokenAnswer['body']) };
}

/** The status of a request to the API with a token. */
export async function statusOf(
  { baseUrl }: Pick<ServiceUnderTest, 'baseUrl'>,
  token: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<number> {
  const response = await fetch(`${baseUrl}/status`, {
    headers: { authorization: `Bearer ${token}`, ...headers },
  });
  await response.arrayBuffer();
  return response.status;
}

/** Deletes what has expired, as a node whose clock is so far ahead. */
export async function purgeAhead({ service }: Pick<TestService, 'service'>, ms: number): Promise<void> {
  await purgeOauth(service.database, { nowMs: Date.now() + ms, signal: new AbortController().signal });
}
