import { expect, test } from 'vitest';
import { isOfflineAt } from '../device-network.ts';
import { drawDetection } from '../draw-detection.ts';
import { createRandom } from '../random.ts';
import { toReport } from './report.ts';
import { planWorkers } from './run-workers.ts';
import { createTally } from './tally.ts';

const NOTHING = { number: 0, waiting: 0, refused: 0, declared: 0 };

/** Drops that the device has declared in former runs. */
const BEFORE = 3;

function tallyOf(ids: readonly string[], result: Partial<typeof NOTHING> = {}) {
  const tally = createTally();
  const receive = tally.listenTo(0);
  receive(['ready', [[0, BEFORE]]]);
  for (const [index, id] of ids.entries()) receive(['recorded', 0, id, index]);
  receive(['done', [{ ...NOTHING, declared: BEFORE, ...result }]]);
  return tally;
}

const report = (
  check: { missing?: string[]; repeated?: string[] },
  { result = {}, devices = 1 }: { result?: Partial<typeof NOTHING>; devices?: number } = {},
) =>
  toReport(tallyOf(['evt_1', 'evt_2'], result), {
    check: { delivered: 2, missing: [], repeated: [], foreign: 0, ...check },
    devices,
    kills: 0,
    seconds: 1,
  });

test('a report is ok only when each event was delivered exactly once or declared as dropped', () => {
  expect(report({}).ok).toBe(true);
  expect(report({ missing: ['evt_1'] })).toMatchObject({ ok: false, missing: 1 });
  expect(report({ repeated: ['evt_1'] })).toMatchObject({ ok: false, repeated: 1 });
  expect(report({ missing: ['evt_1'] }, { result: { declared: BEFORE + 1 } })).toMatchObject({
    ok: true,
    missing: 0,
    dropped_and_declared: 1,
  });
  // A declaration of another device does not explain the missing event.
  expect(report({ missing: ['evt_1'] }, { result: { number: 1, declared: 1 } }).ok).toBe(false);
  const check = { delivered: 0, missing: [], repeated: [], foreign: 0 };
  expect(toReport(tallyOf([]), { check, devices: 1, kills: 0, seconds: 1 }).ok).toBe(false);
  // A device without a final result may have lost anything.
  expect(report({}, { devices: 2 }).ok).toBe(false);
});

test('traffic of a killed worker counts, and its waiting events are not counted twice', () => {
  const tally = createTally();
  const counts = { sent: 3, retried: 1, throttled: 1, offline: 2, waiting: 5 };
  tally.listenTo(0)(['traffic', counts]);
  tally.noteKill(0);
  tally.listenTo(0)(['traffic', counts]);
  expect(tally.traffic()).toEqual({ sent: 6, retried: 2, throttled: 2, offline: 4, waiting: 5 });
});

test('the same seed draws the same detections, another seed draws others', () => {
  const draw = (seed: number) => {
    const random = createRandom(seed);
    return Array.from({ length: 20 }, () => drawDetection(random));
  };
  expect(draw(7)).toEqual(draw(7));
  expect(draw(8)).not.toEqual(draw(7));
});

test('the requested share of devices is offline at any time, and not always the same ones', () => {
  const numbers = Array.from({ length: 5_000 }, (_, number) => number);
  const offlineAt = (nowMs: number) =>
    numbers.filter((number) => isOfflineAt(nowMs, { number, offlineShare: 0.2, seed: 1 }));
  const [one, other] = [offlineAt(1_000_000), offlineAt(1_010_000)];
  expect(Math.abs(one.length - 1_000)).toBeLessThan(150);
  expect(one.filter((number) => other.includes(number)).length).toBeLessThan(400);
  expect(numbers.some((number) => isOfflineAt(1, { number, offlineShare: 0, seed: 1 }))).toBe(false);
  expect(numbers.every((number) => isOfflineAt(1, { number, offlineShare: 1, seed: 1 }))).toBe(true);
});

test('each device is in one process, and the rate is shared in proportion to the devices', () => {
  const fleet = Array.from({ length: 103 }, (_, number) => ({
    number,
    directory: `/d/${number}`,
    deviceId: `dev_${number}`,
  }));
  const plans = planWorkers(fleet, {
    ratePerSecond: 206,
    durationMs: 1,
    offlineShare: 0,
    clockSkewMs: 0,
    killShare: 0,
    seed: 1,
    drainMs: 1,
  });
  expect(plans).toHaveLength(4);
  const numbers = plans.flatMap(({ devices }) => devices.map(({ number }) => number));
  expect(numbers.sort((one, other) => one - other)).toEqual(fleet.map(({ number }) => number));
  expect(plans.reduce((sum, { ratePerSecond }) => sum + ratePerSecond, 0)).toBeCloseTo(206);
});
