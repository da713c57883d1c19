import { getStatus, type Operation, type Scope, submitEvent } from '@tps/contract';
import { ManualClock } from '@tps/testing/time';
import { describe, expect, test } from 'vitest';
import type { IssuedTo } from '../../../platform/http/route.ts';
import { LocalLimiter } from '../../../platform/rate-limit/local-limiter.ts';
import type { TenantId } from '../../../platform/tenant-id.ts';
import { RequestLimits } from './request-limits.ts';

const CONSOLE = { clientId: 'tps-console', grantId: 'ses_1', keyThumbprint: null, authenticatedAtMs: 1 };

function requestLimits({ perMinute, devices = 0 }: { perMinute: number; devices?: number }) {
  const clock = new ManualClock();
  const limits = new RequestLimits({
    limiter: new LocalLimiter({ clock }),
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
      issued = undefined as IssuedTo | undefined,
      scopes = ['events:write'] as Scope[],
    } = {},
  ) =>
    limits.admit(
      {
        caller: {
          ...{ tokenId, tenantId, scopes, expiresAtMs: null, deviceId },
          issued: personId === undefined ? issued : { ...CONSOLE, accountId: personId },
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

describe('one holder with any number of credentials', () => {
  const OTHER_CLIENT = { ...CONSOLE, clientId: 'cli_1', grantId: null, accountId: null };

  test.each<[string, { personId: string } | { issued: IssuedTo }]>([
    ['a person in the console', { personId: 'acc_1' }],
    ['a person with an application', { issued: { ...OTHER_CLIENT, accountId: 'acc_1' } }],
    ['an OAuth client', { issued: OTHER_CLIENT }],
  ])('%s leaves a sixth to the others', async (_, whose) => {
    const { admit } = requestLimits({ perMinute: 12 });
    const other = 'personId' in whose ? { personId: 'acc_2' } : {};
    expect(await admit('tok_other', other)).toMatchObject({ limit: 12, remaining: 11 });
    for (let sent = 0; sent < 10; sent += 1) {
      expect((await admit(`tok_${sent}`, whose)).allowed).toBe(true);
    }
    expect(await admit('tok_last', whose)).toMatchObject({ allowed: false, limit: 10 });
    expect(await admit('tok_other', other)).toMatchObject({ allowed: true, limit: 12, remaining: 0 });
  });
});

test('devices, programs and people each have a reserve, and share the rest', async () => {
  const { admit } = requestLimits({ perMinute: 24, devices: 5 });
  const kinds = { devices: { deviceId: 'dev_1' }, programs: {}, people: { personId: 'acc_1' } };
  // Each kind is in use.
  for (const kind of Object.values(kinds)) expect((await admit('tok_1', kind)).allowed).toBe(true);
  const use = async (kind: object) => {
    let count = 0;
    while ((await admit('tok_1', kind)).allowed) count += 1;
    return count;
  };
  // Programs use the 4 that are free, beside the 6 that they keep. The others keep 6 and 8.
  expect(await use(kinds.programs)).toBe(9);
  expect(await use(kinds.people)).toBe(7);
  expect(await use(kinds.devices)).toBe(5);
});

test('a kind that was not in use for ten minutes has no reserve, except devices', async () => {
  const { admit, clock } = requestLimits({ perMinute: 24, devices: 5 });
  await admit('tok_1', { personId: 'acc_1' });
  expect(await admit('tok_2')).toMatchObject({ limit: 10 });
  clock.advance(10 * 60_000);
  expect(await admit('tok_2')).toMatchObject({ limit: 18 });
});

test('device events may use the reserve, and other requests may not', async () => {
  const { admit } = requestLimits({ perMinute: 8, devices: 1 });
  for (let sent = 0; sent < 6; sent += 1) expect((await admit('tok_1')).allowed).toBe(true);
  expect(await admit('tok_1')).toMatchObject({ allowed: false, limit: 6 });
  expect(await admit('tok_1', { operation: submitEvent })).toMatchObject({ allowed: true, limit: 6 });
});

test('events of a caller that may not send them do not use the reserve', async () => {
  const { admit } = requestLimits({ perMinute: 8, devices: 1 });
  const reader = { operation: submitEvent, scopes: ['status:read'] as Scope[] };
  for (let sent = 0; sent < 6; sent += 1) expect((await admit('tok_1', reader)).allowed).toBe(true);
  expect(await admit('tok_2', reader)).toMatchObject({ allowed: false });
  expect(await admit('tok_dev', { deviceId: 'dev_1', operation: submitEvent })).toMatchObject({
    allowed: true,
  });
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
