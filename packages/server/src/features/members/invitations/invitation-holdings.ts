import type { Queries } from '../../../database/index.ts';
import { MAX_CLOCK_DIFFERENCE_MS } from '../../../platform/clock.ts';
import { toTimestamp } from '../../../platform/time.ts';
import { accountStore } from '../../accounts/index.ts';
import { auditStore, SERVICE } from '../../audit/index.ts';
import type { HoldingRule } from '../../holdings/index.ts';
import type { Membership } from '../membership.ts';
import type { InvitationRecord } from './invitation.ts';
import * as invitationStore from './invitation-store.ts';

/** A pending invitation ends with its owner, who could otherwise return by the link. */
export const invitationHoldings: HoldingRule = {
  kind: 'invitation',
  atEnd: 'revoked',
  adoptionScope: null,
  listActive: async (queries, tenantId, which) => {
    const pending = await invitationStore.listPending(queries, tenantId, which);
    return pending.map(({ invitationId, email, role }) => ({
      id: invitationId,
      name: `${email ?? 'anyone'} as ${role}`,
    }));
  },
  endAll: async (tx, tenantId, { ids, why, nowMs }) => {
    const revoked = await invitationStore.revokePending(tx, tenantId, { ids, nowMs });
    await recordRevocations(tx, revoked, { why, nowMs });
    return [];
  },
};

/**
 * Revokes the pending invitations that name the address of a member who loses the role or the access, also those of other
 * members: with one that was sent again, the person would return.
 */
export async function revokeInvitationsOf(
  tx: Queries,
  { tenantId, accountId }: Pick<Membership, 'tenantId' | 'accountId'>,
  ending: { readonly why: string; readonly nowMs: number },
): Promise<void> {
  const email = (await accountStore.find(tx, accountId))?.email ?? '';
  const ids = await invitationStore.listPendingOf(tx, tenantId, {
    email,
    atMs: ending.nowMs - MAX_CLOCK_DIFFERENCE_MS,
  });
  if (ids.length === 0) return;
  const revoked = await invitationStore.revokePending(tx, tenantId, { ids, nowMs: ending.nowMs });
  await recordRevocations(tx, revoked, ending);
}

async function recordRevocations(
  tx: Queries,
  revoked: readonly InvitationRecord[],
  { why, nowMs }: { why: string; nowMs: number },
): Promise<void> {
  for (const { tenantId, invitationId, role } of revoked) {
    await auditStore.append(
      tx,
      {
        tenantId,
        actor: SERVICE,
        action: 'invitation.revoke',
        resource: { type: 'invitation', id: invitationId },
        outcome: 'success',
        requestId: null,
        detail: `Invitation as ${role} revoked: ${why}`,
        fields: { role, revoked_at: toTimestamp(nowMs) },
      },
      nowMs,
    );
  }
}
