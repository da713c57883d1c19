import { expect, test } from 'vitest';
import { backOffMs } from './back-off.ts';

const last = () => 1;
const first = () => 0;

test('the window of waits doubles with each failure, up to five minutes, and begins at nothing', () => {
  const windows = [1, 2, 3, 8, 9, 10, 2000].map((failures) => backOffMs(failures, undefined, last));
  expect(windows).toEqual([1000, 2000, 4000, 128_000, 256_000, 300_000, 300_000]);
  expect(backOffMs(9, undefined, first)).toBe(0);
});

test('nobody comes back before the service said, and not everybody at that second', () => {
  expect(backOffMs(1, 60_000, first)).toBe(60_000);
  expect(backOffMs(1, 60_000, last)).toBe(120_000);
  expect(backOffMs(9, 60_000, last)).toBe(316_000);
  expect(backOffMs(1, 3_600_000, last)).toBe(3_900_000);
});
