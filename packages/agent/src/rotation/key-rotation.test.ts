import { describe, expect, test } from 'vitest';
import { systemClock } from '../clock/system-clock.ts';
import { refusal } from '../testing/checking-service.ts';
import { detection, startScene } from '../testing/enrolled-agent.ts';

describe('the signing key', () => {
  test('is rotated, and waiting events are sent under the new key', async () => {
    const { agent, service } = await startScene();
    await agent.record(detection(1));
    await agent.rotateSigningKey();
    expect(service.received.at(-1)).toMatchObject({ signatures: [{ label: 'old' }, { label: 'new' }] });
    expect(await agent.flush()).toBe(true);
    expect(service.batches).toHaveLength(1);
  });

  test('is not rotated while events that it signed are in flight', async () => {
    let resolve = () => {};
    const exchanged = new Promise<void>((settle) => {
      resolve = settle;
    });
    const { agent, service, open } = await startScene();
    await agent.close();
    const slow = await open({
      fetch: async (url, init) => {
        if (String(url).endsWith('/batch')) {
          await Promise.race([exchanged, systemClock.sleep(50, new AbortController().signal)]);
        }
        const response = await fetch(url, init);
        if (String(url).endsWith('/keys')) resolve();
        return response;
      },
    });
    await slow.record(detection(1));
    const [isSent] = await Promise.all([slow.flush(), slow.rotateSigningKey()]);
    expect(isSent).toBe(true);
    expect(service.feed.size).toBe(1);
  });

  test.each(['disconnect', 'disconnect_after'] as const)(
    'is found out after a rotation without an answer (%s) and a crash',
    async (outcome) => {
      const { agent, service, open } = await startScene();
      await agent.record(detection(1));
      service.state.rotations.push(outcome);
      await expect(agent.rotateSigningKey()).rejects.toThrow(/not yet known/);
      await agent.close();
      const again = await open();
      expect(await again.flush()).toBe(true);
      expect(service.feed.size).toBe(1);
      await again.rotateSigningKey();
    },
  );

  test('is not lost when the service rotates it after it was asked', async () => {
    const { agent, service, identity } = await startScene();
    service.state.rotations.push('disconnect');
    await expect(agent.rotateSigningKey()).rejects.toThrow(/not yet known/);
    const late = String(service.received.at(-1)?.body.public_key_b64);
    await agent.record(detection(1));
    expect(await agent.flush()).toBe(true);
    service.exchange(identity.deviceId, late);
    await agent.record(detection(2));
    expect(await agent.flush()).toBe(false);
    expect(agent.health().upload).toMatchObject({ refusal: 'invalid_signature' });
    expect(await agent.flush()).toBe(true);
    expect(service.feed.size).toBe(2);
  });

  test('is looked up again after a second rotation without an answer', async () => {
    const { agent, service } = await startScene();
    await agent.record(detection(1));
    service.state.rotations.push('disconnect', 'disconnect_after');
    await expect(agent.rotateSigningKey()).rejects.toThrow(/not yet known/);
    await expect(agent.rotateSigningKey()).rejects.toThrow(/not yet known/);
    expect(await agent.flush()).toBe(true);
  });

  test('that the service never learned of is discarded after 2 minutes, having been asked for once', async () => {
    let aheadMs = 0;
    const clock = { nowMs: () => Date.now() + aheadMs, sleep: systemClock.sleep };
    const { agent, service } = await startScene({ clock });
    service.state.rotations.push('disconnect');
    await expect(agent.rotateSigningKey()).rejects.toThrow(/not yet known/);
    const registrations = () => service.received.filter(({ path }) => path === '/devices').length;
    const before = registrations();
    for (const wait of [0, 1000, 3 * 60_000, 1000]) {
      aheadMs += wait;
      await agent.refreshPolicies();
      await agent.record(detection(wait));
      expect(await agent.flush()).toBe(true);
    }
    expect(registrations() - before).toBe(2);
  });

  test('is looked up again later when the service refuses to say which one it knows', async () => {
    const { agent, service } = await startScene();
    service.state.rotations.push('disconnect_after');
    await expect(agent.rotateSigningKey()).rejects.toThrow(/not yet known/);
    await agent.record(detection(1));
    service.state.registrations.push(refusal(401, 'invalid_credentials'), refusal(403, 'device_revoked'));
    expect(await agent.flush()).toBe(false);
    expect(agent.health().upload).toMatchObject({ state: 'backing_off', refusal: 'invalid_credentials' });
    expect(await agent.flush()).toBe(false);
    expect(agent.health().upload).toMatchObject({ state: 'stopped', refusal: 'device_revoked' });
    agent.resume();
    expect(await agent.flush()).toBe(true);
    expect(service.feed.size).toBe(1);
  });

  test('stays when the service refuses the rotation', async () => {
    const { agent, service } = await startScene();
    service.state.rotations.push(refusal(403, 'insufficient_scope'));
    await expect(agent.rotateSigningKey()).rejects.toMatchObject({ code: 'insufficient_scope' });
    await agent.record(detection(1));
    expect(await agent.flush()).toBe(true);
    expect(service.received.filter(({ path }) => path === '/devices')).toHaveLength(1);
  });
});

test('the storage key is rotated without losing stored events', async () => {
  const { agent, open, service } = await startScene();
  const { eventId } = await agent.record(detection(1));
  await agent.rotateStorageKey();
  await agent.record(detection(2));
  await agent.close();
  const again = await open();
  expect(await again.find(eventId)).toMatchObject({ event: { description: 'Detection 1' } });
  expect(await again.flush()).toBe(true);
  expect(service.feed.size).toBe(2);
});
