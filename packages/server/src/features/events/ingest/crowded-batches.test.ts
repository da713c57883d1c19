import { fileURLToPath } from 'node:url';
import { registerTestDevice, type TestDevice } from '@tps/testing/device';
import { useTestService } from '@tps/testing/service';
import { waitUntil } from '@tps/testing/time';
import { expect, test } from 'vitest';
import { FAULTS } from '../testing/faults.ts';

const workerFile = fileURLToPath(new URL('../testing/faulty-append-worker.ts', import.meta.url));
const service = useTestService({ appendThread: { workerFile } });

const createSender = async () => registerTestDevice(service, { tenant: await service.createTenant() });

/** Each batch is a group alone, and takes the writer thread 100 ms more. */
const sendBatch = (device: TestDevice) => {
  const events = Array.from({ length: 300 }, () => device.event({ description: FAULTS.isSlow }));
  return device.post({ events }, { path: '/events/batch' });
};

test('the batch of a tenant does not wait for all those of another', async () => {
  const [busy, other] = [await createSender(), await createSender()];
  let answered = 0;
  const batches = Array.from({ length: 20 }, async () => {
    expect((await sendBatch(busy)).status).toBe(200);
    answered += 1;
  });
  // All of them have arrived.
  await waitUntil(() => answered >= 5);
  expect((await sendBatch(other)).status).toBe(200);
  expect(answered).toBeLessThan(15);
  await Promise.all(batches);
});
