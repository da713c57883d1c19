import type { Database } from '../../database/index.ts';
import type { Clock } from '../../platform/clock.ts';
import * as challengeStore from './challenges/challenge-store.ts';
import * as sessionStore from './sessions/session-store.ts';
import * as failureStore from './throttling/login-failure-store.ts';
import { FORGOTTEN_AFTER_MS } from './throttling/login-throttle.ts';

/** Deletes sessions and challenges that have expired, and failed attempts that no longer count. */
export async function purgeSignIns({ database, clock }: { database: Database; clock: Clock }): Promise<void> {
  const nowMs = clock.now();
  await database.transaction(async (tx) => {
    await sessionStore.purge(tx, nowMs);
    await challengeStore.purge(tx, nowMs);
    await failureStore.purge(tx, nowMs - FORGOTTEN_AFTER_MS);
  });
}
