import { sendHead, type TestTenant, useTestService } from '@tps/testing/service';
import { waitUntil } from '@tps/testing/time';
import { expect, test } from 'vitest';

const LIMIT = 1_000_000;
const service = useTestService({ env: { SERVICE_SCAN_BODY_LIMIT_BYTES: String(LIMIT) } });

/** Sends the head of a scan with a body of this size, up to three bytes less. */
const beginScan = (bytes: number, { credential }: TestTenant) => {
  const around = JSON.stringify({ type: 'file', content_b64: '' }).length;
  const content_b64 = 'AAAA'.repeat((bytes - around) / 4);
  const body = JSON.stringify({ type: 'file', content_b64 });
  return sendHead(service, { method: 'POST', path: '/scan', credential, body });
};

const scan = (tenant: TestTenant) =>
  service.client.send('POST', '/scan', { ...tenant, body: { type: 'text', content: 'Hello' } });

test('a tenant can have four of the largest bodies under way, and other tenants have theirs', async () => {
  const [tenant, other] = [await service.createTenant(), await service.createTenant()];
  const waiting = [];
  for (let sent = 0; sent < 4; sent += 1) waiting.push(await beginScan(LIMIT, tenant));
  const refused = await scan(tenant);
  expect(refused.status).toBe(429);
  expect(refused.body).toMatchObject({ error: { code: 'rate_limited' } });
  expect(refused.headers.get('retry-after')).toBe('1');
  expect((await scan(other)).status).toBe(200);
  // A request without a body holds none.
  expect((await service.client.send('GET', '/status', tenant)).status).toBe(200);
  const [first, ...others] = waiting;
  expect((await first?.finish())?.status).toBe(200);
  await waitUntil(async () => (await scan(tenant)).status === 200);
  for (const each of others) expect((await each.finish()).status).toBe(200);
});
