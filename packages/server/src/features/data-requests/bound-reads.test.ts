import { registerTestDevice } from '@tps/testing/device';
import { useTestService } from '@tps/testing/service';
import { expect, test } from 'vitest';
import { boundReads } from './bound-reads.ts';
import { RECORD_SOURCES } from './record-source.ts';
import { matcherOf } from './subject.ts';
import { searchWindow } from './subject-rows-store.ts';

const service = useTestService();
const CATEGORIES = ['phishing', 'deepfake', 'phone_scam'] as const;

test('a step leaves events whose threats are large to later steps, and always has one', async () => {
  const device = await registerTestDevice(service);
  for (const category of CATEGORIES)
    expect(
      (await device.post(device.event({ threat_category: category, indicators: [category] }))).status,
    ).toBe(201);
  const { database } = service.service;
  const { tenantId } = device.tenant;
  const source = RECORD_SOURCES.find(({ table }) => table === 'events');
  if (!source) throw new Error('events are not searched');
  const matcher = matcherOf({ type: 'device_id', value: device.deviceId });
  const search = { source, matcher, after: undefined, untilPosition: 1_000, limit: 50 };
  const positionsWith = async (size: number) => {
    await database.transaction(({ db }) =>
      db.updateTable('threats').set({ event_count: size }).where('tenant_id', '=', tenantId).execute(),
    );
    const window = await searchWindow(database.read, tenantId, search);
    expect(window.rows).toHaveLength(3);
    const { rows, until } = await boundReads(database.read, tenantId, { source, window });
    return { positions: rows.map((row) => row.position), until };
  };
  expect(await positionsWith(1)).toEqual({ positions: [1, 2, 3], until: undefined });
  expect(await positionsWith(500)).toEqual({ positions: [1, 2], until: [2] });
  expect(await positionsWith(1_000)).toEqual({ positions: [1], until: [1] });
  expect(await positionsWith(5_000)).toEqual({ positions: [1], until: [1] });
});
