import { describe, expect, test } from 'vitest';
import { toCredentialShare, toTenantLimits } from './tenant-limits.ts';

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

describe('the reserve for device events', () => {
  test.each([
    [0, 120],
    [1, 108],
    [5, 100],
    [10, 90],
    [60, 90],
    [300, 450],
  ])('with %d devices leaves %d other requests per minute', (devices, other) => {
    expect(limitsOf(devices).other).toBe(other);
  });

  test('leaves at least one other request and one per credential under the smallest limit', () => {
    expect(limitsOf(100, 1)).toEqual({ tenant: 1, other: 1 });
    expect(toCredentialShare(1)).toBe(1);
  });
});
