import type { Queries } from '../../database/index.ts';
import type { AccountId } from './account.ts';
import * as accountStore from './account-store.ts';
import * as challengeStore from './challenges/challenge-store.ts';
import * as passkeyStore from './passkeys/passkey-store.ts';
import * as recoveryCodeStore from './second-factors/recovery-code-store.ts';
import * as totpStore from './second-factors/totp-store.ts';
import * as sessionStore from './sessions/session-store.ts';
import type { EndedCredentials } from './verification/ended-credentials.ts';

/**
 * Removes an account with its sessions, factors and all that was begun in its name. The caller has locked the account and
 * removed what other features keep about it. Audit entries stay.
 */
export async function removeAccount(tx: Queries, accountId: AccountId, nowMs: number): Promise<void> {
  await removeCredentials(tx, accountId, nowMs);
  await accountStore.remove(tx, accountId);
}

/**
 * Removes all that lets anyone sign in to an account, and its sessions. The caller has locked the account. Returns what there
 * was besides the password.
 */
export async function removeCredentials(
  tx: Queries,
  accountId: AccountId,
  nowMs: number,
): Promise<Pick<EndedCredentials, 'sessions' | 'hadApp' | 'passkeys'>> {
  await challengeStore.removeOf(tx, accountId);
  const sessions = await sessionStore.removeOf(tx, accountId, { nowMs });
  const hadApp = await totpStore.remove(tx, accountId);
  await recoveryCodeStore.removeAll(tx, accountId);
  const passkeys = await passkeyStore.removeAll(tx, accountId);
  await accountStore.removePassword(tx, accountId);
  return { sessions, hadApp, passkeys };
}
