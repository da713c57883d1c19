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

async function countEvents(deviceId: string): Promise<number> {
  const { db } = service.service.database.read;
  const events = await db.selectFrom('events').select('event_id').where('device_id', '=', deviceId).execute();
  return events.length;
}

// On SQLite transactions follow one another.
test.runIf(process.env.TEST_STORE === 'postgres')(
  'a revocation is answered only after the events that its device had begun to store',
  async () => {
    const device = await registerTestDevice(service);
    await device.post(device.event());
    const { credential } = device.tenant;
    let isAnswered = false;
    const sent = await service.service.database.transaction(async (tx) => {
      const state = tx.db.selectFrom('device_states').select('device_id');
      await state.where('device_id', '=', device.deviceId).forUpdate().execute();
      const event = device.post(device.event());
      await waitUntil(async () => (await countWaiting()) === 1);
      const path = `/devices/${device.deviceId}`;
      const revocation = service.client
        .send('PATCH', path, { credential, body: { status: 'revoked' } })
        .then(async ({ status }) => {
          isAnswered = true;
          return { status, stored: await countEvents(device.deviceId) };
        });
      await waitUntil(async () => isAnswered || (await countWaiting()) === 2);
      return { event, revocation };
    });
    // The responses may arrive in any order: different threads send them.
    expect(await sent.revocation).toEqual({ status: 200, stored: 2 });
    expect((await sent.event).status).toBe(201);
    expect((await device.post(device.event())).status).toBe(403);
  },
);
