import { afterAll, beforeAll, expect, test } from 'vitest';
import type { TenantId } from '../../platform/tenant-id.ts';
import { ManualClock } from '../../testing/manual-clock.ts';
import { openTestDatabase, type TestDatabase } from '../../testing/test-database.ts';
import { auditStore } from '../audit/index.ts';
import { TenantService } from './tenant-service.ts';
import * as tenantStore from './tenant-store.ts';

const clock = new ManualClock();
let store: TestDatabase;
let tenants: TenantService;

beforeAll(async () => {
  store = await openTestDatabase();
  tenants = new TenantService({ database: store.database, clock });
});

afterAll(async () => {
  await store.drop();
});

function create(name: string) {
  clock.advance(1);
  return store.database.transaction((tx) => tenants.create(tx, { name, environment: 'test' }));
}

const auditOf = (tenantId: TenantId) =>
  auditStore.list(
    store.database.read,
    tenantId,
    { actionPrefix: 'tenant.' },
    { after: undefined, limit: 10 },
  );

test('a tenant is made with the limit of the service, and told apart by its id alone', async () => {
  const [one, two] = [await create('same name'), await create('same name')];
  expect(one.tenantId).not.toBe(two.tenantId);
  expect(await tenants.get(one.tenantId)).toEqual({
    tenantId: one.tenantId,
    name: 'same name',
    environment: 'test',
    rateLimitPerMinute: null,
  });
  await expect(tenants.get('tnt_nobody')).rejects.toMatchObject({ code: 'not_found' });
});

test('tenants are listed oldest first', async () => {
  const made = [await create('a'), await create('b'), await create('c')].map(({ tenantId }) => tenantId);
  expect((await tenantStore.list(store.database.read)).slice(-3)).toEqual(made);
});

test('each change of a limit is in the audit trail of its tenant, with what it was before', async () => {
  const [{ tenantId }, other] = [await create('limited'), await create('other')];
  clock.advance(1);
  await tenants.setRateLimit(tenantId, 600);
  clock.advance(1);
  await tenants.setRateLimit(tenantId, null);
  const entries = await auditOf(tenantId);
  expect(entries.map(({ action, fields }) => ({ action, fields }))).toEqual([
    { action: 'tenant.set_rate_limit', fields: { from: 600, to: null } },
    { action: 'tenant.set_rate_limit', fields: { from: null, to: 600 } },
    { action: 'tenant.create', fields: { name: 'limited', environment: 'test' } },
  ]);
  expect(entries[0]).toMatchObject({
    actor: { type: 'command_line' },
    outcome: 'success',
    tenant_id: tenantId,
  });
  expect(await auditOf(other.tenantId)).toHaveLength(1);
});

test('a limit of a tenant that is not there is refused, and leaves no entry', async () => {
  await expect(tenants.setRateLimit('tnt_nobody', 5)).rejects.toMatchObject({ code: 'not_found' });
  expect(await auditOf('tnt_nobody' as TenantId)).toEqual([]);
});
