import { createHash, randomBytes } from 'node:crypto';
import type { CreatedOAuthClient, NewOAuthClient } from '@tps/contract';
import { authorize, FormBrowser, type HtmlPage, signIn } from '@tps/testing/browser';
import {
  createPerson,
  type TestPerson,
  type TestService,
  type TestTenant,
  testFetch,
  useTestService,
  WEBHOOK_ENV,
} from '@tps/testing/service';

/** Where the browser of a test leaves the service. It stops there: the test reads the address. */
export const CALLBACK = 'https://client.example/callback';

/** A service with every optional part of the authorization server, and with keys that outlive the process. */
export function useOAuthService(env: Readonly<Record<string, string>> = {}): TestService {
  return useTestService({
    env: { ...WEBHOOK_ENV, SERVICE_AUTH_PAR: 'on', SERVICE_AUTH_DPOP: 'true', ...env },
  });
}

/** Returns the issuer, which is also the address of all endpoints. */
export function issuerOf({ baseUrl }: TestService): string {
  return `${baseUrl}/auth`;
}

/** Creates a client with the API. By default it may use a code, refresh and client credentials. */
export async function createClient(
  { client, tenant }: TestService,
  wanted: Partial<NewOAuthClient> & { credential?: string } = {},
): Promise<CreatedOAuthClient & { client_secret: string }> {
  const { credential = tenant.credential, ...members } = wanted;
  const { status, text, body } = await client.send('POST', '/oauth-clients', {
    credential,
    body: {
      name: 'Test client',
      redirect_uris: [CALLBACK],
      grant_types: ['authorization_code', 'refresh_token', 'client_credentials'],
      token_endpoint_auth_method: 'client_secret_basic',
      scopes: ['events:read', 'status:read'],
      ...members,
    },
  });
  if (status !== 201) throw new Error(text);
  return { client_secret: '', ...(body as CreatedOAuthClient) };
}

export const DEVICE_CODE = 'urn:ietf:params:oauth:grant-type:device_code';

/** Creates a client of a device that shows a code for the person to enter elsewhere. */
export function createCodeClient(service: TestService): Promise<CreatedOAuthClient> {
  return createClient(service, {
    token_endpoint_auth_method: 'none',
    grant_types: [DEVICE_CODE, 'refresh_token'],
    redirect_uris: [],
  });
}

/** Creates a member of a tenant and signs them in. */
export async function signInMember(
  service: TestService,
  { tenantId }: Pick<TestTenant, 'tenantId'> = service.tenant,
): Promise<{ person: TestPerson; browser: FormBrowser }> {
  const person = await createPerson(service, { tenantId, role: 'admin' });
  const browser = new FormBrowser(service.baseUrl);
  await signIn(browser, person);
  return { person, browser };
}

export interface Verifier {
  readonly verifier: string;
  readonly challenge: string;
}

/** Returns a PKCE verifier and its S256 challenge. */
export function createVerifier(): Verifier {
  const verifier = randomBytes(32).toString('base64url');
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') };
}

export type Parameters = Readonly<Record<string, string | undefined>>;

/** Leaves out what is undefined. */
export function toForm(parameters: Parameters): URLSearchParams {
  const given = Object.entries(parameters).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  );
  return new URLSearchParams(given);
}

/** Builds an authorization request. `undefined` leaves a usual parameter out. */
export function authorizationUrl(service: TestService, clientId: string, parameters: Parameters = {}): URL {
  const usual = { client_id: clientId, response_type: 'code', redirect_uri: CALLBACK, scope: 'openid' };
  return new URL(`${issuerOf(service)}/authorize?${toForm({ ...usual, ...parameters })}`);
}

/** Gets a code for a person who is signed in and allows what is asked. */
export async function getCode(
  service: TestService,
  { browser, clientId, parameters }: { browser: FormBrowser; clientId: string; parameters?: Parameters },
): Promise<string> {
  const url = await authorize(browser, authorizationUrl(service, clientId, parameters));
  const code = url.searchParams.get('code');
  if (code === null) throw new Error(`no code: ${url.search}`);
  return code;
}

export interface TokenAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly body: Readonly<Record<string, unknown>>;
}

/** A client that proves its identity. With `post`, its secret is in the form. */
export interface ClientProof {
  readonly client_id: string;
  readonly client_secret: string;
  readonly post?: boolean;
}

/** Sends a form to an endpoint, as a client with `client_secret_basic` or `client_secret_post` does. */
export async function sendForm(
  service: TestService,
  path: string,
  { as, ...parameters }: { as?: ClientProof } & Record<string, unknown>,
): Promise<TokenAnswer> {
  const headers: Record<string, string> = {};
  const form = toForm(parameters as Parameters);
  if (as?.post) {
    form.set('client_id', as.client_id);
    form.set('client_secret', as.client_secret);
  } else if (as) {
    headers.authorization = basic(as);
  }
  const response = await testFetch(`${issuerOf(service)}${path}`, { method: 'POST', headers, body: form });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.includes('json') ?? false;
  const body = (isJson && text !== '' ? JSON.parse(text) : {}) as Record<string, unknown>;
  return { status: response.status, headers: response.headers, text, body };
}

/** RFC 6749, section 2.3.1: both halves are encoded as a form is. */
export function basic({ client_id, client_secret }: ClientProof): string {
  const encode = (text: string) => encodeURIComponent(text).replaceAll('%20', '+');
  return `Basic ${Buffer.from(`${encode(client_id)}:${encode(client_secret)}`).toString('base64')}`;
}

/** The tokens of a person who allowed a client to act. */
export interface Tokens {
  readonly access_token: string;
  readonly refresh_token: string;
  readonly id_token: string;
  readonly scope: string;
}

/** Exchanges a code. @throws Error when it is refused */
export async function redeem(
  service: TestService,
  as: ClientProof,
  parameters: { code: string } & Parameters,
): Promise<Tokens> {
  const grant = { grant_type: 'authorization_code', redirect_uri: CALLBACK };
  const { status, text, body } = await sendForm(service, '/token', { as, ...grant, ...parameters });
  if (status !== 200) throw new Error(text);
  return body as unknown as Tokens;
}

/** Returns the status with which the API answers a token. */
export async function statusWith({ client }: TestService, token: string): Promise<number> {
  return (await client.send('GET', '/status', { credential: token })).status;
}

/** Describes an answer of the token endpoint in one line: `400 invalid_grant`. */
export function refusalOf({ status, body }: TokenAnswer): string {
  return `${status} ${String(body.error ?? 'no error')}`;
}

/** The page at which a person proves who they are: the form for an e-mail address and a password, or for a password alone. */
export function proofAskedBy(page: HtmlPage): 'login' | 'confirm' | undefined {
  if (page.forms.some(({ names }) => names.has('email') && names.has('password'))) return 'login';
  return page.forms.some(({ names }) => names.has('password')) ? 'confirm' : undefined;
}
