import type { ProtectionStatus } from '@tps/contract';
import { codeOf, registerTestDevice } from '@tps/testing/device';
import { useTestService } from '@tps/testing/service';
import { sql } from 'kysely';
import { beforeAll, expect, test, vi } from 'vitest';

/** After 15 s without a round the dispatcher or the worker counts as down; both poll every half a second. */
const WITHIN = { timeout: 60_000, interval: 250 };

const service = useTestService();

beforeAll(async () => {
  await registerTestDevice(service);
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

const COMPONENTS = [
  {
    component: 'dispatcher',
    // The store responds, but not to what the component queries.
    table: 'webhook_recoveries',
    reason: 'Webhook delivery is not running',
    logged: 'webhook delivery interrupted',
  },
  {
    component: 'workflow',
    table: 'jobs',
    reason: 'Triage jobs are not running',
    logged: 'job claim failed',
  },
] as const;

function waitForStatus(expected: Partial<ProtectionStatus>): Promise<void> {
  return vi.waitFor(async () => expect(await readStatus()).toMatchObject(expected), WITHIN);
}

test('while a component is down, the service is not ready, and recovers by itself', async () => {
  const readiness = () => service.client.send('GET', '/readyz');
  expect((await readiness()).status).toBe(200);
  for (const { table } of COMPONENTS) await rename(table, `${table}_away`);
  await waitForStatus({
    status: 'degraded',
    reasons: COMPONENTS.map(({ reason }) => reason),
    components: { store: 'up', dispatcher: 'down', workflow: 'down', scan: 'up' },
  });
  // Everything that does not involve the component still works.
  expect((await service.client.send('GET', '/healthz')).status).toBe(200);

  for (const { component, table, reason, logged } of COMPONENTS) {
    const refused = await readiness();
    expect([refused.status, codeOf(refused)]).toEqual([503, 'unavailable']);
    expect(refused.text).toContain(reason);
    expect(service.log()).toContain(logged);
    await rename(`${table}_away`, table);
    await vi.waitFor(async () => expect((await readStatus()).components[component]).toBe('up'), WITHIN);
  }
  expect((await readiness()).status).toBe(200);
  await waitForStatus({ status: 'protected', reasons: [] });
});
