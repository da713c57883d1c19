import type { Database } from '../../../database/index.ts';
import * as invitationStore from './invitation-store.ts';

/** Ended invitations are listed for this long. The audit trail keeps the accounts that joined by them. */
const KEPT_MS = 30 * 86_400_000;

/** Deletes the invitations that have ended, which name the addresses of people. */
export async function purgeInvitations(database: Database, nowMs: number): Promise<void> {
  await database.transaction((tx) => invitationStore.purge(tx, nowMs - KEPT_MS));
}
