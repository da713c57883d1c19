import { useTestDatabase } from '@tps/testing/store';
import { ManualClock } from '@tps/testing/time';
import { expect, test } from 'vitest';
import * as challengeStore from './challenges/challenge-store.ts';
import { purgeSignIns } from './purge-sign-ins.ts';
import type { AccountSession } from './sessions/account-session.ts';
import * as sessionStore from './sessions/session-store.ts';

const HOUR_MS = 3_600_000;
const clock = new ManualClock();
const store = useTestDatabase();

test('what has ended is deleted, and what has not is kept', async () => {
  const { database } = store;
  const nowMs = clock.now();
  const session: Omit<AccountSession, 'sessionHash' | 'sessionId'> = {
    accountId: 'acc_x',
    tenantId: null,
    createdAtMs: nowMs,
    authenticatedAtMs: nowMs,
    methods: [],
    userAgent: '',
    address: '',
    seenAtMs: nowMs,
    expiresAtMs: nowMs + HOUR_MS,
  };
  const secrets = [challengeStore.mintSecret(), challengeStore.mintSecret()];
  await database.transaction(async (tx) => {
    const kept = { ...session, sessionHash: 'kept', sessionId: 'ses_1' };
    await sessionStore.create(tx, kept);
    await sessionStore.create(tx, { ...kept, sessionHash: 'expired', expiresAtMs: nowMs });
    await sessionStore.create(tx, { ...kept, sessionHash: 'unused', seenAtMs: nowMs - 12 * HOUR_MS });
    for (const [index, secret] of secrets.entries()) {
      const challenge = { secret, kind: 'sign_on', accountId: null, payload: {} } as const;
      await challengeStore.create(tx, { ...challenge, nowMs, lifetimeMs: index * HOUR_MS });
    }
  });
  await purgeSignIns({ database, clock });
  const { db } = database.read;
  const sessions = await db.selectFrom('account_sessions').select('session_hash').execute();
  expect(sessions).toEqual([{ session_hash: 'kept' }]);
  const challenges = await db.selectFrom('account_challenges').select('expires_at').execute();
  expect(challenges).toEqual([{ expires_at: nowMs + HOUR_MS }]);
});

test('the latest keys under which failed attempts are counted are kept', async () => {
  const { database } = store;
  const nowMs = clock.now();
  const rows = Array.from({ length: 12_000 }, (_, index) => ({
    key_hash: `key ${index}`,
    failures: 1,
    last_at: nowMs - index,
    blocked_until: 0,
  }));
  await database.transaction((tx) => tx.insertMany('login_failures', rows));
  const keysLeft = async () =>
    (await database.read.db.selectFrom('login_failures').select('last_at').orderBy('last_at').execute()).map(
      ({ last_at }) => last_at,
    );
  await purgeSignIns({ database, clock, maxKeys: 12_000 });
  expect(await keysLeft()).toHaveLength(12_000);
  await purgeSignIns({ database, clock, maxKeys: 7000 });
  const left = await keysLeft();
  expect([left.length, left[0]]).toEqual([7000, nowMs - 6999]);
});
