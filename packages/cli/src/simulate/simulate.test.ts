import { expect, test } from 'vitest';
import { isOffline } from './device-network.ts';
import { drawDetection } from './draw-detection.ts';
import { createRandom } from './random.ts';
import { toReport } from './report.ts';
import { planWorkers } from './run-simulation.ts';
import { createTally } from './tally.ts';

const NOTHING = { number: 0, waiting: 0, refused: 0, declared: 0 };

/** Drops that the device has declared in former runs. */
const BEFORE = 3;

function tallyOf(ids: readonly string[], result: Partial<typeof NOTHING> = {}) {
  const tally = createTally();
  const hear = tally.listenTo(0);
  hear(['ready', [[0, BEFORE]]]);
  for (const [index, id] of ids.entries()) hear(['recorded', 0, id, index]);
  hear(['done', [{ ...NOTHING, declared: BEFORE, ...result }]]);
  return tally;
}

const compare = (
  check: { missing?: string[]; repeated?: string[] },
  { result = {}, devices = 1 }: { result?: Partial<typeof NOTHING>; devices?: number } = {},
) =>
  toReport(tallyOf(['evt_1', 'evt_2'], result), {
    check: { delivered: 2, missing: [], repeated: [], ...check },
    devices,
    kills: 0,
    seconds: 1,
  });

test('a simulation is good only when each promise was kept exactly once, or its breach declared', () => {
  expect(compare({}).ok).toBe(true);
  expect(compare({ missing: ['evt_1'] })).toMatchObject({ ok: false, missing: 1 });
  expect(compare({ repeated: ['evt_1'] })).toMatchObject({ ok: false, repeated: 1 });
  expect(compare({ missing: ['evt_1'] }, { result: { declared: BEFORE + 1 } })).toMatchObject({
    ok: true,
    missing: 0,
    dropped_and_declared: 1,
  });
  // What another device has declared says nothing of this one.
  expect(compare({ missing: ['evt_1'] }, { result: { number: 1, declared: 1 } }).ok).toBe(false);
  const check = { delivered: 0, missing: [], repeated: [] };
  expect(toReport(tallyOf([]), { check, devices: 1, kills: 0, seconds: 1 }).ok).toBe(false);
  // A device that nobody heard of at the end may have lost anything.
  expect(compare({}, { devices: 2 }).ok).toBe(false);
});

test('traffic of a killed worker counts, and what waited in it is not counted twice', () => {
  const tally = createTally();
  const counts = { sent: 3, retried: 1, throttled: 1, offline: 2, waiting: 5 };
  tally.listenTo(0)(['traffic', counts]);
  tally.endOf(0);
  tally.listenTo(0)(['traffic', counts]);
  expect(tally.traffic()).toEqual({ sent: 6, retried: 2, throttled: 2, offline: 4, waiting: 5 });
});

test('the same seed makes up the same detections, and another one others', () => {
  const draw = (seed: number) => {
    const random = createRandom(seed);
    return Array.from({ length: 20 }, () => drawDetection(random));
  };
  expect(draw(7)).toEqual(draw(7));
  expect(draw(8)).not.toEqual(draw(7));
});

test('as many devices as asked for are offline at any moment, and not always the same', () => {
  const numbers = Array.from({ length: 5_000 }, (_, number) => number);
  const offlineAt = (nowMs: number) =>
    numbers.filter((number) => isOffline({ number, offlineShare: 0.2, seed: 1 }, nowMs));
  const [one, other] = [offlineAt(1_000_000), offlineAt(1_010_000)];
  expect(Math.abs(one.length - 1_000)).toBeLessThan(150);
  expect(one.filter((number) => other.includes(number)).length).toBeLessThan(400);
  expect(numbers.some((number) => isOffline({ number, offlineShare: 0, seed: 1 }, 1))).toBe(false);
  expect(numbers.every((number) => isOffline({ number, offlineShare: 1, seed: 1 }, 1))).toBe(true);
});

test('every device is in one process, and the processes share the rate by their devices', () => {
  const fleet = Array.from({ length: 103 }, (_, number) => ({
    number,
    directory: `/d/${number}`,
    deviceId: `dev_${number}`,
  }));
  const plans = planWorkers({
    ...{ fleet, ratePerSecond: 206, durationMs: 1, offlineShare: 0, clockSkewMs: 0 },
    ...{ killShare: 0, seed: 1, drainMs: 1 },
  });
  expect(plans).toHaveLength(4);
  const numbers = plans.flatMap(({ devices }) => devices.map(({ number }) => number));
  expect(numbers.sort((one, other) => one - other)).toEqual(fleet.map(({ number }) => number));
  expect(plans.reduce((sum, { ratePerSecond }) => sum + ratePerSecond, 0)).toBeCloseTo(206);
});
