import type { ProtectionStatus } from '@tps/contract';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { codeOf } from '../../testing/signed-send.ts';
import { registerTestDevice } from '../../testing/test-device.ts';
import { startTestService, type TestService } from '../../testing/test-service.ts';

/** Without a round for 15 s the dispatcher counts as down; it looks every half a second. */
const WITHIN = { timeout: 20_000, interval: 250 };

let service: TestService;

beforeAll(async () => {
  service = await startTestService();
  await registerTestDevice(service);
});

afterAll(async () => {
  await service.stop();
});

async function readStatus(): Promise<ProtectionStatus> {
  const answer = await service.client.send('GET', '/status', { credential: service.tenant.credential });
  return answer.body as ProtectionStatus;
}

async function rename(from: string, to: string): Promise<void> {
  const { database } = service.service;
  await database.transaction(async (tx) => {
    await sql`alter table ${sql.table(from)} rename to ${sql.table(to)}`.execute(tx.db);
  });
}

test('while nothing can be delivered the service is not ready and says so, and mends by itself', async () => {
  expect((await service.client.send('GET', '/readyz')).status).toBe(200);
  // A store that answers, but not what the dispatcher asks.
  await rename('webhook_recoveries', 'webhook_recoveries_away');
  const refused = await vi.waitFor(async () => {
    const answer = await service.client.send('GET', '/readyz');
    if (answer.status === 200) throw new Error('still ready');
    return answer;
  }, WITHIN);
  expect([refused.status, codeOf(refused)]).toEqual([503, 'unavailable']);
  expect(refused.text).toContain('Webhooks are not being delivered');
  expect(await readStatus()).toMatchObject({
    status: 'degraded',
    reasons: ['Webhooks are not being delivered'],
    components: { store: 'up', dispatcher: 'down' },
  });
  // What is no delivery works all the same.
  expect((await service.client.send('GET', '/healthz')).status).toBe(200);
  expect(service.log()).toContain('webhook deliveries could not be claimed or recorded');

  await rename('webhook_recoveries_away', 'webhook_recoveries');
  await vi.waitFor(
    async () => expect((await service.client.send('GET', '/readyz')).status).toBe(200),
    WITHIN,
  );
  expect(await readStatus()).toMatchObject({ status: 'protected', components: { dispatcher: 'up' } });
}, 60_000);
