import type { WebhookReceiver } from '@tps/testing/receiver';
import { expect, test, vi } from 'vitest';
import { passTime, SOON, usePushScene } from '../deliveries/testing/push-scene.ts';

const scene = usePushScene();
const PAUSE_S = 120;

/** A receiver that asks for a pause, in one of the two forms, until a test changes its response. */
async function createAsking(toHeader: (untilMs: number) => string) {
  const untilMs = Math.ceil(scene.clock.now() / 1000) * 1000 + PAUSE_S * 1000;
  const headers = { 'retry-after': toHeader(untilMs) };
  const receiver = await scene.receive({ status: 503, headers });
  const sender = await scene.createSender();
  const webhook = await sender.register(receiver.url);
  const eventIds = [(await sender.send()).event_id];
  await vi.waitFor(async () => expect(await webhook.deadLetters()).toHaveLength(1), SOON);
  return { receiver, sender, webhook, eventIds, untilMs };
}

/** Lets time pass until shortly before the end of the pause. Deliveries and probes would be due many times. */
async function passPause(untilMs: number): Promise<void> {
  for (let round = 0; scene.clock.now() < untilMs - 7_000; round += 1) {
    scene.clock.advance(5_000);
    // A delivery to another receiver shows that the dispatcher has looked for what is due.
    if (round % 8 === 0) await (await createOther()).arrived;
  }
}

async function createOther() {
  const receiver = await scene.receive(200);
  const sender = await scene.createSender();
  await sender.register(receiver.url);
  await sender.send();
  return { arrived: receiver.waitFor(1) };
}

function eventIdsOf({ requests }: WebhookReceiver): string[] {
  return requests.map(({ body }) => (JSON.parse(body) as { event_id: string }).event_id);
}

test.each([
  ['in seconds', () => String(PAUSE_S)],
  ['until a date', (untilMs: number) => new Date(untilMs).toUTCString()],
])('a receiver that asks for a pause %s gets nothing until it is over, then everything', async (_, form) => {
  const { receiver, sender, webhook, eventIds, untilMs } = await createAsking(form);
  const [dead] = await webhook.deadLetters();
  expect(dead).toMatchObject({
    attempts: 1,
    last_error: expect.stringMatching(/responded with 503 and asked for no requests before 20/),
  });
  const { circuit, next_probe_at: probe } = await webhook.read();
  expect(circuit).toBe('open');
  expect(Math.abs(Date.parse(probe ?? '') - untilMs)).toBeLessThan(2_000);

  eventIds.push(...(await sender.sendMany(3)));
  await passPause(Date.parse(probe ?? ''));
  expect(receiver.requests).toHaveLength(1);
  expect(await webhook.deadLetters()).toHaveLength(1);

  receiver.respondWith(200);
  await passTime(scene, async () => expect((await webhook.read()).circuit).toBe('closed'));
  await vi.waitFor(() => expect(new Set(eventIdsOf(receiver))).toEqual(new Set(eventIds)), SOON);
  expect(receiver.requests).toHaveLength(1 + eventIds.length);
});

test('a receiver that asks again waits again, and a test ends the pause', async () => {
  const { receiver, webhook, untilMs } = await createAsking(() => String(PAUSE_S));
  scene.clock.set(untilMs + 2_000);
  await receiver.waitFor(2);
  await passTime(scene, async () => {
    const { circuit, next_probe_at: probe } = await webhook.read();
    expect(circuit).toBe('open');
    expect(Date.parse(probe ?? '')).toBeGreaterThan(untilMs + 60_000);
  });
  receiver.respondWith(200);
  expect((await webhook.send('POST', '/test')).status).toBe(202);
  await receiver.waitFor(3);
  await passTime(scene, async () => expect((await webhook.read()).circuit).toBe('closed'));
});

test('deliveries that were claimed before the receiver asked for a pause wait as well', async () => {
  const receiver = await scene.receive({ status: 429, headers: { 'retry-after': '3600' } });
  const sender = await scene.createSender();
  const webhook = await sender.register(receiver.url);
  await sender.sendMany(40);
  await vi.waitFor(async () => expect(await webhook.deadLetters()).not.toHaveLength(0), SOON);
  scene.clock.advance(60_000);
  await (await createOther()).arrived;
  // One at a time until the receiver has proved itself.
  expect(receiver.requests).toHaveLength(1);
});
