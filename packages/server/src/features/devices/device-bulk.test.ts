import type { Device } from '@tps/contract';
import { registerTestDevice } from '@tps/testing/device';
import { listAudit, useTestService } from '@tps/testing/service';
import { expect, test } from 'vitest';

const service = useTestService();

type Results = {
  results: { id: string; status: number; error?: { code: string } }[];
  next_cursor: string | null;
};

const change = { status: 'revoked' };

test('revokes each device like a single revocation, and no device of another tenant', async () => {
  const tenant = await service.createTenant();
  const [first, second] = [
    await registerTestDevice(service, { tenant }),
    await registerTestDevice(service, { tenant }),
  ];
  const foreign = await registerTestDevice(service, { tenant: await service.createTenant() });
  const body = { ids: [first.deviceId, foreign.deviceId, second.deviceId], change };
  const answer = await service.client.send('POST', '/devices/bulk', { ...tenant, body });
  expect((answer.body as Results).results.map(({ id, error }) => [id, error?.code])).toEqual([
    [first.deviceId, undefined],
    [foreign.deviceId, 'not_found'],
    [second.deviceId, undefined],
  ]);
  expect((await first.post(first.event())).status).toBe(403);
  expect((await foreign.post(foreign.event())).status).toBe(201);
  expect(await listAudit(service, first.deviceId)).toContain('device.revoke success');
});

test('revokes what a filter finds, in parts', async () => {
  const tenant = await service.createTenant();
  for (const _ of [1, 2, 3]) await registerTestDevice(service, { tenant });
  let cursor: string | null | undefined;
  const revoked: string[] = [];
  while (cursor !== null) {
    const body = { filter: { status: 'active' }, change, limit: 2, ...(cursor && { cursor }) };
    const answer = await service.client.send('POST', '/devices/bulk', { ...tenant, body });
    const { results, next_cursor: next } = answer.body as Results;
    revoked.push(...results.map(({ id }) => id));
    cursor = next;
  }
  expect(new Set(revoked).size).toBe(3);
  const left = await service.client.send('GET', '/devices?status=active', tenant);
  expect((left.body as { data: Device[] }).data).toEqual([]);
});

test('only a revocation can be asked of several devices', async () => {
  const tenant = await service.createTenant();
  const body = { ids: ['dev_1'], change: { name: 'x' } };
  expect((await service.client.send('POST', '/devices/bulk', { ...tenant, body })).status).toBe(400);
});
