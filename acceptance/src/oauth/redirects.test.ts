import { request as openRequest } from 'node:http';
import { text } from 'node:stream/consumers';
import type { FormBrowser } from '@tps/testing/browser';
import { testFetch } from '@tps/testing/service';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  authorizationUrl,
  CALLBACK,
  createClient,
  createVerifier,
  getCode,
  issuerOf,
  refusalOf,
  sendForm,
  signInMember,
  useOAuthService,
} from './oauth-service.ts';

const service = useOAuthService();
const REGISTERED = 'https://client.example/path/callback';
let client: Awaited<ReturnType<typeof createClient>>;
let native: Awaited<ReturnType<typeof createClient>>;
let browser: FormBrowser;

beforeAll(async () => {
  client = await createClient(service, { redirect_uris: [REGISTERED] });
  native = await createClient(service, {
    token_endpoint_auth_method: 'none',
    grant_types: ['authorization_code'],
    redirect_uris: ['http://127.0.0.1/callback', 'com.example.app:/callback'],
  });
  ({ browser } = await signInMember(service));
});

test.each([
  'https://CLIENT.example/path/callback',
  'https://client.example/Path/callback',
  'HTTPS://client.example/path/callback',
  'https://client.example:443/path/callback',
  'https://client.example:8443/path/callback',
  'https://client.example/path/callback/',
  'https://client.example/path/callback?',
  'https://client.example/path/callback?x=1',
  'https://client.example/path/callback#',
  'https://client.example/path/callback#fragment',
  'https://client.example/path/../path/callback',
  'https://client.example/path/%63allback',
  'https://client.example/path/callback%00',
  'https://client.example/path/callback/../../evil',
  'https://client.example//path/callback',
  'https://client.example.evil.example/path/callback',
  'https://evil.example/path/callback',
  'https://evil.example\\@client.example/path/callback',
  'https://client.example@evil.example/path/callback',
  'https://user@client.example/path/callback',
  'http://client.example/path/callback',
  '//client.example/path/callback',
  '/path/callback',
  'javascript:alert(1)//https://client.example/path/callback',
  'data:text/html,<script>alert(1)</script>',
  'https://client.example/path/callback"><script>alert(1)</script>',
  'https://client.example/path/callback\r\nx-injected: 1',
  ' https://client.example/path/callback',
  'https://client.example/path/callback ',
  '',
])('a redirect to %j leads nowhere, and is not repeated as markup', async (redirect_uri) => {
  const page = await browser.open(authorizationUrl(service, client.client_id, { redirect_uri }));
  expect(page).toMatchObject({ status: 400, leftTo: undefined });
  expect(page.html).not.toContain('<script>');
  expect(page.headers.has('x-injected')).toBe(false);
  expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
});

test('the registered address gets the answer', async () => {
  const parameters = { redirect_uri: REGISTERED };
  const code = await getCode(service, { browser, clientId: client.client_id, parameters });
  expect(code).not.toBe('');
});

test.each([{ given: CALLBACK }, { given: `${REGISTERED}/` }, { given: undefined }])(
  'a code for the registered address cannot be redeemed for $given',
  async ({ given }) => {
    const parameters = { redirect_uri: REGISTERED };
    const code = await getCode(service, { browser, clientId: client.client_id, parameters });
    const form = { as: client, grant_type: 'authorization_code', code, redirect_uri: given };
    const answer = await sendForm(service, '/token', form);
    expect(refusalOf(answer)).toMatch(/^400 invalid_(?:grant|request)$/);
  },
);

describe('a native program', () => {
  const { challenge } = createVerifier();
  const open = (redirect_uri: string) => {
    const pkce = { code_challenge: challenge, code_challenge_method: 'S256' };
    return browser.open(authorizationUrl(service, native.client_id, { redirect_uri, ...pkce }));
  };

  test('may listen on any port of its loopback address (RFC 8252)', async () => {
    const page = await open('http://127.0.0.1:49152/callback');
    const { leftTo } = page.leftTo ? page : await browser.submit(page, {}, { button: 'Allow' });
    expect(leftTo?.origin).toBe('http://127.0.0.1:49152');
    expect(leftTo?.searchParams.has('code')).toBe(true);
  });

  test.each([
    'http://localhost:49152/callback',
    'http://127.0.0.2:49152/callback',
    'http://127.0.0.1.evil.example/callback',
    'http://127.0.0.1:49152@evil.example/callback',
    'http://0.0.0.0:49152/callback',
    'http://[::1]:49152/callback',
    'https://127.0.0.1:49152/callback',
    'http://127.0.0.1:49152/other',
    'com.example.app:/callback/other',
    'com.example.app.evil:/callback',
  ])('cannot be answered at %s', async (redirect_uri) => {
    expect(await open(redirect_uri)).toMatchObject({ status: 400, leftTo: undefined });
  });
});

test.each([
  { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https' },
  { forwarded: 'host=evil.example;proto=https' },
  { host: 'evil.example' },
])('the headers %o change neither the issuer nor an address', async (headers: Record<string, string>) => {
  const read = async (path: string) => {
    const outgoing = openRequest(`${service.baseUrl}${path}`, { headers: { ...headers }, agent: false });
    const answered = new Promise<import('node:http').IncomingMessage>((resolve) => {
      outgoing.on('response', resolve);
    });
    outgoing.end();
    const answer = await answered;
    return `${JSON.stringify(answer.headers)}${await text(answer)}`;
  };
  const metadata = await read('/auth/.well-known/openid-configuration');
  expect(metadata).toContain(`"issuer":"${issuerOf(service)}"`);
  const { pathname, search } = authorizationUrl(service, client.client_id, { redirect_uri: REGISTERED });
  for (const seen of [metadata, await read(`${pathname}${search}`), await read('/auth/login')]) {
    expect(seen).not.toContain('evil.example');
  }
});

test('a page of sign-in leads back only to pages of the service', async () => {
  for (const target of [
    '//evil.example',
    '/\\evil.example',
    'https://evil.example',
    '/auth/../../evil',
    '/auth//evil.example/%2e%2e',
  ]) {
    const answer = await testFetch(
      `${issuerOf(service)}/login?${new URLSearchParams({ return_to: target })}`,
      { redirect: 'manual', headers: { cookie: browser.cookies.header(new URL(issuerOf(service))) } },
    );
    const location = answer.headers.get('location') ?? `${issuerOf(service)}/none`;
    expect(new URL(location, service.baseUrl).origin, target).toBe(service.baseUrl);
  }
});
