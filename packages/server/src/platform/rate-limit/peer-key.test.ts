import { describe, expect, test } from 'vitest';
import { networkOf, type Peer, peerKey } from './peer-key.ts';

function key(peer: Partial<Peer>): string {
  return peerKey({
    socketAddress: '192.0.2.1',
    forwardedFor: undefined,
    realIp: undefined,
    trustProxy: true,
    ...peer,
  });
}

describe('the key of an address', () => {
  test.each([
    ['198.51.100.7', '198.51.100.7'],
    ['::ffff:198.51.100.7', '198.51.100.7'],
    ['::ffff:c633:6407', '198.51.100.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:0db8:0001:0002:ffff::', '2001:db8:1:2::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    [undefined, 'unknown'],
  ])('%s is counted as %s', (socketAddress, expected) => {
    expect(key({ socketAddress })).toBe(expected);
  });

  test.each([
    ['198.51.100.7', '198.51.100.0/24'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8::/32'],
    ['::1', '0:0::/32'],
    [undefined, 'unknown'],
  ])('%s is in the network %s', (socketAddress, expected) => {
    expect(networkOf(key({ socketAddress }))).toBe(expected);
  });

  test('neighbours in one /64 share a key, other networks do not', () => {
    expect(key({ socketAddress: '2001:db8::1' })).toBe(key({ socketAddress: '2001:db8::ffff' }));
    expect(key({ socketAddress: '2001:db8::1' })).not.toBe(key({ socketAddress: '2001:db8:0:1::1' }));
  });
});

describe('behind a proxy', () => {
  test('the address that our proxy appended counts, not what the client sent before it', () => {
    expect(key({ forwardedFor: '10.9.9.9, 10.8.8.8, 203.0.113.5' })).toBe('203.0.113.5');
    expect(key({ forwardedFor: 'anything at all,203.0.113.5:4711' })).toBe('203.0.113.5');
    expect(key({ forwardedFor: '[2001:db8::1]:443' })).toBe('2001:db8:0:0::/64');
  });

  test('X-Real-IP counts when X-Forwarded-For is missing', () => {
    expect(key({ realIp: '203.0.113.5' })).toBe('203.0.113.5');
    expect(key({ realIp: '203.0.113.5', forwardedFor: '203.0.113.6' })).toBe('203.0.113.6');
  });

  test.each(['', 'localhost', '203.0.113.5,', '999.1.1.1', '0x7f.1', '1', '203.0.113.5 evil', '::1::'])(
    'anything but an address (%j) falls back to the socket',
    (garbage) => {
      expect(key({ forwardedFor: garbage })).toBe('192.0.2.1');
      expect(key({ realIp: garbage })).toBe('192.0.2.1');
    },
  );
});

test('without a trusted proxy both headers are ignored', () => {
  expect(key({ trustProxy: false, forwardedFor: '203.0.113.5', realIp: '203.0.113.6' })).toBe('192.0.2.1');
});
