import { randomBytes } from 'node:crypto';
import { useTestDatabase } from '@tps/testing/store';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { TenantId } from '../../platform/tenant-id.ts';
import { erase } from './erased-event-store.ts';
import { findPositionBefore } from './feed-store.ts';
import { HOUR_MS, NOW_MS, storedEvents, storeEvents } from './testing/stored-events.ts';

const store = useTestDatabase();

test('the binary search for the last arrival before a time agrees with a full scan', async () => {
  const { read } = store.database;
  await fc.assert(
    fc.asyncProperty(
      storedEvents('tnt_x'),
      fc.array(fc.integer({ min: -3, max: 45 })),
      async (all, hours) => {
        const tenantId = `tnt_${randomBytes(6).toString('hex')}` as TenantId;
        await storeEvents(store.database, tenantId, all);
        const moments = [
          ...all.map(({ receivedAtMs }) => receivedAtMs),
          ...hours.map((hour) => NOW_MS + (hour - 200) * HOUR_MS),
        ];
        for (const moment of moments.flatMap((ms) => [ms - 1, ms, ms + 1])) {
          const naive = all.filter(({ receivedAtMs }) => receivedAtMs < moment).length;
          expect(await findPositionBefore(read, tenantId, moment)).toBe(naive);
        }
      },
    ),
    { numRuns: 25 },
  );
});

test('the search passes over erased events', async () => {
  const { database } = store;
  await fc.assert(
    fc.asyncProperty(
      storedEvents('tnt_x'),
      fc.array(fc.boolean(), { minLength: 40, maxLength: 40 }),
      async (all, isErased) => {
        const tenantId = `tnt_${randomBytes(6).toString('hex')}` as TenantId;
        await storeEvents(database, tenantId, all);
        const placed = all.map(({ event, receivedAtMs }, index) => ({
          ...{ position: index + 1, eventId: event.event_id, receivedAtMs },
          ...{ eventHash: Buffer.alloc(32), chainHash: Buffer.alloc(32) },
        }));
        const events = placed.filter((_, index) => isErased[index]);
        const kept = placed.filter((_, index) => !isErased[index]);
        await database.transaction((tx) => erase(tx, tenantId, { events, requestId: 'drq_x' }));
        for (const { receivedAtMs } of kept) {
          const last = await findPositionBefore(database.read, tenantId, receivedAtMs);
          for (const each of kept) expect(each.position <= last).toBe(each.receivedAtMs < receivedAtMs);
        }
      },
    ),
    { numRuns: 15 },
  );
});
