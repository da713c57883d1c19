import { SCOPES } from '@tps/contract';
import { expect, test } from 'vitest';
import { findClosest } from './closest-name.ts';

test.each([
  ['event:read', 'events:read'],
  ['events.read', 'events:read'],
  ['read:events', 'events:read'],
  ['EVENTS:READ', 'events:read'],
  ['evnets:read', 'events:read'],
  ['everything', undefined],
  ['x', undefined],
  ['', undefined],
  ['events:read'.repeat(10_000), undefined],
])('%.20s is close to %s', (name, closest) => {
  expect(findClosest(name, SCOPES)).toBe(closest);
});
