import { useFixture } from '@tps/testing/fixture';
import { createTestAuthority, findFreePort, startDnsStandIn } from '@tps/testing/network';
import { startReceiver } from '@tps/testing/receiver';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { OutboundClient, type OutboundClientOptions } from './outbound-client.ts';
import { TargetRejectedError } from './target-rejected-error.ts';

const REQUEST = { headers: {}, body: '{}' };
const PUBLIC = '93.184.216.34';
const NOT_PUBLIC = 'the host of the URL has an address that is not public';

const dns = useFixture(startDnsStandIn, { close: (server) => server.close(), scope: 'test' });
let client: OutboundClient;
beforeEach(() => {
  client = startClient({});
});

function startClient(options: Partial<OutboundClientOptions>): OutboundClient {
  const started = new OutboundClient({ allowInsecureTargets: false, dnsServers: [dns.address], ...options });
  onTestFinished(() => started.close());
  return started;
}

async function refusal(url: string, by = client): Promise<string> {
  const error = await by.checkTarget(url).catch((caught: unknown) => caught);
  if (error === undefined) return 'accepted';
  expect(error).toBeInstanceOf(TargetRejectedError);
  return (error as Error).message;
}

describe('checking a target', () => {
  test('a name with public addresses passes', async () => {
    dns.answer('hooks.test', [PUBLIC, '2606:4700::1111']);
    expect(await refusal('https://hooks.test/path')).toBe('accepted');
  });

  test('a public address passes without a DNS query', async () => {
    expect(await refusal(`https://${PUBLIC}/`)).toBe('accepted');
    expect(await refusal('https://[2606:4700::1111]/')).toBe('accepted');
    expect(dns.queries()).toEqual([]);
  });

  test.each([
    ['loopback', ['127.0.0.1']],
    ['IPv6 loopback', ['::1']],
    ['private', ['10.1.2.3']],
    ['carrier-grade NAT', ['100.64.1.1']],
    ['metadata of a cloud', ['169.254.169.254']],
    ['metadata of a cloud over IPv6', ['fd00:ec2::254']],
    ['unspecified', ['0.0.0.0']],
    ['mapped', ['::ffff:127.0.0.1']],
    ['mapped public', [`::ffff:${PUBLIC}`]],
    ['NAT64', ['64:ff9b::7f00:1']],
    ['6to4', ['2002:7f00:1::1']],
    ['private after public', [PUBLIC, '192.168.0.1']],
    ['private before public', ['192.168.0.1', PUBLIC]],
    ['unique local among public', [PUBLIC, 'fd00::1']],
  ])('a name with an address that is %s is rejected', async (_, addresses) => {
    dns.answer('hooks.test', addresses);
    expect(await refusal('https://hooks.test/')).toBe(NOT_PUBLIC);
  });

  test('a name that does not exist is rejected with a specific message', async () => {
    expect(await refusal('https://missing.test/')).toBe('the host of the URL could not be resolved');
  });

  test('a name whose lookup never completes is rejected', async () => {
    dns.ignore('silent.test');
    expect(await refusal('https://silent.test/')).toBe('the host of the URL could not be resolved');
  });

  test('a private address is rejected even where loopback is allowed', async () => {
    const lenient = startClient({ allowInsecureTargets: true });
    dns.answer('loop.test', ['127.0.0.1']);
    dns.answer('private.test', ['10.0.0.1']);
    dns.answer('metadata.test', ['169.254.169.254']);
    dns.answer('mixed.test', ['127.0.0.1', '10.0.0.1']);
    const names = ['loop', 'private', 'metadata', 'mixed'].map((name) => `https://${name}.test/`);
    const results = await Promise.all(names.map((url) => refusal(url, lenient)));
    expect(results).toEqual(['accepted', NOT_PUBLIC, NOT_PUBLIC, NOT_PUBLIC]);
    expect(await refusal('http://localhost:1234/', lenient)).toBe('accepted');
  });
});

describe('posting', () => {
  test.each([
    ['https://10.0.0.1/', 'The address is not public'],
    ['https://0x7f.1/', 'The host is this machine'],
    ['http://hooks.test/', 'It must begin with https://'],
  ])('a rejected URL is not called either: %s', async (url, message) => {
    expect(await client.post(url, REQUEST)).toMatchObject({ kind: 'failed', reason: 'target', message });
  });

  test('a name that moved to loopback since the check is not connected to', async () => {
    const receiver = await startReceiver();
    onTestFinished(receiver.close);
    let addresses = [PUBLIC];
    dns.answer('rebinding.test', () => addresses);
    const url = `https://rebinding.test:${receiver.port}/`;
    expect(await refusal(url)).toBe('accepted');
    addresses = ['127.0.0.1'];
    expect(await client.post(url, REQUEST)).toMatchObject({
      kind: 'failed',
      reason: 'target',
      message: 'The host of the URL has an address that is not public',
    });
    expect(receiver.connections).toBe(0);
  });

  test('one private address among loopback ones rejects the host', async () => {
    const receiver = await startReceiver();
    onTestFinished(receiver.close);
    dns.answer('mixed.test', ['127.0.0.1', '10.0.0.1']);
    const lenient = startClient({ allowInsecureTargets: true });
    const outcome = await lenient.post(`https://mixed.test:${receiver.port}/`, REQUEST);
    expect(outcome).toMatchObject({ kind: 'failed', reason: 'target' });
    expect(receiver.connections).toBe(0);
  });

  test('a name that cannot be resolved now is a temporary failure', async () => {
    expect(await client.post('https://missing.test/', REQUEST)).toMatchObject({
      kind: 'failed',
      reason: 'connection',
      message: 'The host of the URL could not be resolved',
    });
  });

  test('waiting for a name server counts towards the connection timeout', async () => {
    dns.ignore('silent.test');
    const hurried = startClient({ timeouts: { connectMs: 200 } });
    const outcome = await hurried.post('https://silent.test/', REQUEST);
    expect(outcome).toMatchObject({
      kind: 'failed',
      reason: 'timeout',
      message: 'The connection was not established within 0.2 s',
    });
    // The lookup itself ends after 3 s.
    expect(outcome.durationMs).toBeLessThan(3_000);
  });

  test('no message contains an address that was not in the URL', async () => {
    dns.answer('down.test', ['127.0.0.1']);
    dns.answer('private.test', ['10.9.8.7']);
    const lenient = startClient({ allowInsecureTargets: true });
    const urls = [
      `https://down.test:${await findFreePort()}/`,
      'https://private.test/',
      'https://missing.test/',
    ];
    const outcomes = await Promise.all(urls.map((url) => lenient.post(url, REQUEST)));
    const messages = outcomes.map((outcome) => (outcome.kind === 'failed' ? outcome.message : ''));
    expect(messages.join()).toMatch(/refused the connection.*not public.*not be resolved/);
    expect(messages.join()).not.toMatch(/\d/);
  });

  test('the certificate must match the name in the URL, however it resolves', async () => {
    const authority = createTestAuthority();
    onTestFinished(authority.remove);
    const receiver = await startReceiver({ tls: authority.issue({ names: 'DNS:hooks.test' }) });
    onTestFinished(receiver.close);
    dns.answer('hooks.test', ['127.0.0.1']);
    dns.answer('other.test', ['127.0.0.1']);
    const lenient = startClient({ allowInsecureTargets: true, ca: authority.ca });
    expect(await lenient.post(`https://hooks.test:${receiver.port}/`, REQUEST)).toMatchObject({
      status: 200,
    });
    expect(await lenient.post(`https://other.test:${receiver.port}/`, REQUEST)).toMatchObject({
      message: "The receiver's certificate is for another name",
    });
  });
});
