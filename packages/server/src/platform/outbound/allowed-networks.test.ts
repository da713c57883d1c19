import { describe, expect, test } from 'vitest';
import { isAllowedAddress, isSensitive, type Network, parseNetwork } from './allowed-networks.ts';
import { parseTargetUrl } from './target-url.ts';

function allow(...networks: string[]) {
  const allowedNetworks = networks.map((text) => parseNetwork(text) as Network);
  expect(allowedNetworks, networks.join()).not.toContain(undefined);
  return { allowInsecure: false, allowedNetworks };
}

describe('a network', () => {
  test.each(['10.0.0.0/8', '10.1.2.3/32', '0.0.0.0/0', 'fd12::/16', '::/0', 'fd00:EC2::254/128'])(
    '%s is valid',
    (text) => expect(parseNetwork(text)?.text).toBe(text),
  );

  test.each([
    ...[
      '',
      '10.0.0.0',
      '10.0.0.0/',
      '10.0.0.0/33',
      '10.0.0.0/-1',
      '10.0.0.0/8/8',
      '10.0.0.0/08x',
      '10.0.0/8',
    ],
    ...['10.1.0.0/8', '10.0.0.1/31', 'fd12::1/64', 'fd12::/129', 'fe80::%eth0/64', 'siem.example.com/32'],
    ...['0x0a.0.0.0/8', '::ffff:10.0.0.0/104', '64:ff9b::/96', '2002:a00::/24'],
  ])('%j is refused', (text) => expect(parseNetwork(text)).toBeUndefined());
});

describe('an address is allowed', () => {
  test.each<readonly [string, string]>([
    ['10.1.2.3', '10.0.0.0/8'],
    ['10.1.2.3', '192.168.0.0/16,10.1.2.3/32'],
    ['100.64.0.1', '100.64.0.0/10'],
    ['fd12:3456::1', 'fd12:3456::/32'],
    ['192.168.1.1', '0.0.0.0/0'],
    ['fc00::1', '::/0'],
    // IPv4 in IPv6 counts as IPv4.
    ...[
      '::ffff:10.1.2.3',
      '::ffff:a01:203',
      '64:ff9b::10.1.2.3',
      '2002:a01:203::1',
      '::10.1.2.3',
      '::ffff:0:10.1.2.3',
    ].map((ip) => [ip, '10.0.0.0/8'] as const),
    // Named themselves.
    ['127.0.0.1', '127.0.0.1/32'],
    ['::1', '::1/128'],
    ['169.254.1.1', '169.254.0.0/16'],
    ['169.254.169.254', '169.254.169.254/32'],
    ['100.100.100.200', '100.100.100.200/32'],
    ['fd00:ec2::254', 'fd00:ec2::254/128'],
    ['fe80::1', 'fe80::/10'],
  ])('%s in %s', (ip, networks) => {
    expect(isAllowedAddress(ip, allow())).toBe(false);
    expect(isAllowedAddress(ip, allow(...networks.split(',')))).toBe(true);
  });
});

describe('an address is refused', () => {
  test.each<readonly [string, string]>([
    ['10.1.2.3', '10.2.0.0/16'],
    ['10.1.2.3', '::/0'],
    ['fd12::1', '0.0.0.0/0,fd13::/16'],
    ['fe80::1%eth0', 'fe80::/10'],
    ['0x0a.1.2.3', '10.0.0.0/8'],
    // A wide network does not name what lies in it.
    ...[
      ...[
        '127.0.0.1',
        '127.255.255.254',
        '0.0.0.0',
        '0.1.2.3',
        '169.254.1.1',
        '169.254.169.254',
        '224.0.0.1',
      ],
      ...['100.100.100.200', '168.63.129.16', '192.0.0.192', '169.254.170.2', '240.0.0.1', '255.255.255.255'],
      ...['::', '::1', 'fe80::1', 'ff02::1', 'fd00:ec2::254', 'fd20:ce::254', '64:ff9b:1::7f00:1', '2001::1'],
    ].map((ip) => [ip, '0.0.0.0/0,::/0,100.64.0.0/10,fd00::/8'] as const),
    ['169.254.169.254', '169.254.0.0/16'],
    ['127.0.0.2', '127.0.0.1/32'],
    // IPv4 in IPv6 counts as IPv4, also when the IPv6 network is named.
    ...[
      ...['::ffff:127.0.0.1', '::ffff:169.254.169.254', '64:ff9b::7f00:1', '64:ff9b::100.100.100.200'],
      ...['2002:7f00:1::', '2002:a9fe:a9fe::1', '::127.0.0.1', '::ffff:0:127.0.0.1', '::ffff:10.1.2.3'],
    ].map((ip) => [ip, '::/0'] as const),
  ])('%s in %s', (ip, networks) => {
    expect(isAllowedAddress(ip, allow(...networks.split(',')))).toBe(false);
  });
});

test('a named network requires https, and its other spellings are refused or the same address', () => {
  const rules = allow('10.0.0.0/8', '127.0.0.1/32');
  expect(parseTargetUrl('https://10.1.2.3/hook', rules).hostname).toBe('10.1.2.3');
  expect(parseTargetUrl('https://0x0a010203/hook', rules).hostname).toBe('10.1.2.3');
  expect(parseTargetUrl('https://127.0.0.1/hook', rules).hostname).toBe('127.0.0.1');
  for (const url of ['http://10.1.2.3/', 'http://127.0.0.1/', 'https://localhost/', 'https://127.0.0.2/']) {
    expect(() => parseTargetUrl(url, rules), url).toThrow();
  }
});

test('networks with loopback, link-local or metadata addresses only are sensitive', () => {
  const sensitive = ['127.0.0.0/8', '169.254.0.0/16', '100.100.100.200/32', '::1/128', 'fd00:ec2::254/128'];
  for (const text of sensitive) expect(isSensitive(parseNetwork(text) as Network), text).toBe(true);
  for (const text of ['10.0.0.0/8', '0.0.0.0/0', 'fd00::/8', '100.64.0.0/10']) {
    expect(isSensitive(parseNetwork(text) as Network), text).toBe(false);
  }
});
