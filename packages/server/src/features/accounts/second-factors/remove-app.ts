import type { Queries } from '../../../database/index.ts';
import type { AuditActor } from '../../audit/index.ts';
import type { AccountId } from '../account.ts';
import { appendAccountEntry } from '../account-audit.ts';
import * as accountStore from '../account-store.ts';
import * as challengeStore from '../challenges/challenge-store.ts';
import * as sessionStore from '../sessions/session-store.ts';
import * as recoveryCodeStore from './recovery-code-store.ts';
import * as totpStore from './totp-store.ts';

/**
 * Removes the authenticator app and the recovery codes of a person who has lost both, and ends all sessions. Returns whether
 * the app was on.
 */
export async function removeApp(
  tx: Queries,
  accountId: AccountId,
  { actor, nowMs }: { actor: AuditActor; nowMs: number },
): Promise<boolean> {
  await accountStore.findForUpdate(tx, accountId);
  await recoveryCodeStore.removeAll(tx, accountId);
  if (!(await totpStore.remove(tx, accountId))) return false;
  await challengeStore.removeOf(tx, accountId);
  await sessionStore.removeOf(tx, accountId, { nowMs });
  const detail = 'Authenticator app turned off by the operator';
  const entry = { accountId, actor, requestId: null, action: 'account.totp_disabled', detail };
  await appendAccountEntry(tx, entry, nowMs);
  return true;
}
