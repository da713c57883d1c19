import { FormBrowser, signIn } from '@tps/testing/browser';
import { createPerson, testFetch, useTestService, WEBHOOK_ENV } from '@tps/testing/service';
import { repetitions } from '@tps/testing/soak';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findPagePaths } from './page-paths.ts';

/** Requests of each kind to each page and endpoint. `FUZZ_RUNS=2000` runs longer; `FUZZ_SEED` repeats a failed run. */
const soakRuns = process.env.TEST_STORE !== 'postgres' ? 15 : 4;
const numRuns = Number(process.env.FUZZ_RUNS ?? repetitions({ short: 4, soak: soakRuns }));
const seed = process.env.FUZZ_SEED === undefined ? {} : { seed: Number(process.env.FUZZ_SEED) };

const service = useTestService({
  env: {
    ...WEBHOOK_ENV,
    SERVICE_AUTH_PAR: 'on',
    SERVICE_AUTH_DPOP: 'true',
    // Each request has its own address: the limits for an address would hide the pages behind them.
    SERVICE_RATE_LIMIT_TRUST_PROXY: 'true',
  },
});

/** Of the protocol: the authorization server has them, and no page. */
const ENDPOINTS = [
  '/authorize',
  '/authorize/:uid',
  '/token',
  '/revoke',
  '/introspect',
  '/userinfo',
  '/jwks',
  '/par',
  '/device/code',
  '/.well-known/openid-configuration',
  '/.well-known/oauth-authorization-server',
  '/unknown',
];
const pages = findPagePaths();

/** If a browser takes this for markup, an attacker's would run as well. */
const MARKUP = '"\'><x-probe onload=alert(1)>';
const NAMES = [
  ...[
    'email',
    'password',
    'code',
    'return_to',
    'login_hint',
    'token',
    'name',
    'user_code',
    'decision',
    'tenant',
  ],
  ...[
    'client_id',
    'response_type',
    'redirect_uri',
    'scope',
    'state',
    'nonce',
    'prompt',
    'max_age',
    'resource',
  ],
  ...['code_challenge', 'code_challenge_method', 'claims', 'id_token_hint', 'request', 'request_uri'],
  ...['grant_type', 'client_secret', 'code_verifier', 'refresh_token', 'device_code', 'client_assertion'],
  ...['client_assertion_type', 'token_type_hint', 'access_token', 'iss', 'error', 'session', 'credential'],
  ...['__proto__', 'constructor', ''],
];
const VALUES = [
  ...[MARKUP, '', '\0', '\r\nset-cookie: probe=1', '\ud800', '%', '%00', '../../etc/passwd', "' or 1=1 --"],
  ...[
    '//evil.example',
    'https://evil.example/',
    'javascript:alert(1)',
    '/auth/account',
    '-1',
    '1e400',
    'NaN',
  ],
  ...['tps-cli', 'code', 'token', 'S256', 'plain', 'openid', 'openid email', 'events:read', 'none', 'login'],
  ...['authorization_code', 'client_credentials', 'refresh_token', 'http://127.0.0.1:1/callback', 'allow'],
  ...['urn:ietf:params:oauth:grant-type:device_code', '{"userinfo":{"name":null}}', '{', '[]', 'null'],
  'x'.repeat(3000),
];

const value = fc.oneof(
  fc.constant(MARKUP),
  { weight: 3, arbitrary: fc.constantFrom(...VALUES) },
  fc.string({ unit: 'binary', maxLength: 40 }),
);
const fields = fc.array(fc.tuple(fc.constantFrom(...NAMES), value), { maxLength: 10 });
const hostileRequest = fc.record({
  query: fields,
  form: fields,
  /** For `:uid` in a path. */
  uid: fc.oneof(fc.constantFrom('x', '%2e%2e', '%00', '%ff', encodeURIComponent(MARKUP)), fc.uuid()),
  isSignedIn: fc.boolean(),
});

/** A browser, and the token of its forms: what is tested is behind it. */
interface TestBrowser {
  readonly browser: FormBrowser;
  readonly formToken: string;
}

let known: TestBrowser;
let unknown: TestBrowser;
let addresses = 0;

beforeAll(async () => {
  const person = await createPerson(service, { role: 'admin' });
  unknown = await openBrowser();
  known = await openBrowser();
  await signIn(known.browser, person);
});

afterAll(() => {
  expect(
    service
      .log()
      .split('\n')
      .filter((line) => line.includes('"level":"error"')),
  ).toEqual([]);
});

interface HostileRequest {
  readonly query: [string, string][];
  readonly form: [string, string][];
  readonly uid: string;
  readonly isSignedIn: boolean;
}

async function openBrowser(): Promise<TestBrowser> {
  const browser = new FormBrowser(service.baseUrl);
  const page = await browser.open('/auth/login');
  const field = page.forms.flatMap((form) => form.fields).find(([name]) => name === 'form_token');
  if (!field) throw new Error('the page has no form');
  return { browser, formToken: field[1] };
}

/** Sends a request with the cookies of a browser; what the answer sets is forgotten. */
async function send(
  { method, path }: { method: 'GET' | 'POST'; path: string },
  { query, form, uid, isSignedIn }: HostileRequest,
) {
  const { browser, formToken } = isSignedIn ? known : unknown;
  const search = new URLSearchParams(query);
  const url = new URL(`${service.baseUrl}/auth${path.replace(/:\w+/, uid)}?${search}`);
  const body = new URLSearchParams(form);
  addresses += 1;
  if (method === 'POST') body.set('form_token', formToken);
  const answer = await testFetch(url, {
    method,
    redirect: 'manual',
    headers: {
      cookie: browser.cookies.header(url),
      'x-forwarded-for': `10.${(addresses >> 16) & 255}.${(addresses >> 8) & 255}.${addresses & 255}`,
      ...(method === 'POST' ? { origin: service.baseUrl, 'sec-fetch-site': 'same-origin' } : {}),
    },
    ...(method === 'POST' ? { body } : {}),
  });
  return { status: answer.status, headers: answer.headers, text: await answer.text() };
}

/** What holds for every answer below the mount point. */
function check({ status, headers, text }: Awaited<ReturnType<typeof send>>): void {
  const seen = `${status} ${text.slice(0, 500)}`;
  expect(status, seen).toBeLessThan(500);
  expect(text, seen).not.toMatch(/\n\s+at .*:\d+:\d+|node_modules/);
  expect(text, seen).not.toContain('<x-probe');
  expect([...headers].flat().join('\n')).not.toContain('probe=1');
  const isPage = headers.get('content-type')?.startsWith('text/html') ?? false;
  if (isPage) {
    const policy = headers.get('content-security-policy') ?? '';
    for (const rule of ["default-src 'none'", "frame-ancestors 'none'", 'form-action', "base-uri 'none'"]) {
      expect(policy, seen).toContain(rule);
    }
    expect(policy, seen).not.toMatch(/unsafe|\*|evil\.example/);
    expect(headers.get('cache-control'), seen).toContain('no-store');
  }
  expect(headers.get('x-content-type-options'), seen).toBe('nosniff');
  const location = headers.get('location');
  if (location === null) return;
  const { hostname } = new URL(location, service.baseUrl);
  expect(hostname, location).toBe('127.0.0.1');
}

test('every page of the service is known to this test', () => {
  const paths = pages.map(({ method, path }) => `${method} ${path}`);
  expect(paths).toEqual(expect.arrayContaining(['GET /login', 'POST /login', 'POST /interaction/:uid']));
});

const targets = [
  ...pages,
  ...ENDPOINTS.flatMap((path) => [{ method: 'GET', path } as const, { method: 'POST', path } as const]),
];

describe.each(targets)('$method $path', (target) => {
  const maySignIn = target.path !== '/logout';

  test('repeats no markup of any parameter', async () => {
    const everywhere = NAMES.map((name): [string, string] => [name, MARKUP]);
    for (const isSignedIn of [false, maySignIn]) {
      check(await send(target, { query: everywhere, form: everywhere, uid: 'x', isSignedIn }));
    }
  });

  test('answers hostile requests without failing, and with its rules for browsers', async () => {
    const attempt = fc.asyncProperty(hostileRequest, async (request) => {
      check(await send(target, { ...request, isSignedIn: request.isSignedIn && maySignIn }));
    });
    await fc.assert(attempt, { numRuns, ...seed });
  });
});
