import type { Database } from '../../database/index.ts';
import type { Clock } from '../../platform/clock.ts';
import * as challengeStore from './challenges/challenge-store.ts';
import * as sessionStore from './sessions/session-store.ts';
import * as failureStore from './throttling/login-failure-store.ts';
import { FORGOTTEN_AFTER_MS } from './throttling/login-throttle.ts';

/**
 * The number of keys under which failed attempts are counted: anyone can use new ones. The oldest are forgotten. To have the
 * failures of an account forgotten, an attacker needs half as many attempts under other keys, for five more guesses.
 */
const MAX_KEYS = 1_000_000;
const KEYS_PER_TRANSACTION = 1000;

/** Deletes sessions and challenges that have expired, and failed attempts that no longer count. */
export async function purgeSignIns({
  database,
  clock,
  maxKeys = MAX_KEYS,
}: {
  database: Database;
  clock: Clock;
  maxKeys?: number;
}): Promise<void> {
  const nowMs = clock.now();
  await database.transaction(async (tx) => {
    await sessionStore.purge(tx, nowMs);
    await challengeStore.purge(tx, nowMs);
  });
  const excessMs = (await failureStore.findTimeOf(database.read, maxKeys)) ?? 0;
  const beforeMs = Math.max(nowMs - FORGOTTEN_AFTER_MS, excessMs + 1);
  let deleted = KEYS_PER_TRANSACTION;
  while (deleted === KEYS_PER_TRANSACTION) {
    deleted = await database.transaction((tx) => failureStore.purge(tx, beforeMs, KEYS_PER_TRANSACTION));
  }
}
