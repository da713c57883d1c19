import { FormBrowser, signIn } from '@tps/testing/browser';
import { useFixture } from '@tps/testing/fixture';
import { createPerson, testFetch } from '@tps/testing/service';
import { SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { basic, createClient, issuerOf, toForm, useOAuthService } from '../oauth/oauth-service.ts';
import { type DocumentedOperation, documentedOperations } from './openapi-document.ts';
import { callOperation } from './operation-requests.ts';
import { findPagePaths } from './page-paths.ts';
import { populateTenant } from './populated-tenant.ts';

/** PostgreSQL cannot compare or store this character. */
const NUL = 'a\0b';

const service = useOAuthService({ SERVICE_RATE_LIMIT_TRUST_PROXY: 'true' });
const subject = useFixture(() => populateTenant(service));

const hasParameter = (place: string) => (operation: DocumentedOperation) =>
  operation.parameters.some((one) => one.in === place);
const named = (operations: readonly DocumentedOperation[]) =>
  operations.map((operation) => ({ name: `${operation.method} ${operation.path}`, operation }));

afterAll(() => {
  const errors = service
    .log()
    .split('\n')
    .filter((line) => line.includes('"level":"error"'));
  expect(errors).toEqual([]);
});

test.runIf(process.env.TEST_STORE === 'postgres')('the store itself fails on U+0000', async () => {
  const { db } = service.service.database.read;
  const query = db.selectFrom('accounts').select('name').where('account_id', '=', NUL);
  await expect(query.execute()).rejects.toThrow('0x00');
});

describe.each(named(documentedOperations.filter(hasParameter('query'))))('$name', ({ operation }) => {
  test('refuses U+0000 in each query parameter', async () => {
    const { credential } = subject.tenant;
    for (const { name } of operation.parameters.filter((one) => one.in === 'query')) {
      const answer = await callOperation(service.client, operation, {
        ...{ subject, credential },
        query: { [name]: NUL },
      });
      const refused = name === 'tenant_id' ? [400, 403] : [400];
      expect(refused, `${name}: ${answer.text}`).toContain(answer.status);
    }
  });
});

describe.each(named(documentedOperations.filter(hasParameter('path'))))('$name', ({ operation }) => {
  test('answers an id with U+0000 like an unknown id', async () => {
    const { credential } = subject.tenant;
    const id = encodeURIComponent(NUL);
    const answer = await callOperation(service.client, operation, { subject, credential, id });
    expect(answer.status, answer.text).toBe(404);
  });
});

describe.each(findPagePaths())('$method $path', ({ method, path }) => {
  let known: FormBrowser;
  let unknown: FormBrowser;

  beforeAll(async () => {
    unknown = new FormBrowser(service.baseUrl);
    known = new FormBrowser(service.baseUrl);
    await signIn(known, await createPerson(service, { role: 'admin' }));
  });

  async function send(browser: FormBrowser, { name, search, uid = 'x' }: PageRequest) {
    const login = await browser.open('/auth/login');
    const fields = login.forms.flatMap((form) => form.fields);
    const token = fields.find(([field]) => field === 'form_token')?.[1] ?? '';
    const url = new URL(`${issuerOf(service)}${path.replace(/:\w+/, uid)}?${toForm(search ?? {})}`);
    const answer = await testFetch(url, {
      method,
      redirect: 'manual',
      headers: {
        cookie: browser.cookies.header(url),
        'x-forwarded-for': `10.1.${Math.floor(sent / 200)}.${sent++ % 200}`,
        ...(method === 'POST' ? { origin: service.baseUrl } : {}),
      },
      ...(method === 'POST' ? { body: toForm({ form_token: token, ...(name ? { [name]: NUL } : {}) }) } : {}),
    });
    return { status: answer.status, text: await answer.text() };
  }

  test('refuses U+0000 in the query, the path and the form', async () => {
    for (const browser of [known, unknown]) {
      const requests: PageRequest[] = [
        { search: { return_to: NUL } },
        ...(path.includes(':') ? [{ uid: encodeURIComponent(NUL) }] : []),
        ...(method === 'POST' ? [{ name: 'email' }, { name: 'any_field' }] : []),
      ];
      for (const request of requests) {
        const { status, text } = await send(browser, request);
        expect(status, `${JSON.stringify(request)}: ${text}`).toBe(400);
      }
    }
  });
});

interface PageRequest {
  /** The field of the form that has the character. */
  readonly name?: string;
  readonly search?: Readonly<Record<string, string>>;
  readonly uid?: string;
}

/** Each request has its own address, so that no limit hides what is behind it. */
let sent = 0;

const ENDPOINTS = ['/authorize', '/token', '/revoke', '/introspect', '/userinfo', '/par', '/device/code'];
const PARAMETERS = [
  ...['client_id', 'client_secret', 'client_assertion', 'grant_type', 'code', 'code_verifier', 'scope'],
  ...['refresh_token', 'device_code', 'token', 'redirect_uri', 'resource', 'state', 'nonce', 'login_hint'],
  ...['response_type', 'request_uri', 'request', 'prompt', 'claims', 'id_token_hint', 'access_token'],
];

describe.each(ENDPOINTS)('the endpoint %s', (path) => {
  test('never fails on U+0000 in a parameter or credential', async () => {
    const client = await createClient(service);
    const ids = { ...client, client_id: NUL };
    const assertion = await new SignJWT({ iss: NUL, sub: NUL, jti: NUL, aud: issuerOf(service) })
      .setProtectedHeader({ alg: 'HS256' })
      .sign(new TextEncoder().encode('x'.repeat(32)));
    const asserted = {
      client_assertion: assertion,
      client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
    };
    const requests: [Record<string, string>, Record<string, string>][] = [
      ...PARAMETERS.map((name): [Record<string, string>, Record<string, string>] => [
        { authorization: basic(client) },
        { grant_type: 'client_credentials', [name]: NUL },
      ]),
      [{}, { grant_type: 'client_credentials', client_id: NUL, client_secret: 'x', response_type: 'code' }],
      [{}, { grant_type: 'client_credentials', ...asserted }],
      [{}, { grant_type: 'client_credentials', client_id: client.client_id, ...asserted }],
      [{ authorization: basic(ids) }, { grant_type: 'client_credentials' }],
      [{ authorization: basic({ ...client, client_secret: NUL }) }, { grant_type: 'client_credentials' }],
      [{ authorization: `Basic ${btoa(`${NUL}:${NUL}`)}` }, { grant_type: 'client_credentials' }],
      [{ authorization: `Bearer ${btoa(NUL)}` }, {}],
    ];
    for (const [headers, parameters] of requests) {
      for (const method of ['GET', 'POST']) {
        const form = toForm(parameters);
        const url = `${issuerOf(service)}${path}${method === 'GET' ? `?${form}` : ''}`;
        const from = { 'x-forwarded-for': `10.2.${Math.floor(sent / 200)}.${sent++ % 200}` };
        const body = method === 'POST' ? { body: form } : {};
        const answer = await testFetch(url, {
          ...{ method, redirect: 'manual', ...body },
          headers: { ...headers, ...from },
        });
        const text = await answer.text();
        expect(answer.status, `${JSON.stringify(parameters)}: ${text}`).toBeLessThan(500);
      }
    }
  });
});
