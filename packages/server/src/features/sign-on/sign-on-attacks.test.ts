import { createHmac, generateKeyPairSync, sign } from 'node:crypto';
import { FormBrowser } from '@tps/testing/browser';
import { useFixture } from '@tps/testing/fixture';
import { useTestService, WEBHOOK_ENV } from '@tps/testing/service';
import { Events, type MutableResponse, type MutableToken } from 'oauth2-mock-server';
import { beforeEach, describe, expect, test } from 'vitest';
import { startMockServer } from './testing/mock-provider.ts';
import {
  auditOf,
  comeBack,
  newVisitor,
  sessionsOf,
  setProvider,
  signOn,
  visitProvider,
} from './testing/sign-on-scene.ts';

const SECRET = 'secret-of-the-test-provider';

const service = useTestService({ env: WEBHOOK_ENV });
const provider = useFixture(startMockServer, { close: (server) => server.stop() });
const tenant = useFixture(() => service.createTenant(), { scope: 'test' });

/** What the provider says about the person, until a test changes it. */
let claims: Record<string, unknown>;

beforeEach(async () => {
  provider.service.removeAllListeners();
  const email = `johndoe-${tenant.tenantId.slice(4)}@example.com`;
  claims = { sub: tenant.tenantId, aud: 'tps', email, email_verified: true };
  provider.service.on(Events.BeforeTokenSigning, ({ payload }: MutableToken) =>
    Object.assign(payload, claims),
  );
  const issuer = provider.issuer.url ?? '';
  await setProvider(service, tenant, { issuer, create_members: true, default_role: 'viewer' });
});

/** Changes what the provider says. */
const claim = (change: object) => void Object.assign(claims, change);

const visitor = () => newVisitor(service, provider.issuer.url ?? '');
const where = () => ({ tenantId: tenant.tenantId });
const sessions = () => sessionsOf(service, String(claims.email));

/** Replaces the ID token in the provider's response. */
function forge(change: (idToken: string) => string | undefined): void {
  provider.service.on(Events.BeforeResponse, ({ body }: MutableResponse) => {
    if (body !== '') body.id_token = change(String(body.id_token));
  });
}

const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
const decode = (part = '') =>
  JSON.parse(Buffer.from(part, 'base64url').toString()) as Record<string, unknown>;

/** Signs the content of a token again, in another way. */
function resigned(idToken: string, header: object, signature: (input: string) => Buffer | ''): string {
  const [head, payload] = idToken.split('.');
  const input = `${encode({ ...decode(head), ...header })}.${payload}`;
  const bytes = signature(input);
  return `${input}.${bytes === '' ? '' : bytes.toString('base64url')}`;
}

test('the person of an honest provider is signed in', async () => {
  await signOn(visitor(), where());
  expect(await sessions()).toMatchObject([{ methods: '["sso"]', authenticated_at: 0 }]);
});

describe('a response is refused', () => {
  const nowS = () => Math.floor(Date.now() / 1000);

  beforeEach(() => {
    // What a provider announces must not decide alone.
    const all = { id_token_signing_alg_values_supported: ['RS256', 'HS256', 'none'] };
    provider.service.on(Events.BeforeWellKnownOpenIdConfiguration, ({ body }: MutableResponse) =>
      Object.assign(body, all),
    );
  });

  test.each<[string, () => void]>([
    ['for another client', () => claim({ aud: 'other' })],
    ['for several clients, of which another one asked', () => claim({ aud: ['tps', 'other'], azp: 'other' })],
    ['of another issuer', () => claim({ iss: 'https://evil.example' })],
    ['with another nonce', () => claim({ nonce: 'replayed' })],
    ['that has expired', () => claim({ exp: nowS() - 120 })],
    ['without a subject', () => claim({ sub: undefined })],
    ['about another person at the userinfo endpoint', () => claim({ email_verified: undefined })],
    ['without an ID token', () => forge(() => undefined)],
    ['without a signature', () => forge((token) => resigned(token, { alg: 'none' }, () => ''))],
    [
      'signed with the client secret',
      () =>
        forge((token) =>
          resigned(token, { alg: 'HS256' }, (input) => createHmac('sha256', SECRET).update(input).digest()),
        ),
    ],
    [
      'signed with a key that the provider does not publish',
      () => {
        const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
        forge((token) => resigned(token, {}, (input) => sign('sha256', Buffer.from(input), privateKey)));
      },
    ],
    [
      'changed after it was signed',
      () =>
        forge((token) => {
          const [head, payload, signature] = token.split('.');
          return [head, encode({ ...decode(payload), email: 'boss@example.com' }), signature].join('.');
        }),
    ],
    [
      'that names another issuer in its address (RFC 9207)',
      () =>
        void provider.service.on(Events.BeforeAuthorizeRedirect, ({ url }: { url: URL }) =>
          url.searchParams.set('iss', 'https://evil.example'),
        ),
    ],
    [
      'that is an error',
      () =>
        void provider.service.on(Events.BeforeAuthorizeRedirect, ({ url }: { url: URL }) => {
          url.searchParams.delete('code');
          url.searchParams.set('error', 'access_denied');
          url.searchParams.set('error_description', '<script>alert(1)</script>');
        }),
    ],
  ])('%s', async (_what, tamper) => {
    tamper();
    const page = await signOn(visitor(), where());
    expect([page.status, page.text]).toEqual([502, expect.stringContaining('could not confirm')]);
    expect(page.html).not.toContain('<script>');
    expect([await sessions(), await sessionsOf(service, 'boss@example.com')]).toEqual([[], []]);
    expect((await auditOf(service, tenant.tenantId)).at(-1)).toBe('sign_on.refused');
  });

  test('without a verified address', async () => {
    claim({ email_verified: false });
    expect((await signOn(visitor(), where())).text).toContain('has not verified');
    expect(await sessions()).toEqual([]);
  });

  test('whose address is verified at the userinfo endpoint, but as another one', async () => {
    claim({ email_verified: undefined });
    provider.service.on(Events.BeforeUserinfo, (info: MutableResponse) => {
      info.body = { sub: claims.sub, email: 'other@example.com', email_verified: true };
    });
    await signOn(visitor(), where());
    expect([(await sessions()).length, (await sessionsOf(service, 'other@example.com')).length]).toEqual([
      0, 1,
    ]);
  });

  test.each([
    ['a subject with NUL', { sub: 'a\u0000b' }, 502],
    ['a subject with half of a surrogate pair', { sub: 'a\ud800' }, 502],
    ['a name with half of a surrogate pair', { name: 'a\ud800' }, 200],
  ])('with %s, without a fault of the service', async (_what, change, status) => {
    claim(change);
    expect((await signOn(visitor(), where())).status).toBe(status);
  });

  test('whose time of authentication has a fraction', async () => {
    claim({ auth_time: Date.now() / 1000 - 5.123 });
    await signOn(visitor(), where());
    expect(await sessions()).toHaveLength(1);
  });

  test('with an entry in the audit trail that a stranger cannot suppress', async () => {
    const browser = new FormBrowser(service.baseUrl);
    for (let attempt = 0; attempt < 5; attempt += 1) {
      const form = { email: `${tenant.tenantId} email_not_verified`, password: 'not a password at all' };
      await browser.submit(await browser.open('/auth/login'), form);
      const named = { ...form, email: `sign-on ${form.email}` };
      await browser.submit(await browser.open('/auth/login'), named);
    }
    claim({ email_verified: false });
    await signOn(visitor(), where());
    expect((await auditOf(service, tenant.tenantId)).at(-1)).toBe('sign_on.refused');
  });

  test('a few times an hour with an entry in the audit trail', async () => {
    forge(() => undefined);
    for (let count = 0; count < 6; count += 1) await signOn(visitor(), where());
    const entries = (await auditOf(service, tenant.tenantId)).filter((one) => one === 'sign_on.refused');
    expect(entries.length).toBeLessThan(5);
  });

  test('in another browser than the one that began', async () => {
    const [victim, attacker] = [visitor(), visitor()];
    await victim.here.open('/auth/login');
    const callback = await visitProvider(attacker, where());
    const page = await comeBack(victim, callback);
    expect([page.status, page.text]).toEqual([403, expect.stringContaining('another browser')]);
    // It is used up: nor can the attacker complete it now.
    expect((await comeBack(attacker, callback)).status).toBe(403);
    expect(await sessions()).toEqual([]);
  });

  test('with a state that this service did not make, or without one', async () => {
    const who = visitor();
    const callback = await visitProvider(who, where());
    for (const state of ['', 'made-up', 'x'.repeat(5000)]) {
      const forged = new URL(callback);
      forged.searchParams.set('state', state);
      expect((await comeBack(who, forged)).status).toBe(403);
    }
  });

  test('of one sign-on in the place of another one', async () => {
    const who = visitor();
    const first = await visitProvider(who, where());
    const second = await visitProvider(who, where());
    const mixed = new URL(second);
    mixed.searchParams.set('code', first.searchParams.get('code') ?? '');
    // The mock checks the code verifier as a provider does, and its nonce is that of the first.
    expect((await comeBack(who, mixed)).status).toBe(502);
    expect(await sessions()).toEqual([]);
  });
});

test('of several deliveries of one response, one signs the person in', async () => {
  const who = visitor();
  const callback = await visitProvider(who, where());
  const pages = await Promise.all(Array.from({ length: 8 }, () => comeBack(who, callback)));
  expect(pages.filter(({ status }) => status === 403)).toHaveLength(7);
  expect(await sessions()).toHaveLength(1);
});

test('the first two sign-ons of a person at the same time make one account', async () => {
  const visitors = Array.from({ length: 4 }, visitor);
  const callbacks: URL[] = [];
  for (const who of visitors) callbacks.push(await visitProvider(who, where()));
  await Promise.all(visitors.map((who, at) => comeBack(who, callbacks[at] as URL)));
  const all = await sessions();
  expect([all.length, new Set(all.map(({ account_id: id }) => id)).size]).toEqual([4, 1]);
});

test('a page of another site cannot begin a sign-on, nor choose where it ends', async () => {
  const { here } = visitor();
  const start = await here.open(`/auth/sign-on/start?tenant=${tenant.tenantId}&return_to=//evil.example`);
  const token = start.forms[0]?.fields.find(([name]) => name === 'form_token')?.[1] ?? '';
  const fields = { tenant: tenant.tenantId, return_to: 'https://evil.example/', form_token: token };
  expect((await here.post('/auth/sign-on/start', { ...fields, form_token: 'x' })).status).toBe(403);
  const foreign = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' };
  expect((await here.post('/auth/sign-on/start', fields, foreign)).status).toBe(403);
  const who = visitor();
  const page = await signOn(who, { ...where(), returnTo: 'https://evil.example/' });
  expect([page.leftTo, page.url.pathname]).toEqual([undefined, '/console']);
});

test('the code, the state and the secrets of a sign-on are in no log and not in the store', async () => {
  const who = visitor();
  const callback = await visitProvider(who, where());
  const rows = await service.service.database.read.db.selectFrom('account_challenges').selectAll().execute();
  const [code, state] = ['code', 'state'].map((name) => callback.searchParams.get(name) ?? '');
  const browserId = who.here.cookies.get('tps-browser') ?? '';
  await comeBack(who, callback);
  for (const secret of [code, state, browserId, SECRET]) {
    expect(secret).toMatch(/.{8}/);
    expect(service.log()).not.toContain(secret);
    expect(JSON.stringify(rows)).not.toContain(secret);
  }
});
