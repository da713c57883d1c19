import { expect, test } from 'vitest';
import { toBaseUrl } from './base-url.ts';

test.each([
  ['https://tps.example.com', 'https://tps.example.com'],
  ['https://tps.example.com/', 'https://tps.example.com'],
  ['https://example.com:8443/tps//', 'https://example.com:8443/tps'],
  ['http://127.0.0.1:8080', 'http://127.0.0.1:8080'],
  ['http://127.1:8080', 'http://127.0.0.1:8080'],
  ['http://localhost', 'http://localhost'],
  ['http://[::1]:1', 'http://[::1]:1'],
])('%s is accepted', (address, expected) => {
  expect(toBaseUrl(address, {})).toBe(expected);
});

test.each([
  'http://tps.example.com',
  'http://127.0.0.1.example.com',
  'http://localhost.example.com',
  'http://10.0.0.1',
  'ftp://tps.example.com',
  '/relative',
  '',
  'https://user:password@tps.example.com',
  'https://tps.example.com/?query',
  'https://tps.example.com/#fragment',
])('%s is rejected', (address) => {
  expect(() => toBaseUrl(address, {})).toThrow(TypeError);
});

test('http to another machine is accepted with allowInsecure', () => {
  expect(toBaseUrl('http://tps.internal', { allowInsecure: true })).toBe('http://tps.internal');
});
