import { describe, expect, test } from 'vitest';
import { toTenantLimits } from './tenant-limits.ts';

const configured = { perMinute: 120, perDevice: 2 };
const limitsOf = (activeDevices: number, setLimit: number | null = null) =>
  toTenantLimits({ activeDevices, setLimit }, configured);

describe("a tenant's limit", () => {
  test.each([
    [0, 120],
    [60, 120],
    [300, 600],
    [10_000, 20_000],
  ])('with %d devices is %d requests per minute', (devices, limit) => {
    expect(limitsOf(devices).tenant).toBe(limit);
  });

  test("is the operator's setting for any number of devices", () => {
    expect(limitsOf(1000, 50).tenant).toBe(50);
  });
});

describe('the reserve for devices', () => {
  test.each([
    [0, 0],
    [1, 12],
    [5, 20],
    [10, 30],
    [60, 30],
    [300, 150],
  ])('with %d devices is %d requests per minute', (devices, reserve) => {
    expect(limitsOf(devices).reserves.devices).toBe(reserve);
  });
});

test('the reserve of people is a third, and that of programs a quarter', () => {
  expect(limitsOf(0).reserves).toEqual({ devices: 0, people: 40, programs: 30 });
  expect(limitsOf(10, 1000).reserves).toEqual({ devices: 30, people: 333, programs: 250 });
});

test('the reserves are never more than the limit, and leave the smallest limit free', () => {
  for (let limit = 1; limit <= 50; limit += 1) {
    const { devices, people, programs } = limitsOf(1000, limit).reserves;
    expect(devices + people + programs).toBeLessThan(limit);
  }
  expect(limitsOf(100, 1).reserves).toEqual({ devices: 0, people: 0, programs: 0 });
});
