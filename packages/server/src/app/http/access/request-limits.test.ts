import { getStatus, type Operation, submitEvent } from '@tps/contract';
import { ManualClock } from '@tps/testing/time';
import { expect, test } from 'vitest';
import { LocalLimiter } from '../../../platform/rate-limit/local-limiter.ts';
import type { TenantId } from '../../../platform/tenant-id.ts';
import { RequestLimits } from './request-limits.ts';

function requestLimits({ perMinute, devices = 0 }: { perMinute: number; devices?: number }) {
  const clock = new ManualClock();
  const limits = new RequestLimits({
    limiter: new LocalLimiter({ clock }),
    clock,
    configured: { perMinute, perDevice: 0 },
    countDevices: async () => devices,
  });
  const tenantId = 'tnt_1' as TenantId;
  const admit = (
    tokenId: string,
    { limit = null as number | null, operation = getStatus as Operation } = {},
  ) => limits.admit({ caller: { tokenId, tenantId, scopes: [], expiresAtMs: null }, limit }, operation);
  return { clock, admit };
}

test("requests that the tenant's limit refuses do not count for their credential", async () => {
  const { admit } = requestLimits({ perMinute: 4 });
  for (let sent = 0; sent < 4; sent += 1) await admit('tok_2');
  for (let sent = 0; sent < 3; sent += 1) expect((await admit('tok_1')).allowed).toBe(false);
  // Five sixths of 120, less this request.
  expect(await admit('tok_1', { limit: 120 })).toMatchObject({ allowed: true, limit: 100, remaining: 99 });
});

test('a credential has the whole limit again ten minutes after another was used', async () => {
  const { admit, clock } = requestLimits({ perMinute: 12 });
  await admit('tok_2');
  expect(await admit('tok_1')).toMatchObject({ limit: 10 });
  clock.advance(10 * 60_000);
  expect(await admit('tok_1')).toMatchObject({ limit: 12 });
});

test('device events may use the reserve, and other requests may not', async () => {
  const { admit } = requestLimits({ perMinute: 8, devices: 1 });
  for (let sent = 0; sent < 6; sent += 1) expect((await admit('tok_1')).allowed).toBe(true);
  expect(await admit('tok_1')).toMatchObject({ allowed: false, limit: 6 });
  expect(await admit('tok_1', { operation: submitEvent })).toMatchObject({ allowed: true, limit: 8 });
});
