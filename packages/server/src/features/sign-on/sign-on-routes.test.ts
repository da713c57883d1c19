import { SCOPES, type SignOn } from '@tps/contract';
import { useFixture } from '@tps/testing/fixture';
import { startDiscoveryStandIn } from '@tps/testing/network';
import { type ReceiverReply, startReceiver } from '@tps/testing/receiver';
import { listAudit, type TestAnswer, useTestService, WEBHOOK_ENV } from '@tps/testing/service';
import { dumpStore, holdsText } from '@tps/testing/store';
import { describe, expect, onTestFinished, test } from 'vitest';
import { Secret } from '../../platform/crypto/secret.ts';
import { SecretBox } from '../../platform/crypto/secret-box.ts';
import { findUnreadableSignOn, rewrapSignOnSecrets } from './stored-secrets.ts';

const SECRET = 'sesame-sesame-open-thyself';

const service = useTestService({ env: WEBHOOK_ENV });
const provider = useFixture(startDiscoveryStandIn, { close: (server) => server.close() });
const tenant = useFixture(() => service.createTenant(), { scope: 'test' });

const settings = (members: object = {}) => ({
  issuer: provider.issuer,
  client_id: 'tps',
  client_secret: SECRET,
  allowed_domains: ['example.com'],
  ...members,
});

function send(method: string, body?: object, credential = tenant.credential): Promise<TestAnswer> {
  return service.client.send(method, '/sign-on', { credential, ...(body === undefined ? {} : { body }) });
}

async function set(members: object = {}): Promise<SignOn> {
  const answer = await send('PUT', settings(members));
  expect(answer.status, answer.text).toBe(200);
  return answer.body as SignOn;
}

function expectRefusal(answer: TestAnswer, status: number, code: string): void {
  expect(answer.body).toMatchObject({ error: { status, code } });
}

/** A document of a provider that is wrong in some member. */
async function brokenProvider(reply: (issuer: string) => ReceiverReply): Promise<string> {
  const receiver = await startReceiver({ respond: ({ headers }) => reply(`http://${headers.host}`) });
  onTestFinished(receiver.close);
  return `http://127.0.0.1:${receiver.port}`;
}

const documentOf =
  (members: object) =>
  (issuer: string): ReceiverReply => ({
    status: 200,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/jwks`,
      ...members,
    }),
  });

describe('the settings of single sign-on', () => {
  test('are read as they were set, without the secret, until they are removed', async () => {
    expectRefusal(await send('GET'), 404, 'not_found');
    const made = await set({ role_claim: 'groups', role_map: [{ value: 'admins', role: 'admin' }] });
    expect(made).toEqual({
      tenant_id: tenant.tenantId,
      issuer: provider.issuer,
      client_id: 'tps',
      has_secret: true,
      allowed_domains: ['example.com'],
      trust_email: false,
      extra_scopes: [],
      role_claim: 'groups',
      role_map: [{ value: 'admins', role: 'admin' }],
      default_role: null,
      create_members: false,
      required: false,
      redirect_uri: `${service.baseUrl}/auth/sign-on/callback`,
      sign_on_url: `${service.baseUrl}/auth/sign-on/start?tenant=${tenant.tenantId}`,
      created_at: expect.any(String),
      updated_at: made.created_at,
    });
    expect((await send('GET')).body).toEqual(made);
    expect((await send('DELETE')).status).toBe(204);
    expectRefusal(await send('DELETE'), 404, 'not_found');
    expect(await listAudit(service, tenant.tenantId)).toEqual([
      'tenant.create success',
      'sign_on.create success',
      'sign_on.delete success',
    ]);
  });

  test('keep the secret for the same provider, and never for another one', async () => {
    await set();
    const { client_secret: _secret, ...others } = settings({ default_role: 'viewer' });
    expect((await send('PUT', others)).body).toMatchObject({ has_secret: true, default_role: 'viewer' });
    for (const change of [{ client_id: 'other' }, { issuer: await brokenProvider(documentOf({})) }]) {
      const answer = await send('PUT', { ...others, ...change });
      expectRefusal(answer, 400, 'invalid_field');
      expect(answer.text).toContain('client_secret is required');
    }
  });

  test('allow a client without a secret only where the provider returns iss', async () => {
    const issuer = await brokenProvider(documentOf({ authorization_response_iss_parameter_supported: true }));
    const { client_secret: _secret, ...others } = settings({ issuer });
    expect((await send('PUT', others)).body).toMatchObject({ has_secret: false });
  });

  test('hold the secret encrypted, and no log or answer shows it', async () => {
    await set();
    expect(holdsText(await dumpStore(service.store), SECRET)).toBe(false);
    expect(service.log()).not.toContain(SECRET);
  });

  test('are sealed again under a new master key, and unreadable secrets are reported', async () => {
    await set();
    const { database } = service.service;
    const [old, next] = [Buffer.alloc(32, 5), Buffer.alloc(32, 6)].map((key) => new Secret(key));
    const both = new SecretBox({ masterKey: next, previousKey: old });
    const later = new SecretBox({ masterKey: next });
    expect(await findUnreadableSignOn({ database, secrets: later })).toContain('cannot be read');
    expect((await rewrapSignOnSecrets({ database, secrets: later })).rewrapped).toBe(0);
    expect((await rewrapSignOnSecrets({ database, secrets: both })).unreadable).toBe(0);
    expect(await findUnreadableSignOn({ database, secrets: later })).toBeUndefined();
    // The running service has the old key only.
    expect((await send('GET')).body).toMatchObject({ has_secret: false });
    const { client_secret: _secret, ...others } = settings();
    expect((await send('PUT', others)).text).toContain('the stored one cannot be read');
    await set();
    expect((await rewrapSignOnSecrets({ database, secrets: both })).rewrapped).toBe(1);
    await set();
  });

  test('can be changed and removed only by a caller who could make someone an admin', async () => {
    await set();
    const scopes = SCOPES.filter((scope) => scope !== 'tokens:write');
    const weaker = await service.createCredential(tenant.tenantId, scopes);
    expectRefusal(await send('PUT', settings({ default_role: 'admin' }), weaker), 403, 'scope_escalation');
    expectRefusal(await send('DELETE', undefined, weaker), 403, 'scope_escalation');
    expect((await send('GET')).body).toMatchObject({ default_role: null });
    const denied = (await listAudit(service, tenant.tenantId)).filter((entry) => entry.includes('denied'));
    expect(denied).toEqual(['sign_on.denied denied', 'sign_on.denied denied']);
  });

  test("are not those of another tenant's provider", async () => {
    await set();
    const other = await service.createTenant();
    expectRefusal(await send('GET', undefined, other.credential), 404, 'not_found');
    expectRefusal(await send('DELETE', undefined, other.credential), 404, 'not_found');
    expect((await send('GET')).status).toBe(200);
  });
});

describe('a provider is refused', () => {
  test.each<[string, (issuer: string) => ReceiverReply, string]>([
    [
      'serves many organizations',
      documentOf({ issuer: 'https://login.microsoftonline.com/{tenantid}/v2.0' }),
      'issuer of your own organization',
    ],
    ['names another issuer', documentOf({ issuer: 'https://other.example' }), 'another issuer|not valid'],
    [
      'signs with a shared secret only',
      documentOf({ id_token_signing_alg_values_supported: ['HS256', 'none'] }),
      'asymmetric',
    ],
    [
      'has a page that is a script',
      documentOf({ authorization_endpoint: 'javascript:alert(1)' }),
      'authorization_endpoint',
    ],
    ['has no token endpoint', documentOf({ token_endpoint: undefined }), 'token_endpoint'],
    [
      'redirects to an internal address',
      () => ({ status: 302, headers: { location: 'http://169.254.169.254/' } }),
      'not valid',
    ],
    ['sends a document without end', () => ({ bodyBytes: 2 ** 30 }), 'does not respond'],
    ['sends no JSON', () => ({ status: 200, body: 'hello' }), 'not valid'],
    ['closes the connection', () => 'hang up', 'does not respond'],
  ])('that %s', async (_what, reply, reason) => {
    const answer = await send('PUT', settings({ issuer: await brokenProvider(reply) }));
    expectRefusal(answer, 400, 'invalid_field');
    expect(answer.text).toMatch(new RegExp(reason));
    expectRefusal(await send('GET'), 404, 'not_found');
  });

  test.each([
    ['a private address', 'https://10.0.0.1'],
    ['cloud metadata', 'http://169.254.169.254'],
    ['plain HTTP', 'http://login.example.com'],
    ['a user name', 'https://a:b@login.example.com'],
  ])('at %s', async (_what, issuer) => {
    const answer = await send('PUT', settings({ issuer }));
    expectRefusal(answer, 400, 'invalid_field');
    expect(answer.text).toContain('rejected');
  });

  test('at the address of a document instead of an issuer', async () => {
    const issuer = `${provider.issuer}/.well-known/openid-configuration`;
    expectRefusal(await send('PUT', settings({ issuer })), 400, 'invalid_field');
  });
});
