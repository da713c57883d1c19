import { registerTestDevice } from '@tps/testing/device';
import { useTestService } from '@tps/testing/service';
import { waitUntil } from '@tps/testing/time';
import { sql } from 'kysely';
import { expect, test } from 'vitest';

const service = useTestService();

/** Counts the transactions that wait for a lock of another. */
async function countWaiting(): Promise<number> {
  const { rows } = await sql<{ waiting: number }>`
    select count(*)::int as waiting from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(
    service.service.database.read.db as never,
  );
  return rows[0]?.waiting ?? 0;
}

// On SQLite transactions follow one another.
test.runIf(process.env.TEST_STORE === 'postgres')(
  'a revocation is answered only after the events that its device had begun to store',
  async () => {
    const device = await registerTestDevice(service);
    await device.post(device.event());
    const { credential } = device.tenant;
    const order: string[] = [];
    const sent = await service.service.database.transaction(async (tx) => {
      const state = tx.db.selectFrom('device_states').select('device_id');
      await state.where('device_id', '=', device.deviceId).forUpdate().execute();
      const event = device.post(device.event()).then(({ status }) => order.push(`event ${status}`));
      await waitUntil(async () => (await countWaiting()) === 1);
      const path = `/devices/${device.deviceId}`;
      const revocation = service.client
        .send('PATCH', path, { credential, body: { status: 'revoked' } })
        .then(({ status }) => order.push(`revocation ${status}`));
      await waitUntil(async () => order.length > 0 || (await countWaiting()) === 2);
      return { both: [event, revocation] };
    });
    await Promise.all(sent.both);
    expect(order).toEqual(['event 201', 'revocation 200']);
    expect((await device.post(device.event())).status).toBe(403);
  },
);
