import { registerTestDevice } from '@tps/testing/device';
import { findFreePort } from '@tps/testing/network';
import { type ReceivedRequest, type ReceiverReply, type Respond, useReceivers } from '@tps/testing/receiver';
import { registerTestWebhook, type TestWebhook, useTestService, WEBHOOK_ENV } from '@tps/testing/service';
import { describe, expect, test, vi } from 'vitest';

/** Three attempts, with pauses of 1 s and 2 s between them and up to 10 % more. */
const GIVES_UP_WITHIN = { timeout: 60_000, interval: 50 };
const LOCATION = 'location';

const startReceiver = useReceivers();
const receive = (respond: Respond | ReceiverReply) => startReceiver({ respond });
const service = useTestService({ env: WEBHOOK_ENV });

/** Accepts one event of a tenant whose only webhook points there. */
async function pushTo(url: string): Promise<TestWebhook> {
  const tenant = await service.createTenant();
  const webhook = await registerTestWebhook(service, { url, tenant });
  const device = await registerTestDevice(service, { tenant });
  expect((await device.post(device.event())).status).toBe(201);
  return webhook;
}

async function deadLetterOf(webhook: TestWebhook) {
  return vi.waitFor(async () => {
    const [entry] = await webhook.deadLetters();
    if (!entry) throw new Error('there is no dead letter yet');
    return entry;
  }, GIVES_UP_WITHIN);
}

function expectDelivered(webhook: TestWebhook, members: object) {
  return vi.waitFor(async () => {
    expect(await webhook.deliveries()).toMatchObject([{ status: 'delivered', ...members }]);
  }, GIVES_UP_WITHIN);
}

function pauses(requests: readonly ReceivedRequest[]): number[] {
  return requests
    .slice(1)
    .map((request, index) => request.receivedAtMs - (requests[index]?.receivedAtMs ?? 0));
}

/** They mostly wait, so they run concurrently. */
describe.concurrent('a receiver that', () => {
  test('is down gets three attempts, and then a dead letter with the reason', async () => {
    const webhook = await pushTo(`http://127.0.0.1:${await findFreePort()}/hook`);
    const entry = await deadLetterOf(webhook);
    expect(entry).toMatchObject({
      attempts: 3,
      last_status: null,
      last_error: 'The receiver refused the connection',
    });
    expect(await webhook.read()).toMatchObject({
      status: 'active',
      last_delivery_status: 'failed',
      last_delivery_error: 'The receiver refused the connection',
      last_delivery_attempts: 3,
    });
  });

  test.each<[string, ReceiverReply, { last_status: number | null; last_error: string }]>([
    [
      'resets each connection',
      'reset',
      { last_status: null, last_error: 'The receiver closed the connection before responding' },
    ],
    [
      'closes each connection',
      'hang up',
      { last_status: null, last_error: 'The receiver closed the connection before responding' },
    ],
    [
      'does not speak HTTP',
      { raw: 'SSH-2.0-OpenSSH_9.7\r\n' },
      { last_status: null, last_error: "The receiver's response is not valid HTTP" },
    ],
    ['responds with 503 each time', 503, { last_status: 503, last_error: 'The receiver responded with 503' }],
  ])('%s gets three attempts and leaves a dead letter', async (_, reply, telling) => {
    const receiver = await receive(reply);
    const entry = await deadLetterOf(await pushTo(receiver.url));
    expect(entry).toMatchObject({ attempts: 3, ...telling });
    expect(receiver.requests).toHaveLength(3);
    const [first = 0, second = 0] = pauses(receiver.requests);
    expect(first).toBeGreaterThanOrEqual(995);
    expect(second).toBeGreaterThanOrEqual(1995);
  });

  test('responds with 500 once gets the event at the second attempt', async () => {
    const receiver = await receive((_, index) => (index === 0 ? 500 : 200));
    const webhook = await pushTo(receiver.url);
    await expectDelivered(webhook, { attempts: 2, last_status: 200 });
    expect(receiver.requests).toHaveLength(2);
  });

  test('asks for a pause of 2 s with 429 gets it', async () => {
    const busy = { status: 429, headers: { 'retry-after': '2' } };
    const receiver = await receive((_, index) => (index === 0 ? busy : 200));
    const webhook = await pushTo(receiver.url);
    await expectDelivered(webhook, { attempts: 2 });
    expect(pauses(receiver.requests)[0]).toBeGreaterThanOrEqual(1995);
  });

  test.each([301, 302, 303, 307, 308])(
    'redirects with %i is not followed and not retried',
    async (status) => {
      const target = await receive(200);
      const receiver = await receive({ status, headers: { [LOCATION]: target.url } });
      const entry = await deadLetterOf(await pushTo(receiver.url));
      expect(entry).toMatchObject({
        attempts: 1,
        last_status: status,
        last_error: `The receiver responded with ${status}; redirects are not followed`,
      });
      expect(receiver.requests).toHaveLength(1);
      expect(target.connections).toBe(0);
    },
  );

  test('responds with 200 and an endless body has received its event before the 10 s timeout', async () => {
    const receiver = await receive({ trickle: 'body', everyMs: 50 });
    const webhook = await pushTo(receiver.url);
    await expectDelivered(webhook, { attempts: 1, last_status: 200 });
    const [delivery] = await webhook.deliveries();
    expect(delivery?.last_duration_ms).toBeLessThan(8_000);
    await vi.waitFor(() => expect(receiver.openConnections).toBe(0), GIVES_UP_WITHIN);
  });

  test.each<[string, ReceiverReply]>([
    ['hangs', 'hang'],
    ['trickles its head', { trickle: 'head', everyMs: 100 }],
  ])('%s times out after 10 s and is retried', async (_, reply) => {
    const receiver = await receive((__, index) => (index === 0 ? reply : 200));
    const webhook = await pushTo(receiver.url);
    await receiver.waitFor(1);
    await vi.waitFor(
      async () =>
        expect(await webhook.deliveries()).toMatchObject([
          { status: 'pending', attempts: 1, last_error: 'The receiver did not respond within 10 s' },
        ]),
      { timeout: 60_000, interval: 50 },
    );
    await expectDelivered(webhook, { attempts: 2 });
    const [pause = 0] = pauses(receiver.requests);
    // 10 s and the pause of 1 s. On a busy machine the receiver sees the first request late.
    expect(pause).toBeGreaterThanOrEqual(10_000);
    // A timeout of twice the length would be noticed, a busy machine not.
    expect(pause).toBeLessThan(20_000);
  });
});
