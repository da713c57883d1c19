import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  CREDENTIAL_PATTERN,
  credentialHint,
  hashCredential,
  isWellFormedCredential,
  mintCredential,
  redactCredentials,
} from './credentials.ts';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

describe('a minted credential', () => {
  test.each(['live', 'test'] as const)('of the %s environment has the published form', (environment) => {
    const text = mintCredential(environment).reveal();
    expect(text).toMatch(new RegExp(`^svc_${environment}_[0-9A-Za-z]{39}$`));
    expect(isWellFormedCredential(text)).toBe(true);
  });

  test('uses every character in every random place', () => {
    const places = Array.from({ length: 33 }, () => new Set<string>());
    for (let count = 0; count < 2_000; count += 1) {
      const random = mintCredential('live').reveal().slice(9, 42);
      for (const [place, seen] of places.entries()) seen.add(random.charAt(place));
    }
    // The chance that any one of 33 × 62 is missed in 2000 draws is below 1e-10.
    expect(places.map((seen) => seen.size)).toEqual(places.map(() => 62));
  });

  test('with any one character changed is no longer well-formed', () => {
    fc.assert(
      fc.property(fc.nat(47), fc.constantFrom(...BASE62, '_', ' '), (place, character) => {
        const text = mintCredential('live').reveal();
        fc.pre(text[place] !== character);
        expect(isWellFormedCredential(text.slice(0, place) + character + text.slice(place + 1))).toBe(false);
      }),
    );
  });
});

test('the checksum is CRC-32 of everything before it', () => {
  // crc32('svc_live_' + 33 zeros) = 0xe50f6409, computed with Python's zlib; base62 of it is 4C4nXd.
  expect(isWellFormedCredential(`svc_live_${'0'.repeat(33)}4C4nXd`)).toBe(true);
});

test.each(['', 'svc_live_', 'svc_prod_', 'x'.repeat(1_000_000), `svc_at_${'0'.repeat(39)}`])(
  'other text is rejected',
  (text) => {
    expect(isWellFormedCredential(text)).toBe(false);
  },
);

test('the hash is SHA-256 of the whole text', () => {
  expect(hashCredential('abc')).toBe(createHash('sha256').update('abc').digest('hex'));
});

test('the hint shows the prefix and the last four characters, nothing else', () => {
  expect(credentialHint('svc_live_abcdefghijkXYZ9')).toBe('svc_live_…XYZ9');
});

describe('scrubbing', () => {
  test.each([
    ['GET /a?token=svc_live_abc123&x=1', 'GET /a?token=svc_live_[redacted]&x=1'],
    ['svc_at_AbC svc_rt_x', 'svc_at_[redacted] svc_rt_[redacted]'],
    ['?t=svc%5Ftest%5Fabc%2Dx', '?t=svc%5Ftest%5F[redacted]'],
    ['SVC_LIVE_ABC', 'SVC_LIVE_[redacted]'],
    ['svc_live_at_svc_live_b', 'svc_live_[redacted]'],
  ])('%s', (text, expected) => {
    expect(redactCredentials(text)).toBe(expected);
  });

  test('leaves no credential in any text and changes nothing else', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), fc.constantFrom('live', 'test'), (before, after, environment) => {
        const text = mintCredential(environment).reveal();
        expect(redactCredentials(`${before}${text}${after}`)).not.toContain(text.slice(9));
        fc.pre(!/svc/i.test(before));
        expect(redactCredentials(before)).toBe(before);
        expect(CREDENTIAL_PATTERN.test(`${before}${text}`)).toBe(true);
      }),
    );
  });

  test('takes linear time on hostile text', () => {
    const before = process.cpuUsage();
    redactCredentials('svc_live_'.repeat(200_000));
    redactCredentials('svc%5f'.repeat(200_000));
    expect(process.cpuUsage(before).user / 1000).toBeLessThan(2_000);
  });
});
