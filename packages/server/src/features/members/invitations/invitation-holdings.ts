import { toTimestamp } from '../../../platform/time.ts';
import { auditStore, SERVICE } from '../../audit/index.ts';
import type { HoldingRule } from '../../holdings/index.ts';
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
    for (const { invitationId, role } of await invitationStore.revokePending(tx, tenantId, { ids, nowMs })) {
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
    return [];
  },
};
