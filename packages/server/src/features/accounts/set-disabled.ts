import type { Queries } from '../../database/index.ts';
import type { AuditActor } from '../audit/index.ts';
import type { AccountId } from './account.ts';
import { appendAccountEntry } from './account-audit.ts';
import * as accountStore from './account-store.ts';
import * as challengeStore from './challenges/challenge-store.ts';
import * as sessionStore from './sessions/session-store.ts';

/**
 * Disables an account and ends its sessions, or enables it again. Returns false if nothing changed. What applications may
 * do in the name of the person ends in the same transaction, by the caller.
 */
export async function setDisabled(
  tx: Queries,
  accountId: AccountId,
  { isDisabled, actor, nowMs }: { isDisabled: boolean; actor: AuditActor; nowMs: number },
): Promise<boolean> {
  const account = await accountStore.findForUpdate(tx, accountId);
  if (!account || (account.disabledAtMs !== null) === isDisabled) return false;
  await accountStore.setDisabled(tx, accountId, isDisabled ? nowMs : null);
  if (isDisabled) {
    await challengeStore.removeOf(tx, accountId);
    await sessionStore.removeOf(tx, accountId, { nowMs });
  }
  const verb = isDisabled ? 'disabled' : 'enabled';
  const entry = { accountId, actor, requestId: null, action: `account.${verb}`, detail: `Account ${verb}` };
  await appendAccountEntry(tx, entry, nowMs);
  return true;
}
