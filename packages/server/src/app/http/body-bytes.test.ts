import { once } from 'node:events';
import { openPipeline, sendHead, type TestTenant, useTestService } from '@tps/testing/service';
import { waitUntil } from '@tps/testing/time';
import { sql } from 'kysely';
import { describe, expect, onTestFinished, test } from 'vitest';

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

/** Expects that the tenant has no body under way. */
async function expectFourBodies(tenant: TestTenant): Promise<void> {
  const begun = [];
  for (let sent = 0; sent < 4; sent += 1) begun.push(await beginScan(LIMIT, tenant));
  for (const each of begun) expect((await each.finish()).status).toBe(200);
}

const headOfScan = (bytes: number) => ({
  method: 'POST',
  path: '/scan',
  headers: { 'content-length': String(bytes) },
});

test('a body that was rejected for its length holds no bytes while its rest is awaited', async () => {
  const tenant = await service.createTenant();
  for (let sent = 0; sent < 5; sent += 1) {
    const socket = await openPipeline(service, tenant, [headOfScan(LIMIT + 1)]);
    onTestFinished(() => void socket.destroy());
    const [response] = (await once(socket, 'data')) as [Buffer];
    expect(response.toString('latin1')).toMatch(/^HTTP\/1.1 413 /);
  }
});

// SQLite has no reader that waits.
describe.runIf(process.env.TEST_STORE === 'postgres')('a client that leaves before it is admitted', () => {
  test.each([
    ['alone', []],
    ['behind an earlier request on its connection', [{ path: '/status' }]],
  ])('holds no bytes %s', async (_, earlier) => {
    const tenant = await service.createTenant();
    const roundTrip = () => fetch(`${service.baseUrl}/healthz`);
    await service.service.database.transaction(async (tx) => {
      await sql`lock table tokens in access exclusive mode`.execute(tx.db as never);
      const requests = [...earlier, headOfScan(LIMIT)];
      const opening = Array.from({ length: 4 }, () => openPipeline(service, tenant, requests));
      const sockets = await Promise.all(opening);
      // With its response, the service has received what was sent before on other connections.
      await roundTrip();
      for (const socket of sockets) socket.resetAndDestroy();
      await roundTrip();
    });
    await expectFourBodies(tenant);
  });
});
