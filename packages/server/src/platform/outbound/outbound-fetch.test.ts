import { startDnsStandIn } from '@tps/testing/network';
import { type ReceiverOptions, startReceiver } from '@tps/testing/receiver';
import { describe, expect, onTestFinished, test } from 'vitest';
import { OutboundClient, type OutboundClientOptions } from './outbound-client.ts';

const GET = { method: 'GET', headers: { accept: 'application/json' } };

function startClient(options: Partial<OutboundClientOptions> = {}): OutboundClient {
  const client = new OutboundClient({ allowInsecureTargets: true, ...options });
  onTestFinished(() => client.close());
  return client;
}

async function start(respond: ReceiverOptions['respond']) {
  const receiver = await startReceiver({ respond: respond ?? 200 });
  onTestFinished(receiver.close);
  return receiver;
}

describe('fetch', () => {
  test('returns the whole response, and sends a form as given', async () => {
    const receiver = await start({ status: 400, headers: { 'content-type': 'a/b' }, body: '{"a":1}' });
    const body = new URLSearchParams({ code: 'a b' });
    const response = await startClient().fetch(receiver.url, { method: 'POST', headers: {}, body });
    expect([response.status, response.headers.get('content-type'), await response.text()]).toEqual([
      400,
      'a/b',
      '{"a":1}',
    ]);
    expect(receiver.requests[0]).toMatchObject({ method: 'POST', path: '/hook', body: 'code=a+b' });
  });

  test('reuses the connection', async () => {
    const receiver = await start({ status: 200, body: 'x' });
    const client = startClient();
    for (let count = 0; count < 3; count += 1) await client.fetch(receiver.url, GET);
    expect(receiver.connections).toBe(1);
  });

  test('does not follow a redirect', async () => {
    const inner = await start(200);
    const receiver = await start({ status: 302, headers: { location: inner.url } });
    expect((await startClient().fetch(receiver.url, GET)).status).toBe(302);
    expect(inner.connections).toBe(0);
  });

  test('reads at most 256 KiB of a body', async () => {
    const receiver = await start({ bodyBytes: 2 ** 30 });
    await expect(startClient().fetch(receiver.url, GET)).rejects.toThrow('the response is too long');
    await expect.poll(() => receiver.openConnections).toBe(0);
  });

  test.each([
    ['head', { trickle: 'head', everyMs: 5 }],
    ['body', { trickle: 'body', everyMs: 5 }],
  ] as const)('gives up on a %s that trickles', async (_, respond) => {
    const receiver = await start(respond);
    const client = startClient({ timeouts: { answerMs: 150 } });
    await expect(client.fetch(receiver.url, GET)).rejects.toMatchObject({ name: 'TimeoutError' });
    await expect.poll(() => receiver.openConnections).toBe(0);
  });

  test('contacts neither this machine nor a name of it unless that is allowed', async () => {
    const receiver = await start(200);
    const dns = await startDnsStandIn();
    onTestFinished(dns.close);
    dns.answer('rebound.test', ['10.0.0.1']);
    const client = startClient({ allowInsecureTargets: false, dnsServers: [dns.address] });
    for (const url of [receiver.url, 'https://rebound.test/', 'https://169.254.169.254/latest']) {
      await expect(client.fetch(url, GET), url).rejects.toMatchObject({ name: 'TargetRejectedError' });
    }
    expect(receiver.connections).toBe(0);
  });

  test('ends when the service stops', async () => {
    const receiver = await start('hang');
    const client = startClient();
    const pending = client.fetch(receiver.url, GET);
    const ended = expect(pending).rejects.toThrow();
    await receiver.waitFor(1);
    await client.close();
    await ended;
    expect(client.load.requests).toBe(0);
    await expect(client.fetch(receiver.url, GET)).rejects.toThrow();
  });
});
