import { SCOPES, type TenantSettings } from '@tps/contract';
import {
  createPerson,
  listAudit,
  startTestService,
  type TestAnswer,
  type TestService,
  type TestTenant,
} from '@tps/testing/service';
import { ManualClock } from '@tps/testing/time';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { SERVICE } from '../audit/index.ts';
import { purge } from '../maintenance/index.ts';
import { TenantDeletion } from '../tenants/index.ts';

const DAY_MS = 86_400_000;
/** What is requested within 7 days begins early enough to be complete by then. */
const DUE_MS = 7 * DAY_MS - 2 * 3_600_000;
const clock = new ManualClock(Date.now());
let service: TestService;

beforeAll(async () => {
  service = await startTestService({ clock });
});
afterAll(() => service.stop());

function send(tenant: TestTenant, method: string, path: string, body?: object): Promise<TestAnswer> {
  return service.client.send(method, path, {
    credential: tenant.credential,
    ...(body === undefined ? {} : { body }),
  });
}

const read = async (tenant: TestTenant) => (await send(tenant, 'GET', '/settings')).body as TenantSettings;

const request = (tenant: TestTenant, members: object = {}) =>
  send(tenant, 'POST', '/settings/deletion', { name: 'other', ...members });

function runPurge() {
  const retention = { eventDays: 90, derivedDays: 90, jobDays: 90, auditDays: 365 };
  const { database } = service.service;
  return purge({ database, clock, config: retention, actor: SERVICE, dryRun: false });
}

test('the settings show what is in effect, and who set it', async () => {
  const tenant = await service.createTenant('test');
  const { database } = service.service;
  await database.transaction(async (tx) => {
    const row = { tenant_id: tenant.tenantId, data_class: 'events', days: 12 };
    await tx.insertMany('retention_overrides', [row]);
    await tx.db
      .updateTable('tenants')
      .set({ rate_limit_per_minute: 600 })
      .where('tenant_id', '=', tenant.tenantId)
      .execute();
  });
  const { settings, ...facts } = await read(tenant);
  expect(facts).toMatchObject({ name: 'other', environment: 'test', deletion: null });
  const byKey = new Map(settings.map((setting) => [setting.key, setting]));
  expect(byKey.size).toBe(settings.length);
  expect(byKey.get('retention.events')).toMatchObject({ value: 12, unit: 'days', set_by: 'tenant' });
  expect(byKey.get('retention.audit')).toMatchObject({ value: 365, set_by: 'service' });
  expect(byKey.get('limits.requests')).toMatchObject({ value: 600, set_by: 'tenant' });
  expect(byKey.get('limits.body')).toMatchObject({ value: 1_048_576, unit: 'bytes' });
  expect(byKey.get('sign_in.idle')).toMatchObject({ value: 43_200, set_by: 'fixed', changed_with: null });
  expect(byKey.get('triage.at_once')).toMatchObject({ value: null });
});

test('a requested deletion needs the exact name, happens once, and is shown', async () => {
  const tenant = await service.createTenant();
  for (const name of ['Other', 'other ', tenant.tenantId]) {
    const refused = await request(tenant, { name });
    expect(refused.body).toMatchObject({ error: { code: 'invalid_field' } });
  }
  expect((await request(tenant, { after_days: 6 })).status).toBe(400);
  expect((await read(tenant)).deletion).toBeNull();

  const made = await request(tenant, { after_days: 7 });
  expect(made.status, made.text).toBe(201);
  const { deletion } = await read(tenant);
  expect(deletion).toEqual(made.body);
  expect(Date.parse(deletion?.due_at ?? '')).toBe(clock.now() + DUE_MS);
  expect(deletion?.requested_by.type).toBe('token');
  expect((await request(tenant)).body).toMatchObject({ error: { code: 'invalid_state_transition' } });
});

test('until it is due, the tenant works and its deletion can be cancelled', async () => {
  const tenant = await service.createTenant();
  await request(tenant, { after_days: 7 });
  clock.advance(DUE_MS - 1);
  await runPurge();
  expect((await send(tenant, 'GET', '/status')).status).toBe(200);
  for (const _again of [1, 2]) {
    expect((await send(tenant, 'DELETE', '/settings/deletion')).status).toBe(204);
  }
  clock.advance(1);
  await runPurge();
  expect((await read(tenant)).deletion).toBeNull();
  const entries = await listAudit(service, tenant.tenantId);
  expect(entries.slice(1)).toEqual(['tenant.request_deletion success', 'tenant.cancel_deletion success']);
});

test('when it is due, the tenant is deleted with all its data, and no other', async () => {
  const tenant = await service.createTenant();
  const other = await service.createTenant();
  const { accountId } = await createPerson(service, { tenantId: tenant.tenantId, role: 'admin' });
  await request(tenant, { after_days: 7 });
  await request(other, { after_days: 8 });
  clock.advance(DUE_MS);
  const { deleted } = await runPurge();
  expect(deleted.map(({ tenantId }) => tenantId)).toEqual([tenant.tenantId]);
  expect((await send(tenant, 'GET', '/status')).status).toBe(401);
  expect((await send(other, 'GET', '/status')).status).toBe(200);
  const { db } = service.service.database.read;
  const left = await db
    .selectFrom('accounts')
    .select('account_id')
    .where('account_id', '=', accountId)
    .execute();
  expect(left).toEqual([]);
  await send(other, 'DELETE', '/settings/deletion');
});

test('an operator can cancel a requested deletion too', async () => {
  const tenant = await service.createTenant();
  await request(tenant);
  await new TenantDeletion({ database: service.service.database, clock }).restore(tenant.tenantId);
  expect((await read(tenant)).deletion).toBeNull();
  expect((await request(tenant)).status).toBe(201);
  await send(tenant, 'DELETE', '/settings/deletion');
});

test('only a credential with settings:write requests a deletion', async () => {
  const tenant = await service.createTenant();
  const scopes = SCOPES.filter((scope) => scope !== 'settings:write');
  const credential = await service.createCredential(tenant.tenantId, scopes);
  const refused = await request({ ...tenant, credential });
  expect(refused.body).toMatchObject({ error: { code: 'insufficient_scope' } });
});
