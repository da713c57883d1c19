import { randomBytes } from 'node:crypto';
import { type Scope, WEBHOOK_LIMIT, type Webhook } from '@tps/contract';
import { createLogger, loadConfig, startService } from '@tps/server/service';
import { systemClock } from '@tps/server/store';
import { useFixture } from '@tps/testing/fixture';
import {
  createContractClient,
  startTestService,
  type TestAnswer,
  useTestService,
  WEBHOOK_ENV,
} from '@tps/testing/service';
import { createTestStore, dumpStore, holdsText } from '@tps/testing/store';
import { ManualClock } from '@tps/testing/time';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { TenantId } from '../../platform/tenant-id.ts';
import * as webhookStateStore from './webhook-state-store.ts';

/** No server listens there. */
const TARGET = 'http://127.0.0.1:9/sesame-in-path/in?token=sesame-open-thyself';
const SECRET = 'whsec_bm9ib2R5IG1heSBldmVyIHJlYWQgdGhpcyE=';
const clock = new ManualClock(Date.now());

const service = useTestService({ clock, env: WEBHOOK_ENV });
const tenant = useFixture(() => service.createTenant());
const answers: string[] = [];

async function send(
  method: string,
  path: string,
  { credential = tenant.credential, ...request }: { body?: object; credential?: string; key?: string } = {},
): Promise<TestAnswer> {
  const { body, key } = request;
  const answer = await service.client.send(method, path, {
    ...(credential === '' ? {} : { credential }),
    ...(body === undefined ? {} : { body }),
    headers: key === undefined ? {} : { 'idempotency-key': key },
  });
  answers.push(answer.text + JSON.stringify([...answer.headers]));
  return answer;
}

async function create(members: object = {}, credential = tenant.credential): Promise<Webhook> {
  // Webhooks of one millisecond have no order in the list.
  clock.advance(1);
  const body = { url: TARGET, secret: SECRET, ...members };
  const answer = await send('POST', '/webhooks', { body, credential });
  expect(answer.status, answer.text).toBe(201);
  return answer.body as Webhook;
}

const read = async (id: string) => (await send('GET', `/webhooks/${id}`)).body as Webhook;
const change = (id: string, body: object) => send('PATCH', `/webhooks/${id}`, { body });
const rotate = (id: string, body: object) => send('POST', `/webhooks/${id}/rotate-secret`, { body });

async function listIds(query = '', credential = tenant.credential): Promise<string[]> {
  const { body } = await send('GET', `/webhooks?limit=100${query}`, { credential });
  return (body as { data: Webhook[] }).data.map(({ webhook_id: id }) => id);
}

function expectRefusal(answer: TestAnswer, status: number, code: string): void {
  expect(answer.body).toMatchObject({ error: { status, code } });
  expect(answer.status).toBe(status);
}

describe('a webhook', () => {
  test('is registered active, and readable at its Location, without its secret', async () => {
    const body = { url: TARGET, secret: SECRET, severity_filter: ['high', 'critical'] };
    const answer = await send('POST', '/webhooks', { body });
    const made = answer.body as Webhook;
    expect(made).toEqual({
      webhook_id: expect.stringMatching(/^whk_[0-9a-z]{26}$/),
      tenant_id: tenant.tenantId,
      url: TARGET,
      severity_filter: ['high', 'critical'],
      auto_replay: true,
      status: 'active',
      disabled_reason: null,
      created_at: new Date(clock.now()).toISOString(),
      updated_at: new Date(clock.now()).toISOString(),
      previous_secret_until: null,
      circuit: 'closed',
      next_probe_at: null,
      last_delivery_status: null,
      last_delivery_error: null,
      last_delivery_at: null,
      last_delivery_attempts: null,
    });
    expect(answer.headers.get('location')).toBe(`/webhooks/${made.webhook_id}`);
    expect(await read(made.webhook_id)).toEqual(made);
    expect((await create()).severity_filter).toBeNull();
  });

  test.each([
    ['a secret that is too short', { secret: 'x'.repeat(15) }, 'invalid_field'],
    ['a secret that is too long', { secret: 'x'.repeat(257) }, 'invalid_field'],
    ['a secret with a space', { secret: 'sixteen or more characters' }, 'invalid_field'],
    ['a secret beyond ASCII', { secret: 'ä'.repeat(20) }, 'invalid_field'],
    ['no secret', { secret: undefined }, 'missing_field'],
    ['no URL', { url: undefined }, 'missing_field'],
    ['a URL that is too long', { url: `${TARGET}${'x'.repeat(2048)}` }, 'invalid_field'],
    ['an empty filter', { severity_filter: [] }, 'invalid_field'],
    ['a severity twice', { severity_filter: ['high', 'high'] }, 'invalid_field'],
    ['an unknown severity', { severity_filter: ['fatal'] }, 'invalid_field'],
    ['a given status', { status: 'disabled' }, 'invalid_field'],
    ['an address of the private network', { url: 'https://10.0.0.1/' }, 'webhook_url_rejected'],
    ['plain HTTP to others', { url: 'http://93.184.215.14/' }, 'webhook_url_rejected'],
    ['another protocol', { url: 'ftp://127.0.0.1/' }, 'webhook_url_rejected'],
    ['a password in the URL', { url: 'https://a:b@127.0.0.1/' }, 'webhook_url_rejected'],
    ['no URL at all', { url: 'nonsense' }, 'webhook_url_rejected'],
  ])('is rejected with %s', async (_what, members, code) => {
    const before = await listIds();
    const answer = await send('POST', '/webhooks', { body: { url: TARGET, secret: SECRET, ...members } });
    expectRefusal(answer, 400, code);
    expect(await listIds()).toEqual(before);
  });

  test('shows how its last delivery went, alone and in the list', async () => {
    const { webhook_id: webhookId, ...made } = await create();
    const state = { lastStatus: 'retrying', lastError: 'status 503', lastAtMs: 5, lastAttempts: 2 } as const;
    await service.service.database.transaction((tx) =>
      webhookStateStore.saveMany(tx, [
        { ...state, tenantId: tenant.tenantId, webhookId, failingSinceMs: 5 },
        { ...state, tenantId: 'tnt_other' as TenantId, webhookId, lastError: 'theirs', failingSinceMs: 5 },
      ]),
    );
    const shown = {
      ...made,
      webhook_id: webhookId,
      last_delivery_status: 'retrying',
      last_delivery_error: 'status 503',
      last_delivery_at: '1970-01-01T00:00:00.005Z',
      last_delivery_attempts: 2,
    };
    expect(await read(webhookId)).toEqual(shown);
    expect((await change(webhookId, { severity_filter: null })).body).toEqual(shown);
    const { body } = await send('GET', '/webhooks?limit=1');
    expect(body).toMatchObject({ data: [shown] });
  });

  test('is in the list of its tenant only, newest first, paged', async () => {
    const own = await service.createTenant();
    const ids: string[] = [];
    for (let count = 0; count < 5; count += 1) {
      ids.unshift((await create({}, own.credential)).webhook_id);
    }
    const walked: string[] = [];
    for (let cursor = ''; ; ) {
      const { body } = await send('GET', `/webhooks?limit=2${cursor}`, { credential: own.credential });
      const page = body as { data: Webhook[]; next_cursor: string | null };
      walked.push(...page.data.map(({ webhook_id: id }) => id));
      if (page.next_cursor === null) break;
      cursor = `&cursor=${page.next_cursor}`;
    }
    expect(walked).toEqual(ids);
    expect(await listIds()).not.toContain(ids[0]);
  });

  test('is one of at most a hundred, also when two are registered at once', async () => {
    const { credential } = await service.createTenant();
    for (let count = 1; count < WEBHOOK_LIMIT; count += 1) await create({}, credential);
    const body = { url: TARGET, secret: SECRET };
    const last = await Promise.all([1, 2, 3].map(() => send('POST', '/webhooks', { body, credential })));
    expect(last.map(({ status }) => status).sort()).toEqual([201, 422, 422]);
    const refused = last.find(({ status }) => status === 422);
    if (refused) expectRefusal(refused, 422, 'webhook_limit_reached');
    const [newest] = await listIds('', credential);
    await send('DELETE', `/webhooks/${newest}`, { credential });
    await create({}, credential);
  });
});

describe('a registration repeated with its Idempotency-Key', () => {
  test('gets the same response and is done once, also concurrently', async () => {
    const body = { url: TARGET, secret: SECRET };
    const before = (await listIds()).length;
    const both = await Promise.all([1, 2].map(() => send('POST', '/webhooks', { body, key: 'once' })));
    both.push(await send('POST', '/webhooks', { body, key: 'once' }));
    expect(both.map(({ status }) => status)).toEqual([201, 201, 201]);
    expect(new Set(both.map(({ text }) => text)).size).toBe(1);
    expect(new Set(both.map(({ headers }) => headers.get('location'))).size).toBe(1);
    expect(await listIds()).toHaveLength(before + 1);
  });

  test('with another secret is rejected', async () => {
    await send('POST', '/webhooks', { body: { url: TARGET, secret: SECRET }, key: 'other' });
    const body = { url: TARGET, secret: `${SECRET}x` };
    expectRefusal(await send('POST', '/webhooks', { body, key: 'other' }), 409, 'idempotency_conflict');
  });

  test('that was rejected can be fixed and sent again', async () => {
    const refused = { url: 'https://10.0.0.1/', secret: SECRET };
    expectRefusal(
      await send('POST', '/webhooks', { body: refused, key: 'fixed' }),
      400,
      'webhook_url_rejected',
    );
    const body = { url: TARGET, secret: SECRET };
    expect((await send('POST', '/webhooks', { body, key: 'fixed' })).status).toBe(201);
  });
});

describe('a change', () => {
  test('changes what it names and keeps the rest', async () => {
    const made = await create({ severity_filter: ['low'] });
    clock.advance(1000);
    const answer = await change(made.webhook_id, { url: 'http://localhost:9/other' });
    expect(answer.body).toEqual({
      ...made,
      url: 'http://localhost:9/other',
      updated_at: new Date(clock.now()).toISOString(),
    });
    const unfiltered = (await change(made.webhook_id, { severity_filter: null })).body;
    expect(unfiltered).toMatchObject({ severity_filter: null, url: 'http://localhost:9/other' });
    expect(await read(made.webhook_id)).toEqual(unfiltered);
  });

  test('disables with a reason and enables without one', async () => {
    const { webhook_id: id } = await create();
    const disabled = (await change(id, { status: 'disabled' })).body;
    expect(disabled).toMatchObject({ status: 'disabled', disabled_reason: 'requested' });
    const enabled = (await change(id, { status: 'active' })).body;
    expect(enabled).toMatchObject({ status: 'active', disabled_reason: null });
  });

  test('must name something to change, and an allowed target', async () => {
    const { webhook_id: id, ...made } = await create();
    expectRefusal(await change(id, {}), 400, 'invalid_field');
    expectRefusal(await change(id, { tenant_id: tenant.tenantId }), 400, 'invalid_field');
    expectRefusal(await change(id, { secret: 'x'.repeat(16) }), 400, 'invalid_field');
    expectRefusal(await change(id, { status: 'paused' }), 400, 'invalid_field');
    expectRefusal(await change(id, { url: 'https://192.168.0.1/' }), 400, 'webhook_url_rejected');
    expect(await read(id)).toEqual({ webhook_id: id, ...made });
  });
});

describe('a rotation', () => {
  test('shows until when the old secret signs, as long as it does', async () => {
    const { webhook_id: id } = await create();
    const answer = await rotate(id, { secret: 'another-secret-0123', overlap_s: 60 });
    expect(answer.status).toBe(200);
    const until = new Date(clock.now() + 60_000).toISOString();
    expect(answer.body).toMatchObject({ webhook_id: id, previous_secret_until: until });
    expect(await read(id)).toEqual(answer.body);
    clock.advance(60_000);
    expect((await read(id)).previous_secret_until).toBeNull();
  });

  test('without an overlap leaves no old secret', async () => {
    const { webhook_id: id } = await create();
    const { body } = await rotate(id, { secret: 'another-secret-0123', overlap_s: 0 });
    expect(body).toMatchObject({ previous_secret_until: null });
  });

  test.each([
    ['the present secret', { secret: SECRET }, 'invalid_field'],
    ['no secret', {}, 'missing_field'],
    ['a short secret', { secret: 'short' }, 'invalid_field'],
    ['a negative overlap', { secret: 'x'.repeat(16), overlap_s: -1 }, 'invalid_field'],
    ['an overlap beyond a week', { secret: 'x'.repeat(16), overlap_s: 604_801 }, 'invalid_field'],
  ])('to %s is rejected', async (_what, body, code) => {
    const made = await create();
    expectRefusal(await rotate(made.webhook_id, body), 400, code);
    expect(await read(made.webhook_id)).toEqual(made);
  });
});

test('DELETE removes the webhook with its deliveries; then it is not found', async () => {
  const { webhook_id: id } = await create();
  expect((await send('POST', `/webhooks/${id}/test`)).status).toBe(202);
  expect((await send('DELETE', `/webhooks/${id}`)).status).toBe(204);
  expectRefusal(await send('GET', `/webhooks/${id}`), 404, 'not_found');
  expectRefusal(await send('DELETE', `/webhooks/${id}`), 404, 'not_found');
  expect(await listIds()).not.toContain(id);
  const { db } = service.service.database.read;
  const left = db.selectFrom('deliveries').select('delivery_id').where('webhook_id', '=', id);
  expect(await left.execute()).toEqual([]);
});

const CALLS: [string, string, Scope, object?][] = [
  ['GET', '/webhooks', 'webhooks:read'],
  ['POST', '/webhooks', 'webhooks:write', { url: TARGET, secret: SECRET }],
  ['GET', '/webhooks/{id}', 'webhooks:read'],
  ['PATCH', '/webhooks/{id}', 'webhooks:write', { status: 'disabled' }],
  ['POST', '/webhooks/{id}/rotate-secret', 'webhooks:write', { secret: 'another-secret-0123' }],
  ['DELETE', '/webhooks/{id}', 'webhooks:write'],
];

describe.each(CALLS)('%s %s', (method, path, scope, body) => {
  const call = (id: string, more: object = {}, credential?: string) =>
    send(method, path.replace('{id}', id), {
      ...(credential === undefined ? {} : { credential }),
      ...(body === undefined ? {} : { body: { ...body, ...more } }),
    });

  test(`needs a credential with the scope ${scope}`, async () => {
    const made = await create();
    const other = scope === 'webhooks:read' ? 'webhooks:write' : 'webhooks:read';
    const weak = await service.createCredential(tenant.tenantId, [other]);
    expectRefusal(await call(made.webhook_id, {}, ''), 401, 'missing_credentials');
    expectRefusal(await call(made.webhook_id, {}, weak), 403, 'insufficient_scope');
    expect(await read(made.webhook_id)).toEqual(made);
    const enough = await service.createCredential(tenant.tenantId, [scope]);
    expect((await call(made.webhook_id, {}, enough)).status).toBeLessThan(300);
  });

  test.runIf(path.includes('{id}'))('of another tenant is not found', async () => {
    const made = await create();
    const { credential } = await service.createTenant();
    const theirs = await call(made.webhook_id, {}, credential);
    expectRefusal(theirs, 404, 'not_found');
    expect(theirs.text).toBe((await call('whk_nobody', {}, credential)).text);
    expect(await read(made.webhook_id)).toEqual(made);
  });

  test('asks an operator for the tenant', async () => {
    const { webhook_id: id } = await create();
    expectRefusal(await call(id, {}, service.operatorCredential), 400, 'tenant_required');
    const query = body === undefined ? `?tenant_id=${tenant.tenantId}` : '';
    const answer = await send(method, path.replace('{id}', id) + query, {
      credential: service.operatorCredential,
      ...(body === undefined ? {} : { body: { ...body, tenant_id: tenant.tenantId } }),
    });
    expect(answer.status, answer.text).toBeLessThan(300);
  });
});

describe('a secret', () => {
  const [first, second] = [randomBytes(24).toString('base64url'), randomBytes(24).toString('base64url')];

  test('is nowhere in responses, log or store; URL tokens are not in log or audit trail', async () => {
    answers.length = 0;
    const { webhook_id: id } = await create({ secret: first });
    await send('POST', '/webhooks', { body: { url: TARGET, secret: first }, key: 'secrecy' });
    await rotate(id, { secret: second });
    await rotate(id, { secret: second });
    await send('POST', '/webhooks', {
      body: { url: 'https://10.0.0.1/?sesame-open-thyself', secret: first },
    });
    await send('POST', '/webhooks', { body: { url: TARGET, secret: first, secrets: second } });
    await change(id, { status: 'disabled' });
    await listIds();
    await read(id);
    const dump = await dumpStore(service.store);
    expect(holdsText(dump, id)).toBe(true);
    expect(service.log()).toContain('"operation":"rotateWebhookSecret"');
    for (const secret of [first, second]) {
      // Not `toContain`, whose message would print the whole store.
      expect(holdsText(dump, secret)).toBe(false);
      expect(holdsText(service.log(), secret)).toBe(false);
      for (const answer of answers) expect(answer).not.toContain(secret);
    }
    expect(service.log()).not.toContain('sesame');
    const { db } = service.service.database.read;
    const entries = await db.selectFrom('audit_entries').select(['detail', 'fields']).execute();
    expect(JSON.stringify(entries)).toContain('http://127.0.0.1:9');
    expect(JSON.stringify(entries)).not.toContain('sesame');
  });

  test('that the service key does not open is named at the start, and its webhook is disabled', async () => {
    const otherKey = Buffer.alloc(32, 6).toString('base64');
    const store = await createTestStore();
    onTestFinished(store.drop);
    const before = await startTestService({ env: WEBHOOK_ENV, store });
    const made = await before.client.send('POST', '/webhooks', {
      credential: before.tenant.credential,
      body: { url: TARGET, secret: SECRET },
    });
    await before.stop();
    const { webhook_id: stored } = made.body as Webhook;
    for (const key of [otherKey, '']) {
      const env = { ...WEBHOOK_ENV, SERVICE_SECRET_KEY_B64: key, SERVICE_DATABASE_URL: store.url };
      const lines: string[] = [];
      const after = await startService({
        config: loadConfig({ ...env, SERVICE_BIND: '127.0.0.1:0', SERVICE_METRICS_BIND: 'off' }),
        logger: createLogger({ level: 'info', destination: { write: (line) => void lines.push(line) } }),
        clock: systemClock,
        outlet: { publish() {}, confirm() {}, withdraw() {} },
      });
      const found = await createContractClient(after.baseUrl).send('GET', `/webhooks/${stored}`, {
        credential: before.tenant.credential,
      });
      await after.stop();
      expect(found.body).toMatchObject({ status: 'disabled', disabled_reason: 'secret_lost' });
      expect(lines.join('')).toContain(`${stored} of ${before.tenant.tenantId}`);
    }
  });
});
