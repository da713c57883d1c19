import { useFixture } from '@tps/testing/fixture';
import { startDnsStandIn } from '@tps/testing/network';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createResolver, HostUnresolvedError } from './resolve-host.ts';
import { TargetRejectedError } from './target-rejected-error.ts';

const dns = useFixture(startDnsStandIn, { close: (server) => server.close(), scope: 'test' });

const resolver = () => createResolver({ dnsServers: [dns.address] });

test('a name resolves to its IPv4 and IPv6 addresses', async () => {
  dns.answer('hooks.test', ['93.184.216.34', '93.184.216.35', '2606:4700::1111']);
  expect(await resolver()('hooks.test')).toEqual(['93.184.216.34', '93.184.216.35', '2606:4700::1111']);
});

test.each([['93.184.216.34'], ['2606:4700::1111']])(
  'a name with only %s resolves to that address',
  async (address) => {
    dns.answer('hooks.test', [address]);
    expect(await resolver()('hooks.test')).toEqual([address]);
  },
);

test('a name that does not exist or has no addresses is not resolved', async () => {
  dns.answer('empty.test', []);
  await expect(resolver()('missing.test')).rejects.toThrow(HostUnresolvedError);
  await expect(resolver()('empty.test')).rejects.toThrow(HostUnresolvedError);
});

test('a name whose lookup never completes is abandoned after 3 s, with any number of servers', async () => {
  dns.ignore('silent.test');
  const second = await startDnsStandIn();
  onTestFinished(second.close);
  second.ignore('silent.test');
  const resolve = createResolver({ dnsServers: [dns.address, second.address] });
  // The timers of the queries themselves are not faked. They would need 6 s for two servers.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const outcomes: unknown[] = [];
  const lookup = resolve('silent.test').catch((error: unknown) => outcomes.push(error));
  await vi.advanceTimersByTimeAsync(2_999);
  expect(outcomes).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  await lookup;
  expect(outcomes).toEqual([new HostUnresolvedError('no answer in time')]);
});

test('more than 32 addresses are rejected', async () => {
  const addresses = Array.from({ length: 33 }, (_, number) => `93.184.216.${number}`);
  dns.answer('many.test', addresses.slice(1));
  dns.answer('more.test', addresses);
  expect(await resolver()('many.test')).toHaveLength(32);
  await expect(resolver()('more.test')).rejects.toThrow(TargetRejectedError);
});

test('concurrent lookups share a query, later ones query again', async () => {
  dns.answer('hooks.test', ['93.184.216.34']);
  const resolve = resolver();
  await Promise.all([resolve('hooks.test'), resolve('hooks.test'), resolve('hooks.test')]);
  expect(dns.queries().map(({ type }) => type)).toEqual(['A', 'AAAA']);
  await resolve('hooks.test');
  expect(dns.queries()).toHaveLength(4);
});

test('an address and localhost cause no query', async () => {
  const resolve = resolver();
  expect(await resolve('93.184.216.34')).toEqual(['93.184.216.34']);
  expect(await resolve('2606:4700::1111')).toEqual(['2606:4700::1111']);
  expect(await resolve('localhost')).toEqual(['127.0.0.1', '::1']);
  expect(await resolve('api.localhost')).toEqual(['127.0.0.1', '::1']);
  expect(dns.queries()).toEqual([]);
});

test('without name servers the operating system is asked', async () => {
  await expect(createResolver({})('missing.invalid')).rejects.toThrow(HostUnresolvedError);
});

test('name servers may have IPv6 addresses', () => {
  expect(() => createResolver({ dnsServers: [{ host: '::1', port: 5353 }] })).not.toThrow();
});
