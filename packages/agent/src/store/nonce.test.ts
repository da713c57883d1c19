import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { DataKey, DeviceKeys } from '../ports/keys.ts';
import { breakableStorage } from '../testing/faulty-storage.ts';
import { MIB, newRecord, openStoreOn, storeGround, WHOLE_BATCH } from '../testing/store-builders.ts';

/** Real keys that record which nonces each data key seals with. */
function observedKeys(keys: DeviceKeys) {
  const used = new Map<string, Set<string>>();
  let [seals, repeats, created] = [0, 0, 0];
  function observe(dataKey: DataKey, name: string): DataKey {
    return {
      open: (...args) => dataKey.open(...args),
      destroy: () => dataKey.destroy(),
      seal: (nonce, ...rest) => {
        const nonces = used.get(name) ?? new Set();
        const text = nonce.join();
        repeats += nonces.has(text) ? 1 : 0;
        seals += 1;
        used.set(name, nonces.add(text));
        return dataKey.seal(nonce, ...rest);
      },
    };
  }
  const nameByWrapped = new Map<string, string>();
  const observed = new Proxy(keys, {
    get(target, member) {
      if (member === 'createDataKey') {
        return async () => {
          const { dataKey, wrapped } = await target.createDataKey();
          created += 1;
          nameByWrapped.set(wrapped.join(), `${created}`);
          return { dataKey: observe(dataKey, `${created}`), wrapped };
        };
      }
      if (member === 'unwrapDataKey') {
        return async (wrapped: Uint8Array) => {
          const name = nameByWrapped.get(wrapped.join()) ?? 'unknown';
          return observe(await target.unwrapDataKey(wrapped), name);
        };
      }
      const value = Reflect.get(target, member);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  return { keys: observed, counts: () => ({ seals, repeats, created }) };
}

test('no nonce repeats under one key across appends, failures, recoveries and reopenings', async () => {
  const step = fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({ kind: fc.constant('append' as const), count: fc.integer({ min: 1, max: 4 }) }),
    },
    fc.record({ kind: fc.constant('upload' as const), count: fc.integer({ min: 1, max: 3 }) }),
    fc.record({ kind: fc.constant('break' as const), done: fc.constantFrom('no', 'half', 'yes') }),
    fc.record({ kind: fc.constantFrom('repair' as const, 'recover' as const, 'reopen' as const) }),
  );
  let seals = 0;
  const ground = await storeGround();
  const observed = observedKeys(ground.keys);
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
      let disk: ReturnType<typeof breakableStorage>['disk'] = { broken: undefined, done: 'no' };
      const open = () =>
        openStoreOn(
          { ...ground, keys: observed.keys },
          {
            budgetBytes: MIB,
            wrap: (storage) => {
              const breakable = breakableStorage(storage);
              disk = breakable.disk;
              return breakable.storage;
            },
          },
        );
      let store = await open();
      for (const each of steps) {
        switch (each.kind) {
          case 'append':
            await store.append(
              Array.from({ length: each.count }, (_, index) =>
                newRecord(seals + index, { severity: index % 2 === 0 ? 'low' : 'high' }),
              ),
            );
            break;
          case 'upload': {
            const batch = await store.seal({ ...WHOLE_BATCH, maxEvents: each.count }).catch(() => undefined);
            const results = (batch?.events ?? []).map(({ event_id }) => ({
              eventId: event_id,
              kind: 'archived' as const,
            }));
            await store.settle(results).catch(() => undefined);
            break;
          }
          case 'break':
            disk.broken = 'failed';
            disk.done = each.done;
            break;
          case 'repair':
            disk.broken = undefined;
            break;
          case 'recover':
            await store.recover();
            break;
          case 'reopen':
            await store.close();
            store = await open();
        }
      }
      await store.close();
      const counts = observed.counts();
      expect(counts.repeats).toBe(0);
      seals = counts.seals;
    }),
    { numRuns: 20 },
  );
  expect(seals).toBeGreaterThan(200);
});
