import type { Database } from '../../../database/index.ts';
import { issuedTokenStore } from '../../tokens/index.ts';
import * as recordStore from './record-store.ts';

/** The last use of a token may still be looked up for this long. */
const KEPT_MS = 86_400_000;
/** Few enough that events never wait long. */
const ROWS_PER_TRANSACTION = 500;
const GRANTS_PER_TURN = 100;

/** Deletes what the authorization server has issued and what has expired. */
export async function purgeOauth(
  database: Database,
  { nowMs, signal }: { nowMs: number; signal: AbortSignal },
): Promise<void> {
  await repeat(signal, () =>
    database.transaction((tx) => recordStore.purge(tx, nowMs, ROWS_PER_TRANSACTION)),
  );
  let ended = GRANTS_PER_TURN;
  while (ended === GRANTS_PER_TURN) {
    const grantIds = await recordStore.listEndedGrants(database.read, nowMs, GRANTS_PER_TURN);
    if (grantIds.length === 0) break;
    await repeat(signal, () =>
      database.transaction((tx) => recordStore.purgeOfGrants(tx, grantIds, ROWS_PER_TRANSACTION)),
    );
    ended = await database.transaction((tx) => recordStore.purgeGrants(tx, grantIds));
  }
  await database.transaction((tx) => issuedTokenStore.purge(tx, nowMs - KEPT_MS));
}

/** Repeats a transaction while it deletes as many rows as it may. */
async function repeat(signal: AbortSignal, purge: () => Promise<number>): Promise<void> {
  let deleted = ROWS_PER_TRANSACTION;
  while (deleted === ROWS_PER_TRANSACTION) {
    signal.throwIfAborted();
    deleted = await purge();
  }
}
