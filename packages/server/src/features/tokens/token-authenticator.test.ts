import { SCOPES } from '@tps/contract';
import { useTestDatabase } from '@tps/testing/store';
import { ManualClock } from '@tps/testing/time';
import { describe, expect, test } from 'vitest';
import { createLogger } from '../../platform/logger.ts';
import { TenantService } from '../tenants/tenant-service.ts';
import { TokenAuthenticator } from './token-authenticator.ts';
import { TokenService } from './token-service.ts';
import * as tokenStore from './token-store.ts';

const logger = createLogger({ level: 'silent' });

const store = useTestDatabase({ scope: 'test' });

async function setUp({ livesMs }: { livesMs?: number } = {}) {
  const { database } = store;
  const clock = new ManualClock();
  const { tenantId } = await database.transaction((tx) =>
    new TenantService({ database, clock }).create(tx, { name: 't', environment: 'live' }),
  );
  const expiresAtMs = livesMs === undefined ? null : clock.now() + livesMs;
  const wanted = { tenantId, environment: 'live', name: 't', scopes: SCOPES, expiresAtMs } as const;
  const minted = await database.transaction((tx) =>
    new TokenService({ database, clock }).createFromCommandLine(tx, wanted),
  );
  const authenticator = new TokenAuthenticator({ database, clock, logger });
  const { tokenId } = minted.record;
  const readLastUse = async () => (await tokenStore.find(database.read, tenantId, tokenId))?.lastUsedAtMs;
  return { clock, authenticator, credential: minted.credential.reveal(), readLastUse };
}

describe('the time a token was last used', () => {
  test('is written in the background, not with the request', async () => {
    const { clock, authenticator, credential, readLastUse } = await setUp();
    await authenticator.authenticate(credential);
    expect(await readLastUse()).toBeNull();
    await authenticator.recordUses();
    expect(await readLastUse()).toBe(clock.now());
  });

  test('is written at most once a minute', async () => {
    const { clock, authenticator, credential, readLastUse } = await setUp();
    await authenticator.authenticate(credential);
    await authenticator.recordUses();
    const first = await readLastUse();
    clock.advance(59_999);
    await authenticator.authenticate(credential);
    await authenticator.recordUses();
    expect(await readLastUse()).toBe(first);
    clock.advance(1);
    await authenticator.authenticate(credential);
    await authenticator.recordUses();
    expect(await readLastUse()).toBe(clock.now());
  });

  test('never moves back, even if a slower node writes last', async () => {
    const { clock, authenticator, credential, readLastUse } = await setUp();
    await authenticator.authenticate(credential);
    clock.advance(120_000);
    const second = new TokenAuthenticator({ database: store.database, clock, logger });
    await second.authenticate(credential);
    await second.recordUses();
    await authenticator.recordUses();
    expect(await readLastUse()).toBe(clock.now());
  });

  test('is not changed by a rejected credential', async () => {
    const { authenticator, credential, readLastUse } = await setUp();
    expect(await authenticator.authenticate(`${credential}x`)).toBeUndefined();
    await authenticator.recordUses();
    expect(await readLastUse()).toBeNull();
  });
});

describe('recall', () => {
  test('returns an authenticated caller for a minute, without the store', async () => {
    const { clock, authenticator, credential } = await setUp();
    expect(authenticator.recall(credential)).toBeUndefined();
    const found = await authenticator.authenticate(credential);
    await store.database.transaction((tx) => tx.db.deleteFrom('tokens').execute());
    clock.advance(59_999);
    expect(authenticator.recall(credential)).toEqual(found);
    expect(authenticator.recall(`${credential}x`)).toBeUndefined();
    clock.advance(1);
    expect(authenticator.recall(credential)).toBeUndefined();
  });

  test('forgets a credential that is no longer found', async () => {
    const { authenticator, credential } = await setUp();
    await authenticator.authenticate(credential);
    await store.database.transaction((tx) => tx.db.deleteFrom('tokens').execute());
    expect(authenticator.recall(credential)).toBeDefined();
    expect(await authenticator.authenticate(credential)).toBeUndefined();
    expect(authenticator.recall(credential)).toBeUndefined();
  });

  test('does not return an expired token', async () => {
    const { clock, authenticator, credential } = await setUp({ livesMs: 30_000 });
    await authenticator.authenticate(credential);
    clock.advance(29_999);
    expect(authenticator.recall(credential)).toBeDefined();
    clock.advance(1);
    expect(authenticator.recall(credential)).toBeUndefined();
  });

  test('is a use of the token, which is recorded at most once a minute', async () => {
    const { clock, authenticator, credential, readLastUse } = await setUp();
    await authenticator.authenticate(credential);
    await authenticator.recordUses();
    const first = await readLastUse();
    clock.advance(30_000);
    await authenticator.authenticate(credential);
    authenticator.recall(credential);
    await authenticator.recordUses();
    expect(await readLastUse()).toBe(first);
    clock.advance(30_000);
    authenticator.recall(credential);
    await authenticator.recordUses();
    expect(await readLastUse()).toBe(clock.now());
  });
});

test('concurrent lookups each get their own caller', async () => {
  const one = await setUp();
  const two = await setUp();
  const { authenticator } = one;
  const found = await Promise.all(
    [one, two, one].map(({ credential }) => authenticator.authenticate(credential)),
  );
  const tenants = found.map((authenticated) => authenticated?.caller.tenantId);
  expect(tenants[0]).toBe(tenants[2]);
  expect(tenants[0]).not.toBe(tenants[1]);
});

test('a credential created during the deletion of its tenant is unknown', async () => {
  const { clock, authenticator, credential } = await setUp();
  const { database } = store;
  expect(await authenticator.authenticate(credential)).toBeDefined();
  await database.transaction((tx) => tx.db.deleteFrom('tenants').execute());
  expect(await authenticator.authenticate(credential)).toBeUndefined();
  const wanted = {
    tenantId: null,
    environment: 'live',
    name: 'o',
    scopes: SCOPES,
    expiresAtMs: null,
  } as const;
  const operator = await database.transaction((tx) =>
    new TokenService({ database, clock }).createFromCommandLine(tx, wanted),
  );
  expect(await authenticator.authenticate(operator.credential.reveal())).toMatchObject({
    caller: { tenantId: null },
  });
});
