import type { AuditEntry, Counts } from '@tps/contract';
import { registerTestDevice } from '@tps/testing/device';
import { useFixture } from '@tps/testing/fixture';
import {
  createPerson,
  registerTestWebhook,
  type TestAnswer,
  useTestService,
  WEBHOOK_ENV,
} from '@tps/testing/service';
import { describe, expect, test } from 'vitest';
import type { TenantId } from '../../platform/tenant-id.ts';
import type { AuditRecord } from './audit-entry.ts';
import { auditStore } from './index.ts';

const service = useTestService({ env: WEBHOOK_ENV });
const tenant = useFixture(() => service.createTenant());

function send(path: string, credential = tenant.credential): Promise<TestAnswer> {
  return service.client.send('GET', path, { credential });
}

interface AuditPage {
  data: AuditEntry[];
  has_more: boolean;
  next_cursor: string | null;
}

async function list(query: string, credential = tenant.credential): Promise<AuditEntry[]> {
  const answer = await send(`/audit?limit=100&${query}`, credential);
  expect(answer.status, answer.text).toBe(200);
  return (answer.body as AuditPage).data;
}

const actionsOf = (entries: readonly AuditEntry[]) => entries.map(({ action }) => action);

const RECORD = {
  actor: { type: 'service', id: 'service' },
  outcome: 'success',
  requestId: null,
  detail: 'x',
  fields: { from: 1 },
} as const;

/** Appends entries of a tenant, in this order. */
async function append(tenantId: TenantId, records: readonly Partial<AuditRecord>[]): Promise<void> {
  await service.service.database.transaction(async (tx) => {
    for (const [index, record] of records.entries()) {
      const entry = { ...RECORD, action: 'test.act', resource: { type: 'test', id: 'test_1' }, ...record };
      await auditStore.append(tx, { ...entry, tenantId }, Date.now() + index);
    }
  });
}

describe('the audit log', () => {
  test('is listed newest first, page by page, without entries of other tenants', async () => {
    const own = await service.createTenant();
    const other = await service.createTenant();
    await append(own.tenantId, [{ action: 'a.one' }, { action: 'a.two' }]);
    await append(other.tenantId, [{ action: 'a.other' }]);
    const entries = await list('', own.credential);
    expect(actionsOf(entries)).toEqual(['a.two', 'a.one', 'token.create', 'tenant.create']);
    expect(entries[0]).toMatchObject({ detail: 'x', fields: { from: 1 }, tenant_id: own.tenantId });

    const first = (await send('/audit?limit=2', own.credential)).body as AuditPage;
    expect([actionsOf(first.data), first.has_more]).toEqual([['a.two', 'a.one'], true]);
    const rest = await send(`/audit?limit=2&cursor=${first.next_cursor}`, own.credential);
    expect(rest.body).toMatchObject({
      data: [{ action: 'token.create' }, { action: 'tenant.create' }],
      has_more: false,
      next_cursor: null,
    });
    expect((await send(`/audit/${entries[0]?.audit_id}`, own.credential)).body).toEqual(entries[0]);
    expect((await send(`/audit/${entries[0]?.audit_id}`, other.credential)).status).toBe(404);
    const foreign = await send(`/audit?limit=2&cursor=${first.next_cursor}`, other.credential);
    expect(foreign.status).toBe(400);
  });

  test.each([
    ['action=f.one', ['f.one']],
    ['action=f.one,f.two', ['f.two', 'f.one']],
    ['action=!f.one,f.two&resource_type=filtered', ['f.three']],
    ['actor_type=command_line&resource_type=filtered', ['f.three']],
    ['actor_id=tok_f', ['f.two']],
    ['actor_id=tok_f,service&resource_type=filtered', ['f.two', 'f.one']],
    ['resource_id=res_1', ['f.two', 'f.one']],
    ['resource_id=res_1&actor_id=service', ['f.one']],
    ['resource_type=filtered&outcome=denied', ['f.three']],
    ['resource_type=filtered&outcome=!denied', ['f.two', 'f.one']],
  ])('is filtered by %s', async (query, expected) => {
    if ((await list('resource_type=filtered')).length === 0) {
      const resource = { type: 'filtered', id: 'res_1' };
      await append(tenant.tenantId, [
        { action: 'f.one', resource },
        { action: 'f.two', resource, actor: { type: 'token', id: 'tok_f' } },
        {
          action: 'f.three',
          resource: { ...resource, id: 'res_2' },
          outcome: 'denied',
          actor: { type: 'command_line', id: 'command_line' },
        },
      ]);
    }
    expect(actionsOf(await list(query))).toEqual(expected);
  });

  test('is narrowed to a half-open range of time, and counted over it', async () => {
    const own = await service.createTenant();
    await append(own.tenantId, [{ action: 'a.one' }, { action: 'a.two' }]);
    const [newest, older] = await list('resource_type=test', own.credential);
    const range = `since=${older?.occurred_at}&until=${newest?.occurred_at}&resource_type=test`;
    expect(actionsOf(await list(range, own.credential))).toEqual(['a.one']);
    const counts = (await send(`/audit/counts?${range}`, own.credential)).body as Counts;
    expect(counts).toMatchObject({ total: 1, complete: true });
    const all = (await send('/audit/counts?interval=day', own.credential)).body as Counts;
    expect(all).toMatchObject({ total: 4, interval: 'day' });
  });

  test('names members, tokens and OAuth clients of this tenant only', async () => {
    const own = await service.createTenant();
    const member = await createPerson(service, { tenantId: own.tenantId, role: 'viewer' });
    const stranger = await createPerson(service, { role: 'admin' });
    const token = await service.client.send('POST', '/tokens', {
      credential: own.credential,
      body: { name: 'SIEM reader', scopes: ['events:read'] },
    });
    const { token_id: tokenId } = token.body as { token_id: string };
    await append(own.tenantId, [
      { actor: { type: 'account', id: stranger.accountId } },
      {
        actor: { type: 'account', id: member.accountId },
        resource: { type: 'token', id: tokenId },
      },
    ]);
    const [byMember, byStranger, creation] = await list('', own.credential);
    expect(byMember).toMatchObject({ actor: { name: member.name }, resource: { name: 'SIEM reader' } });
    expect(byStranger?.actor).toEqual({ type: 'account', id: stranger.accountId });
    expect(creation).toMatchObject({ action: 'token.create', resource: { name: 'SIEM reader' } });
    const ofTokens = await send('/tokens/audit', own.credential);
    expect((ofTokens.body as AuditPage).data[0]).toMatchObject({ resource: { name: 'SIEM reader' } });
  });

  test.each(['action=', 'outcome=maybe', 'actor_type=robot', 'since=yesterday', 'limit=101'])(
    'rejects %s by its name',
    async (query) => {
      const answer = await send(`/audit?${query}`);
      expect(answer.body).toMatchObject({ error: { code: 'invalid_parameter' } });
      expect(answer.text).toContain(query.split('=')[0]);
    },
  );
});

test('the history of an object is open to those who may read the object', async () => {
  const device = await registerTestDevice(service, { tenant });
  const { webhookId } = await registerTestWebhook(service, { tenant, url: 'http://127.0.0.1:9/hook' });
  const reader = await service.createCredential(tenant.tenantId, ['devices:read', 'webhooks:read']);
  const ofDevice = (await send(`/devices/${device.deviceId}/audit`, reader)).body as AuditPage;
  expect(actionsOf(ofDevice.data)).toEqual(['device.register']);
  const ofWebhook = (await send(`/webhooks/${webhookId}/audit`, reader)).body as AuditPage;
  expect(actionsOf(ofWebhook.data)).toEqual(['webhook.create']);
  expect((await send('/audit', reader)).status).toBe(403);
  expect((await send('/incidents/inc_1/audit', reader)).status).toBe(403);
  expect((await send('/webhooks/whk_1/audit', reader)).status).toBe(404);
  const other = await service.createTenant();
  expect((await send(`/webhooks/${webhookId}/audit`, other.credential)).status).toBe(404);
});
