import { expect, test } from 'vitest';
import { reminderOf } from './key-reminder.ts';

const NOW = Date.parse('2026-11-23T00:00:00Z');
const inDays = (days: number) => new Date(NOW + days * 86_400_000).toISOString();
const KEY = { status: 'active', created_at: inDays(-10), expires_at: null, last_used_at: null } as const;

test.each([
  ['a new key', KEY, undefined],
  ['a key that ends in a year', { ...KEY, expires_at: inDays(365) }, undefined],
  ['a key that ends soon', { ...KEY, expires_at: inDays(10) }, 'Expires in 10 days'],
  ['a key that ends today', { ...KEY, expires_at: inDays(0.5) }, 'Expires within a day'],
  ['a key that was never used', { ...KEY, created_at: inDays(-100) }, 'Never used in 100 days'],
  ['an unused key', { ...KEY, created_at: inDays(-400), last_used_at: inDays(-91) }, 'Not used for 91 days'],
  ['an old key', { ...KEY, created_at: inDays(-400), last_used_at: inDays(-1) }, '400 days old: roll it'],
  ['a revoked key', { ...KEY, status: 'revoked', created_at: inDays(-400) }, undefined],
] as const)('the reminder of %s', (_, key, reminder) => {
  expect(reminderOf(key, NOW)).toBe(reminder);
});
