import fc from 'fast-check';
import ipaddr from 'ipaddr.js';
import { expect, it } from 'vitest';
import { ipv6Site } from './ipv6-site.ts';

const part = fc.constantFrom(
  '0',
  '1',
  'ab',
  '2001',
  'ffff',
  '00001',
  ':',
  ':',
  ':',
  '::',
  '::',
  '.',
  '1.2.3.4',
  '1.2.3.256',
);
const written = fc.array(part, { maxLength: 16 }).map((parts) => parts.join(''));

it('the groups of an IPv6 address are those that ipaddr.js reads', () => {
  const readsAlike = (text: string): void => {
    const isAddress = text !== '::' && text.includes(':') && ipaddr.IPv6.isValid(text);
    const groups = isAddress ? ipaddr.IPv6.parse(text).parts.slice(0, 3) : undefined;
    expect([text, ipv6Site(text, 0, text.length)]).toEqual([text, groups]);
  };
  fc.assert(fc.property(written, readsAlike), { numRuns: 10_000 });
  for (const text of [
    '::1:2:3:4:5:6:7',
    '1::2:3:4:5:6:7',
    '1:2:3:4:5:6:7::',
    '1:2:3:4:5:6:7:8',
    '1:2:3:4:5:6:7:8::',
    '::1:2:3:4:5:6:7:8',
    '1::2::3',
    ':1:2:3:4:5:6:7:8',
    ':::1',
    '1:::2',
    '1:2:3:4:5:6:7:1.2.3.4',
    '::1.2.3.4',
    '1:2:3:4:5:6:1.2.3.4',
  ])
    readsAlike(text);
});
