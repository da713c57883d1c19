import { registerTestDevice } from '@tps/testing/device';
import { useTestService } from '@tps/testing/service';
import { waitUntil } from '@tps/testing/time';
import { expect, onTestFinished, test } from 'vitest';
import { systemClock as clock } from '../../platform/clock.ts';
import { createLogger } from '../../platform/logger.ts';
import * as dataRequestStore from './data-request-store.ts';
import { DataRequestWorker } from './data-request-worker.ts';
import { storeDeletion } from './testing/step-through.ts';

const service = useTestService();
const EVENTS = 150;

test('a long request does not delay a short one of another tenant', async () => {
  const { database } = service.service;
  const tenants = [await service.createTenant(), await service.createTenant()];
  // The order in which the worker finds them.
  const [first, second] = tenants.sort((a, b) => (a.tenantId < b.tenantId ? -1 : 1));
  if (!first || !second) throw new Error('there are two tenants');
  const device = await registerTestDevice(service, { tenant: first });
  const events = Array.from({ length: EVENTS }, (_, at) => device.event({ indicators: [`sig:${at}`] }));
  expect((await device.post({ events }, { path: '/events/batch' })).status).toBe(200);
  const subject = { type: 'device_id', value: device.deviceId } as const;
  const long = await storeDeletion(database, first.tenantId, subject);
  const short = await storeDeletion(database, second.tenantId, subject);

  const completed: string[] = [];
  const watched = {
    ...database,
    transaction: async <R>(...call: Parameters<typeof database.transaction<R>>) => {
      const result = await database.transaction<R>(...call);
      for (const { tenantId, requestId } of [long, short]) {
        const request = await dataRequestStore.find(database.read, tenantId, requestId);
        if (request?.status === 'completed' && !completed.includes(requestId)) completed.push(requestId);
      }
      return result;
    },
  };
  const worker = new DataRequestWorker({
    ...{ database: watched, clock },
    logger: createLogger({ level: 'silent' }),
  });
  worker.start();
  onTestFinished(() => worker.stop());
  await waitUntil(() => completed.length === 2);
  expect(completed).toEqual([short.requestId, long.requestId]);
});
