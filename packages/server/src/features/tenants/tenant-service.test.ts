import { useTestDatabase } from '@tps/testing/store';
import { ManualClock } from '@tps/testing/time';
import { beforeAll, expect, test } from 'vitest';
import { firstIdAt } from '../../platform/identifiers.ts';
import type { TenantId } from '../../platform/tenant-id.ts';
import { auditStore } from '../audit/index.ts';
import { TenantService } from './tenant-service.ts';
import * as tenantStore from './tenant-store.ts';

const clock = new ManualClock();
let tenants: TenantService;

const store = useTestDatabase();

beforeAll(async () => {
  tenants = new TenantService({ database: store.database, clock });
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

test('a new tenant has the limit of the service, and two tenants may share a name', async () => {
  const [one, two] = [await create('same name'), await create('same name')];
  expect(one.tenantId).not.toBe(two.tenantId);
  expect(await tenants.get(one.tenantId)).toEqual({
    tenantId: one.tenantId,
    name: 'same name',
    environment: 'test',
    rateLimitPerMinute: null,
  });
  await expect(tenants.get('tnt_unknown')).rejects.toMatchObject({ code: 'not_found' });
});

test('tenants are listed oldest first', async () => {
  const created = [await create('a'), await create('b'), await create('c')].map(({ tenantId }) => tenantId);
  expect((await tenantStore.list(store.database.read)).slice(-3)).toEqual(created);
});

test('each change of a limit is audited for its tenant, with the previous value', async () => {
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

test('setting a limit for an unknown tenant fails and leaves no audit entry', async () => {
  await expect(tenants.setRateLimit('tnt_unknown', 5)).rejects.toMatchObject({ code: 'not_found' });
  expect(await auditOf('tnt_unknown' as TenantId)).toEqual([]);
});

test('automatic triage starts at the time it is turned on; changing its limit keeps that time', async () => {
  const { tenantId } = await create('triaged');
  const stored = () =>
    store.database.read.db
      .selectFrom('tenants')
      .select(['triage_at_once', 'triage_since'])
      .where('tenant_id', '=', tenantId)
      .executeTakeFirst();
  const first = firstIdAt('inc', clock.now());
  await tenants.setTriage(tenantId, 2);
  expect(await stored()).toEqual({ triage_at_once: 2, triage_since: first });
  clock.advance(1000);
  await tenants.setTriage(tenantId, 5);
  expect(await stored()).toEqual({ triage_at_once: 5, triage_since: first });
  clock.advance(1000);
  await tenants.setTriage(tenantId, null);
  clock.advance(1000);
  await tenants.setTriage(tenantId, 1);
  expect(await stored()).toEqual({ triage_at_once: 1, triage_since: firstIdAt('inc', clock.now()) });
  const fields = (await auditOf(tenantId)).map((entry) => entry.fields);
  expect(fields.slice(0, 2)).toEqual([
    { from: null, to: 1 },
    { from: 5, to: null },
  ]);
});
