import type { DeadLetter, Incident, ProtectionStatus } from '@tps/contract';
import type { WebhookReceiver } from '@tps/testing/receiver';
import { describe, expect, test, vi } from 'vitest';
import {
  DAY_MS,
  passTime,
  readAudit,
  SOON,
  usePushScene,
  waitForDeadLetters,
} from '../deliveries/testing/push-scene.ts';

const scene = usePushScene();
/** Longer than any pause between probes. */
const MAX_PAUSE_MS = 6 * 60_000;
/** The shortest pause between probes. */
const PROBE_MS = 5_000;

function eventIdsOf({ requests }: WebhookReceiver, from = 0): string[] {
  return requests.slice(from).map(({ body }) => (JSON.parse(body) as { event_id: string }).event_id);
}

/** A webhook whose receiver is down, with this many dead letters. Its first probe is due by the clock. */
async function createDown(count: number, members: { auto_replay?: boolean } = {}, on = scene) {
  const receiver = await on.receive(503);
  const sender = await on.createSender();
  const webhook = await sender.register(receiver.url, members);
  const eventIds = await sender.sendMany(count, { severity: 'low' });
  await passTime(on, async () => expect(await webhook.deadLetters()).toHaveLength(count));
  const readStatus = async () => (await sender.call('GET', '/status')).body as ProtectionStatus;
  return { receiver, sender, webhook, eventIds, readStatus };
}

/** The pauses between probes do not depend on the store, and these tests wait 10 s: they run on SQLite only. */
const IS_SQLITE = process.env.TEST_STORE !== 'postgres';

describe('a receiver that was down', () => {
  test('gets its dead letters when it is back, in the order of the feed', async () => {
    const { receiver, webhook, eventIds, readStatus } = await createDown(8);
    const down = await webhook.read();
    expect(down).toMatchObject({ auto_replay: true, circuit: expect.stringMatching(/open/) });
    expect(await readStatus()).toMatchObject({
      status: 'degraded',
      reasons: ['1 webhook without response: dead letters wait until it is back'],
    });
    const before = receiver.requests.length;
    receiver.respondWith(200);
    await passTime(scene, async () => expect(await webhook.deadLetters()).toEqual([]));
    await passTime(scene, async () =>
      expect(await webhook.read()).toMatchObject({ circuit: 'closed', next_probe_at: null }),
    );
    const arrived = eventIdsOf(receiver, before);
    expect(new Set(arrived)).toEqual(new Set(eventIds));
    // A probe, then batches of two and four, in the order of the feed.
    expect(arrived[0]).toBe(eventIds[0]);
    expect(new Set(arrived.slice(1, 3))).toEqual(new Set(eventIds.slice(1, 3)));
    expect(new Set(arrived.slice(3, 7))).toEqual(new Set(eventIds.slice(3, 7)));
    const keys = receiver.requests.map(({ headers }) => headers['x-service-idempotency-key']);
    expect(new Set(keys).size).toBe(keys.length);
    expect(await readStatus()).toMatchObject({ status: 'protected', reasons: [] });
    const audit = await readAudit(scene, webhook.webhookId);
    const replays = audit.filter(({ action }) => action === 'webhook.replay');
    // A probe may have failed before.
    const entryIds = replays.map(({ fields }) => fields.entry_id);
    expect(new Set(entryIds).size).toBe(8);
    expect(replays.at(-1)).toMatchObject({
      actor_type: 'service',
      outcome: 'success',
      fields: { entry_id: expect.stringMatching(/^dlq_/), event_id: expect.stringMatching(/^evt_/) },
    });
    expect(scene.service.log()).toMatch(/webhook does not respond: its receiver is probed/);
    expect(scene.service.log()).toMatch(/webhook responds again/);
  });

  test('is noted in the incident about its dead letters when it is back', async () => {
    const { receiver, sender, webhook } = await createDown(10);
    const findings = async () => {
      const { data } = (await sender.call('GET', '/incidents')).body as { data: Incident[] };
      return data.filter(({ category }) => category === 'monitoring');
    };
    const [opened] = await findings();
    expect(opened?.message).toMatch(/At least 10 deliveries/);
    receiver.respondWith(200);
    await passTime(scene, async () => expect((await webhook.read()).circuit).toBe('closed'));
    const message = `Webhook ${webhook.webhookId} responds again; dead letters replayed: 10`;
    expect(await findings()).toMatchObject([{ id: opened?.id, status: 'open', message }]);
    const { body } = await sender.call('GET', `/incidents/${opened?.id}`);
    expect((body as Incident).timeline?.at(-1)).toMatchObject({ kind: 'changed', actor: 'service', message });
  });

  test.runIf(IS_SQLITE)('is probed with its oldest dead letter, at growing intervals', async () => {
    const { receiver, webhook, eventIds } = await createDown(3);
    const before = receiver.requests.length;
    // Five failed probes, after pauses of 5, 10, 20, 40 and 80 s.
    await passTimeBy(PROBE_MS, async () => {
      const { next_probe_at: nextProbeAt } = await webhook.read();
      expect(Date.parse(nextProbeAt ?? '') - scene.clock.now()).toBeGreaterThan(100_000);
    });
    expect(new Set(eventIdsOf(receiver, before))).toEqual(new Set(eventIds.slice(0, 1)));
    expect(await webhook.deadLetters()).toHaveLength(3);
  });

  test.runIf(IS_SQLITE)('is probed at once when a new event is delivered', async () => {
    const { receiver, sender, webhook } = await createDown(2);
    await passTimeBy(PROBE_MS, async () => {
      const { next_probe_at: nextProbeAt } = await webhook.read();
      expect(Date.parse(nextProbeAt ?? '') - scene.clock.now()).toBeGreaterThan(60_000);
    });
    receiver.respondWith(200);
    const startedAtMs = scene.clock.now();
    await sender.send({ severity: 'low' });
    await passTimeBy(50, async () => expect(await webhook.deadLetters()).toEqual([]));
    expect(scene.clock.now() - startedAtMs).toBeLessThan(60_000);
  });

  test('that fails again during the replay is probed again, and gets the rest later', async () => {
    const { receiver, webhook, eventIds } = await createDown(12);
    const before = receiver.requests.length;
    const handled = new Set<string>();
    let isDown = false;
    receiver.respondWith(({ body }) => {
      const { event_id: eventId } = JSON.parse(body) as { event_id: string };
      if (!isDown && handled.size >= 4) isDown = true;
      if (isDown) return 503;
      handled.add(eventId);
      return 200;
    });
    await passTime(scene, async () => {
      expect(isDown).toBe(true);
      expect((await webhook.read()).circuit).toBe('open');
    });
    const left = await webhook.deadLetters();
    expect(left).toHaveLength(eventIds.length - handled.size);
    expect(before).toBeLessThan(receiver.requests.length);
    receiver.respondWith(200);
    await passTime(scene, async () => expect((await webhook.read()).circuit).toBe('closed'));
    expect(await webhook.deadLetters()).toEqual([]);
    expect(new Set(eventIdsOf(receiver, before))).toEqual(new Set(eventIds));
  });
});

describe('dead letters stay', () => {
  test('if the webhook has opted out, until it opts in', async () => {
    const { receiver, webhook, readStatus } = await createDown(2, { auto_replay: false });
    expect(await webhook.read()).toMatchObject({
      auto_replay: false,
      circuit: 'closed',
      next_probe_at: null,
    });
    expect((await readStatus()).reasons).toEqual([]);
    receiver.respondWith(200);
    const { length } = receiver.requests;
    await expectQuiet(() => receiver.requests.length, length);
    const changed = await webhook.send('PATCH', '', { auto_replay: true });
    expect(changed.body).toMatchObject({ auto_replay: true });
    await passTime(scene, async () => expect(await webhook.deadLetters()).toEqual([]));
  });

  test('if the webhook is disabled, until it is enabled', async () => {
    const { receiver, webhook } = await createDown(2);
    await webhook.send('PATCH', '', { status: 'disabled' });
    expect(await webhook.read()).toMatchObject({ next_probe_at: null });
    receiver.respondWith(200);
    scene.clock.advance(MAX_PAUSE_MS);
    const { length } = receiver.requests;
    await expectQuiet(() => receiver.requests.length, length);
    await webhook.send('PATCH', '', { status: 'active' });
    await passTime(scene, async () => expect(await webhook.deadLetters()).toEqual([]));
  });

  test('if the receiver refused them: neither probed nor replayed', async () => {
    const receiver = await scene.receive(404);
    const sender = await scene.createSender();
    const webhook = await sender.register(receiver.url);
    await sender.send();
    const [entry] = await waitForDeadLetters(webhook);
    receiver.respondWith(200);
    await expectQuiet(() => receiver.requests.length, 1);
    expect(await webhook.read()).toMatchObject({ circuit: 'closed' });
    // A later one that got no response is replayed; the refused one stays.
    receiver.respondWith(503);
    await sender.send();
    await passTime(scene, async () => expect(await webhook.deadLetters()).toHaveLength(2));
    receiver.respondWith(200);
    await passTime(scene, async () => expect((await webhook.read()).circuit).toBe('closed'));
    expect(await webhook.deadLetters()).toMatchObject([{ entry_id: entry?.entry_id }]);
  });

  test('for 7 days after they failed, however often they are probed', async () => {
    const { receiver, webhook } = await createDown(1);
    const [entry] = (await webhook.deadLetters()) as [DeadLetter];
    const probedOnce = receiver.requests.length + 3;
    await passTime(scene, () => expect(receiver.requests.length).toBeGreaterThanOrEqual(probedOnce));
    await passTime(scene, async () => expect((await webhook.read()).circuit).toBe('open'));
    const [again] = await webhook.deadLetters();
    expect([again?.failed_at, again?.expires_at]).toEqual([entry.failed_at, entry.expires_at]);
    scene.clock.advance(7 * DAY_MS);
    await passTime(scene, async () => expect((await webhook.read()).circuit).toBe('closed'));
  });
});

describe('after a restart of the service', () => {
  const restarted = usePushScene();

  test('a receiver that was down gets its dead letters', async () => {
    const { receiver, webhook } = await createDown(3, {}, restarted);
    // The probe is under way or waits.
    await restarted.restart();
    receiver.respondWith(200);
    await passTime(restarted, async () => expect((await webhook.read()).circuit).toBe('closed'));
    expect(await webhook.deadLetters()).toEqual([]);
  });
});

/** Like `passTime`, in steps of `stepMs`. */
async function passTimeBy(stepMs: number, check: () => Promise<void>): Promise<void> {
  await vi.waitFor(async () => {
    scene.clock.advance(stepMs);
    await check();
  }, SOON);
}

/** Lets the time of several probes pass, and expects that nothing changes. */
async function expectQuiet(read: () => number, expected: number): Promise<void> {
  for (let step = 0; step < 3; step += 1) {
    scene.clock.advance(MAX_PAUSE_MS);
    // A round of the dispatcher passes with each request of another tenant's delivery.
    const sender = await scene.createSender();
    const other = await scene.receive();
    const webhook = await sender.register(other.url);
    await sender.send();
    await other.waitFor(1);
    expect(await webhook.read()).toMatchObject({ circuit: 'closed' });
  }
  expect(read()).toBe(expected);
}
