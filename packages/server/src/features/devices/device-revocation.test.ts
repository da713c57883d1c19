import { registerTestDevice } from '@tps/testing/device';
import { useTestService } from '@tps/testing/service';
import { countWaiting } from '@tps/testing/store';
import { waitUntil } from '@tps/testing/time';
import { expect, test } from 'vitest';

const service = useTestService();

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
      await waitUntil(async () => (await countWaiting(service.service.database.read)) === 1);
      const path = `/devices/${device.deviceId}`;
      const revocation = service.client
        .send('PATCH', path, { credential, body: { status: 'revoked' } })
        .then(async ({ status }) => {
          isAnswered = true;
          return { status, stored: await countEvents(device.deviceId) };
        });
      await waitUntil(async () => isAnswered || (await countWaiting(service.service.database.read)) === 2);
      return { event, revocation };
    });
    // The responses may arrive in any order: different threads send them.
    expect(await sent.revocation).toEqual({ status: 200, stored: 2 });
    expect((await sent.event).status).toBe(201);
    expect((await device.post(device.event())).status).toBe(403);
  },
);
