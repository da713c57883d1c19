import type { AgentlessDevice } from '@tps/simulator';
import type { WebhookReceiver } from '@tps/testing/receiver';
import { waitUntil } from '@tps/testing/time';
import { expect, test } from 'vitest';
import {
  addTenant,
  findMissing,
  newPushedEvents,
  type PushService,
  receive,
  registerWebhook,
  startPushService,
  submitAll,
} from './push-service.ts';

const WEBHOOKS = 50;
const HANGING = 10;
const EVENTS_PER_TENANT = 5;
/** A busy machine may exceed the 10 s after which a hanging request is abandoned, but not in every round. */
const MAX_ROUNDS = 6;

interface Scene {
  readonly push: PushService;
  readonly devices: readonly AgentlessDevice[];
  /** Every fifth webhook of each tenant points to this receiver, which never answers. */
  readonly hanging: WebhookReceiver;
  readonly prompt: WebhookReceiver;
}

async function startScene(tenants: number): Promise<Scene> {
  const push = await startPushService();
  const devices = [push.device];
  while (devices.length < tenants) devices.push(await addTenant(push));
  const hanging = await receive({ respond: 'hang' });
  const prompt = await receive();
  for (const device of devices) {
    for (let index = 0; index < WEBHOOKS / tenants; index += 1) {
      const { url } = index < HANGING / tenants ? hanging : prompt;
      await registerWebhook(push.service, device, { url: `${url}/${index}` });
    }
  }
  return { push, devices, hanging, prompt };
}

/** Sends events and waits until all prompt webhooks have them. Returns how many hanging requests ended meanwhile. */
async function pushRound({ push, devices, hanging, prompt }: Scene): Promise<number> {
  const endedRequests = () => hanging.connections - hanging.openConnections;
  const before = { ended: endedRequests(), delivered: prompt.requests.length };
  const events = devices.map((device) => ({ device, events: newPushedEvents(device, EVENTS_PER_TENANT) }));
  for (const { device, events: some } of events) await submitAll(push.service, device, some);
  const expected = EVENTS_PER_TENANT * (WEBHOOKS - HANGING);
  await waitUntil(() => prompt.requests.length === before.delivered + expected);
  expect(
    findMissing(
      events.flatMap(({ events: some }) => some),
      prompt,
    ),
  ).toEqual([]);
  return endedRequests() - before.ended;
}

// If hanging receivers took the places of the others, deliveries would wait for an abandoned request in every round. The
// speed of prompt receivers beside hanging ones is measured in bench/.
test.each([1, 5])(
  `${HANGING} of ${WEBHOOKS} receivers in %i tenants hang: the others receive all events`,
  async (tenants) => {
    const scene = await startScene(tenants);
    const endedPerRound: number[] = [];
    while (!endedPerRound.includes(0) && endedPerRound.length < MAX_ROUNDS) {
      endedPerRound.push(await pushRound(scene));
    }
    expect(scene.hanging.requests.length).toBeGreaterThan(0);
    expect(endedPerRound).toContain(0);
  },
);
