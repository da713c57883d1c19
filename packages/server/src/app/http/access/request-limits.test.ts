import { getStatus, type Operation, submitEvent } from '@tps/contract';
import { ManualClock } from '@tps/testing/time';
import { expect, test } from 'vitest';
import { LocalLimiter } from '../../../platform/rate-limit/local-limiter.ts';
import type { TenantId } from '../../../platform/tenant-id.ts';
import { RequestLimits } from './request-limits.ts';

const CONSOLE = { clientId: 'tps-console', grantId: 'ses_1', keyThumbprint: null, authenticatedAtMs: 1 };

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
    {
      limit = null as number | null,
      operation = getStatus as Operation,
      deviceId = undefined as string | undefined,
      personId = undefined as string | undefined,
    } = {},
  ) =>
    limits.admit(
      {
        caller: {
          ...{ tokenId, tenantId, scopes: [], expiresAtMs: null, deviceId },
          issued: personId === undefined ? undefined : { ...CONSOLE, accountId: personId },
        },
        limit,
      },
      operation,
    );
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

test('a person in the console has a limit that does not depend on their token, nor on programs', async () => {
  const { admit } = requestLimits({ perMinute: 2 });
  for (let sent = 0; sent < 600; sent += 1) {
    expect((await admit(`tok_${sent}`, { personId: 'acc_1' })).allowed).toBe(true);
  }
  expect(await admit('tok_last', { personId: 'acc_1' })).toMatchObject({ allowed: false, limit: 600 });
  expect((await admit('tok_other', { personId: 'acc_2' })).allowed).toBe(true);
  expect(await admit('tok_program')).toMatchObject({ allowed: true, limit: 2, remaining: 1 });
});

test('device events may use the reserve, and other requests may not', async () => {
  const { admit } = requestLimits({ perMinute: 8, devices: 1 });
  for (let sent = 0; sent < 6; sent += 1) expect((await admit('tok_1')).allowed).toBe(true);
  expect(await admit('tok_1')).toMatchObject({ allowed: false, limit: 6 });
  expect(await admit('tok_1', { operation: submitEvent })).toMatchObject({ allowed: true, limit: 8 });
});

test('the credential of a device has its own limit, and takes nothing from the others', async () => {
  const { admit, clock } = requestLimits({ perMinute: 300 });
  const device = { deviceId: 'dev_1' };
  expect(await admit('tok_1')).toMatchObject({ limit: 300 });
  for (let sent = 0; sent < 60; sent += 1) {
    expect(await admit('tok_dev', device)).toMatchObject({ allowed: true, limit: 60 });
  }
  expect(await admit('tok_dev', device)).toMatchObject({ allowed: false, limit: 60 });
  expect(await admit('tok_dev-2', { deviceId: 'dev_2' })).toMatchObject({ allowed: true, remaining: 59 });
  // Devices do not make a credential share its limit.
  expect(await admit('tok_1')).toMatchObject({ allowed: true, limit: 300, remaining: 237 });
  clock.advance(60_000);
  expect((await admit('tok_dev', device)).allowed).toBe(true);
});

test('the next credential of a device has what its earlier one has left', async () => {
  const { admit } = requestLimits({ perMinute: 300 });
  const device = { deviceId: 'dev_1' };
  for (let sent = 0; sent < 60; sent += 1) await admit(`tok_dev-${sent % 3}`, device);
  expect(await admit('tok_dev-3', device)).toMatchObject({ allowed: false, limit: 60 });
});

test("a device's limit is never larger than that of its tenant", async () => {
  const { admit } = requestLimits({ perMinute: 120 });
  expect(await admit('tok_dev', { deviceId: 'dev_1', limit: 8 })).toMatchObject({ limit: 8, remaining: 7 });
});
