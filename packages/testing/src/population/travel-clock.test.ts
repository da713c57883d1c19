import { expect, test, vi } from 'vitest';
import { TravelClock } from './travel-clock.ts';

test('a clock that has arrived runs on, also when an earlier time is asked of it', () => {
  vi.useFakeTimers({ now: 10_000 });
  try {
    const clock = new TravelClock(1_000);
    clock.travelTo(2_000);
    expect(clock.now()).toBe(2_000);
    clock.arrive();
    clock.travelTo(9_000);
    vi.setSystemTime(20_000);
    expect(clock.now()).toBe(20_000);
  } finally {
    vi.useRealTimers();
  }
});
