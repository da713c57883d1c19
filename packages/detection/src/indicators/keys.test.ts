import { describe, expect, test } from 'vitest';
import { IndicatorFormError, toCanonicalValue } from './canonical-value.ts';
import type { IndicatorType } from './indicator.ts';
import { keyOf, keysOfApp, keysOfUrl } from './keys.ts';

describe('the canonical value', () => {
  test.each<[IndicatorType, string, string]>([
    ['domain', ' Exämple.COM. ', 'xn--exmple-cua.com'],
    ['domain', 'evil.github.io', 'evil.github.io'],
    ['domain', 'a_b.example.org', 'a_b.example.org'],
    ['domain', '8.8.8.8', '8.8.8.8'],
    ['domain', '2001:4860:0:0::8888', '2001:4860::8888'],
    ['domain', '::ffff:8.8.8.8', '8.8.8.8'],
    ['domain', '8.8.8.8.', '8.8.8.8'],
    ['url', 'HTTPS://user:word@Evil.example:8443//a%7eb/%2f/c/?q=%61#part', 'evil.example/a~b/%2F/c?q=a'],
    ['url', 'evil.example', 'evil.example/'],
    ['url', 'http:\\\\evil.example\\a\\..\\b', 'evil.example/b'],
    ['url', 'http://0x08080808/a', '8.8.8.8/a'],
    ['url', 'http://[2001:4860::8888]/a', '[2001:4860::8888]/a'],
    ['sha256', 'A'.repeat(64), 'a'.repeat(64)],
    ['certificate', Array(20).fill('AB').join(':'), 'ab'.repeat(20)],
    ['package', 'com.Example.app_1', 'com.Example.app_1'],
  ])('of the %s %s is %s, and of that itself', (type, value, canonical) => {
    expect(toCanonicalValue(type, value)).toBe(canonical);
    expect(toCanonicalValue(type, canonical)).toBe(canonical);
  });

  test.each<[IndicatorType, string, RegExp]>([
    ['domain', '', /1 to 4096/],
    ['domain', 'com', /public suffix/],
    ['domain', 'co.uk', /public suffix/],
    ['domain', 'github.io', /public suffix/],
    ['domain', 'localhost', /public suffix/],
    ['domain', 'http://evil.example', /use the type url/],
    ['domain', 'evil.example/path', /use the type url/],
    ['domain', 'evil.example:80', /use the type url/],
    ['domain', '203.0.113.0/24', /range/],
    ['domain', '2001:db8::/32', /range/],
    ['domain', '192.168.1.1', /not on the public internet/],
    ['domain', '0x7f.1', /not on the public internet/],
    ['domain', '::ffff:127.0.0.1', /not on the public internet/],
    ['domain', '010.010.010.010', /leading zeros/],
    ['domain', '1700000000', /leading zeros/],
    ['domain', '8.8', /leading zeros/],
    ['url', 'http://[::ffff:192.168.1.1]/a', /not on the public internet/],
    ['domain', '::1', /not on the public internet/],
    ['domain', 'hello world', /neither a domain name/],
    ['domain', 'evil.example:8080', /use the type url/],
    ['domain', 'evil..example', /neither a domain name/],
    ['domain', 'evil.example..', /neither a domain name/],
    ['domain', 'ä8.8.8.8..', /neither a domain name/],
    ['domain', '-evil.example', /neither a domain name/],
    ['domain', `${'a'.repeat(64)}.example`, /neither a domain name/],
    ['url', 'http://10.0.0.1/a', /not on the public internet/],
    ['url', 'http://intranet/a', /no domain/],
    ['url', 'http://', /neither a host name/],
    ['url', `evil.example/${'a'.repeat(5000)}`, /1 to 4096/],
    ['sha256', 'a'.repeat(63), /64 hexadecimal/],
    ['certificate', 'a'.repeat(32), /64 hexadecimal/],
    ['package', 'word', /two or more parts/],
    ['package', 'com.evil app', /two or more parts/],
  ])('is refused for the %s %s', (type, value, why) => {
    expect(() => toCanonicalValue(type, value)).toThrow(IndicatorFormError);
    expect(() => toCanonicalValue(type, value)).toThrow(why);
  });
});

describe('a URL is found by', () => {
  const isHit = (address: string, type: IndicatorType, listed: string) =>
    keysOfUrl(address).some((key) => key.type === type && key.digest === keyOf(type, listed).digest);

  test.each<[string, IndicatorType, string]>([
    ['https://a.b.evil.example/x', 'domain', 'a.b.evil.example'],
    ['https://a.b.evil.example/x', 'domain', 'b.evil.example'],
    ['https://a.b.evil.example/x', 'domain', 'evil.example'],
    ['a.b.evil.example', 'domain', 'evil.example'],
    ['https://EVIL.example./x', 'domain', 'evil.example'],
    ['https://1.2.3.4.5.6.7.8.9.10.11.12.evil.example/', 'domain', '12.evil.example'],
    ['https://sub.evil.github.io', 'domain', 'evil.github.io'],
    ['http://8.8.8.8:8080/a', 'domain', '8.8.8.8'],
    ['http://[2001:4860::8888]/', 'domain', '2001:4860::8888'],
    ['http://[::ffff:8.8.8.8]/', 'domain', '8.8.8.8'],
    ['http://010.8.8.8/', 'domain', '8.8.8.8'],
    ['http://evil.example/a/b?q=1#part', 'url', 'https://evil.example/a/b?q=1'],
    ['http://evil.example/a/b?q=1', 'url', 'evil.example/a/b'],
    ['http://evil.example/a/b?q=1', 'url', 'evil.example/a/'],
    ['http://evil.example/a/b?q=1', 'url', 'evil.example'],
    [`http://${'user'.repeat(1000)}@evil.example/`, 'domain', 'evil.example'],
    ['ht\ntp://ev\til.example/a', 'url', 'evil.example/a'],
    ['http://evil.example/1/2/3/4/5/6/7/8/9/10/11', 'url', 'evil.example/1/2/3/4/5/6/7/8/9/10/11'],
  ])('%s: the %s %s', (address, type, listed) => {
    expect(isHit(address, type, listed)).toBe(true);
  });

  test.each<[string, IndicatorType, string]>([
    ['https://good.github.io/', 'domain', 'evil.github.io'],
    ['https://github.io/', 'domain', 'evil.github.io'],
    ['https://notevil.example/', 'domain', 'evil.example'],
    ['https://evil.example.org/', 'domain', 'evil.example'],
    ['http://evil.example/ab', 'url', 'evil.example/a'],
    ['http://evil.example/a', 'url', 'evil.example/a/b'],
    ['http://evil.example/a?q=12', 'url', 'evil.example/a?q=1'],
    ['http://www.evil.example/a', 'url', 'evil.example/a'],
  ])('%s: not the %s %s', (address, type, listed) => {
    expect(isHit(address, type, listed)).toBe(false);
  });

  test.each([
    '',
    'http://',
    'javascript:alert(1)',
    'two words',
    '//',
    'http://[::1',
    `${'a'.repeat(300)}.com`,
  ])('nothing when it is %j', (address) => {
    expect(keysOfUrl(address)).toEqual([]);
  });

  test.each([
    `http://${'a.'.repeat(50_000)}evil.example/`,
    `http://a${'.'.repeat(100_000)}evil.example/`,
    `http://${Array.from({ length: 20_000 }, (_, at) => String.fromCodePoint(0x4e00 + at)).join('')}.example`,
    `http://a${'\u0301'.repeat(100_000)}.example`,
    `http://evil.example/${'%41'.repeat(100_000)}`,
    `http://${'@'.repeat(100_000)}evil.example/`,
  ])('at once, with any padding: %.20s', (address) => {
    keysOfUrl('http://warm.example/');
    // CPU time, since other processes may be busy.
    const begun = process.cpuUsage();
    expect(keysOfUrl(address).length).toBeLessThan(20);
    expect(process.cpuUsage(begun).user).toBeLessThan(100_000);
  });

  test('few keys, regardless of its length', () => {
    expect(
      keysOfUrl(`http://${'a.'.repeat(120)}evil.example/${'b/'.repeat(100_000)}?${'c'.repeat(9)}`).length,
    ).toBeLessThan(20);
    expect(keysOfUrl(`http://evil.example/?${'c'.repeat(1_000_000)}`).length).toBeLessThan(20);
  });
});

test('an app is found by its package, certificate and file, if known', () => {
  const [one, other] = ['a'.repeat(64), 'B'.repeat(64)];
  expect(keysOfApp({ type: 'app', packageName: 'com.evil', certificateSha256: one, sha256: other })).toEqual([
    keyOf('package', 'com.evil'),
    keyOf('certificate', one),
    keyOf('sha256', other),
  ]);
  expect(keysOfApp({ type: 'app', packageName: 'no package', sha256: 'no hash' })).toEqual([]);
});

test('a URL has the keys of its host, after a user of any length', () => {
  const address = `https://${'a'.repeat(20_000)}@login.example.com/x`;
  expect(keysOfUrl(address)).toContainEqual(keyOf('domain', 'login.example.com'));
});
