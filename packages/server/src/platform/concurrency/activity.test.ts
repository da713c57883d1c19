import { expect, test } from 'vitest';
import { Activity } from './activity.ts';

test('loops look for work twice a second until ten quiet seconds have passed', () => {
  let nowMs = 0;
  const activity = new Activity(() => nowMs);
  nowMs = 9_999;
  expect(activity.pollMs).toBe(500);
  nowMs = 10_000;
  expect(activity.pollMs).toBe(5_000);
  activity.note();
  expect(activity.pollMs).toBe(500);
});

test('the first sign of activity after a quiet time wakes every loop, and others wake none', () => {
  let nowMs = 0;
  const activity = new Activity(() => nowMs);
  const woken: string[] = [];
  activity.add(() => woken.push('one'));
  activity.add(() => woken.push('other'));
  activity.note();
  expect(woken).toEqual([]);
  nowMs = 10_000;
  activity.note();
  activity.note();
  expect(woken).toEqual(['one', 'other']);
});
