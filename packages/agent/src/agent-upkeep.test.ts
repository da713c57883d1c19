import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { systemClock } from './clock/system-clock.ts';
import { createHttpTransport } from './http/http-transport.ts';
import { devicePaths } from './node/device-paths.ts';
import { openDeviceKeys } from './node/keys/file-device-keys.ts';
import { openFileStorage } from './node/storage/file-storage.ts';
import { openAgent } from './open-agent.ts';
import type { AgentClock } from './ports/clock.ts';
import { type DeviceKeys, KeyError } from './ports/keys.ts';
import { detection, startScene } from './testing/enrolled-agent.ts';
import { CREDENTIAL } from './testing/known-device.ts';

/** A clock that can be set and whose waits last a few milliseconds. */
function hastyClock() {
  const clock = {
    aheadMs: 0,
    waits: 0,
    nowMs: () => Date.now() + clock.aheadMs,
    sleep: async (_: number, signal: AbortSignal) => {
      await systemClock.sleep(5, signal);
      clock.waits += 1;
    },
  };
  return clock satisfies AgentClock;
}

/** Keys of a key store that can be locked. */
function lockable(keys: DeviceKeys) {
  const lock = { isLocked: false };
  const guarded = new Proxy(keys, {
    get: (target, name) => {
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== 'function') return value;
      const isSecret = name !== 'randomBytes' && name !== 'sha256Hex';
      return (...given: unknown[]) =>
        isSecret && lock.isLocked
          ? Promise.reject(new KeyError('unavailable', 'The key store is locked.'))
          : value.apply(target, given);
    },
  });
  return { lock, keys: guarded };
}

describe('retention', () => {
  test('removes events archived longer ago than the retention', async () => {
    const { agent, open } = await startScene({ retentionDays: 0 });
    await agent.record(detection(1));
    await agent.flush();
    expect(agent.health().store.archived).toBe(1);
    await agent.close();
    const working = await open({ autonomous: true, clock: hastyClock() });
    await expect.poll(() => working.health().store.archived).toBe(0);
  });

  test('counts from the last contact, so that a clock jumping ahead deletes nothing', async () => {
    const clock = hastyClock();
    const { agent, service, open } = await startScene({ clock });
    await agent.record(detection(1));
    await agent.flush();
    await agent.close();
    const working = await open({ autonomous: true });
    await working.refreshPolicies();
    service.state.policyReply = 'disconnect';
    clock.aheadMs = 365 * 24 * 3_600_000;
    const { waits } = clock;
    await expect.poll(() => clock.waits).toBeGreaterThan(waits + 30);
    expect(working.health().store.archived).toBe(1);
  });
});

test('an interrupted storage key rotation is repeated when the agent opens', async () => {
  const { agent, directory, open } = await startScene();
  const { eventId } = await agent.record(detection(1));
  await agent.close();
  const paths = devicePaths(directory);
  // The interrupted state: the mark and the new key exist, but no data key is wrapped under it.
  await writeFile(join(paths.store, 'storage-key-rotation'), '');
  await (await openDeviceKeys({ path: paths.keys })).rotateStorageKey();

  await (await open()).close();
  const storage = await openFileStorage({ directory: paths.store });
  expect((await storage.list()).map(({ name }) => name)).not.toContain('storage-key-rotation');
  await storage.close();
  expect(await (await open()).find(eventId)).toMatchObject({ event: { description: 'Detection 1' } });
});

test('events are held while the key store is locked, then stored, sent and reported', async () => {
  const { agent, service, directory, identity } = await startScene();
  await agent.close();
  const paths = devicePaths(directory);
  await mkdir(directory, { recursive: true });
  const { lock, keys } = lockable(await openDeviceKeys({ path: paths.keys }));
  const kinds: string[] = [];
  lock.isLocked = true;
  const working = await openAgent({
    identity,
    keys,
    storage: await openFileStorage({ directory: paths.store }),
    transport: createHttpTransport({
      baseUrl: service.url,
      deviceId: identity.deviceId,
      tenantId: identity.tenantId,
      credential: CREDENTIAL,
    }),
    clock: hastyClock(),
    statusEveryHours: 0,
    onNotice: ({ kind }) => {
      kinds.push(kind);
      throw new Error('the application fails');
    },
  });
  onTestFinished(() => working.close());
  expect(await working.record(detection(1))).toMatchObject({ kept: 'memory' });
  expect(working.health().store).toMatchObject({
    mode: 'safe_mode',
    reason: 'key_unavailable',
    heldInMemory: 1,
  });
  lock.isLocked = false;
  await expect.poll(() => service.feed.size).toBe(2);
  expect([...service.feed.values()].map(({ policy_id }) => policy_id).sort()).toEqual([
    'pol_agent-default-warn',
    'pol_agent-status',
  ]);
  expect(kinds).toEqual(['safe_mode', 'recovered']);
});
