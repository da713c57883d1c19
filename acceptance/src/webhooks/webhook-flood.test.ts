import { readFileSync } from 'node:fs';
import { waitUntil } from '@tps/testing/time';
import { expect, test } from 'vitest';
import {
  countUnsettled,
  newPushedEvents,
  receive,
  registerWebhook,
  startPushService,
  submitAll,
} from './push-service.ts';

const GIBIBYTE = 1024 ** 3;
const MEBIBYTE = 1024 ** 2;
const EVENTS = 40;
/** Bytes read by the service, and in the buffers of both sockets when it disconnects. */
const TAKEN_PER_ANSWER = 16 * MEBIBYTE;
/** Memory that the service may grow by for any reason: the time of a garbage collection varies. */
const GROWTH = 64 * MEBIBYTE;

/** The peak memory of a process. */
function peakOf(pid: number): number {
  const [, kibibytes] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  if (kibibytes === undefined) throw new Error('the system does not report the memory of a process');
  return Number(kibibytes) * 1024;
}

test(`${EVENTS} answers of 1 GiB each count as success, are cut off, and use no memory`, async () => {
  const { store, service, device } = await startPushService();
  const receiver = await receive();
  await registerWebhook(service, device, receiver);
  const settle = async () => {
    await submitAll(service, device, newPushedEvents(device, EVENTS));
    await waitUntil(async () => (await countUnsettled(store.url)) === 0);
  };
  await settle();
  const before = peakOf(service.pid);
  receiver.respondWith({ bodyBytes: GIBIBYTE });
  await settle();

  expect(receiver.requests).toHaveLength(2 * EVENTS);
  const { credential } = device;
  const response = await fetch(`${service.baseUrl}/webhooks/dlq`, {
    headers: { authorization: `Bearer ${credential}` },
  });
  expect(await response.json()).toMatchObject({ data: [] });
  expect(peakOf(service.pid) - before).toBeLessThan(GROWTH);
  expect(receiver.bytesWritten).toBeLessThan(EVENTS * TAKEN_PER_ANSWER);
});
