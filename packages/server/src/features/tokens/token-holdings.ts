import type { Queries } from '../../database/index.ts';
import type { TenantId } from '../../platform/tenant-id.ts';
import { toTimestamp } from '../../platform/time.ts';
import { auditStore, SERVICE } from '../audit/index.ts';
import type { HoldingRule } from '../holdings/index.ts';
import * as tokenStore from './token-store.ts';

/** A token ends with its owner, who has it, so no one can adopt it. Devices that are registered keep their credentials. */
export const tokenHoldings: HoldingRule = ruleOf('token');

/** Does the same for enrolment secrets. */
export const enrolmentHoldings: HoldingRule = ruleOf('enrolment');

function ruleOf(kind: 'token' | 'enrolment'): HoldingRule {
  return {
    kind,
    atEnd: 'revoked',
    adoptionScope: null,
    listActive: async (queries, tenantId, { ids: tokenIds, atMs }) => {
      const tokens = await tokenStore.listActive(queries, tenantId, { tokenIds, atMs });
      return tokens.map(({ tokenId, name }) => ({ id: tokenId, name }));
    },
    endAll: async (tx, tenantId, { ids, why, nowMs }) => {
      const revoked = await tokenStore.revokeAll(tx, tenantId, { tokenIds: ids, nowMs });
      for (const token of revoked) await audit(tx, tenantId, { kind, token, why, nowMs });
      return revoked.map(({ tokenId }) => tokenId);
    },
  };
}

async function audit(
  tx: Queries,
  tenantId: TenantId,
  entry: { kind: string; token: { tokenId: string; name: string }; why: string; nowMs: number },
): Promise<void> {
  const { kind, token, why, nowMs } = entry;
  const { tokenId, name } = token;
  await auditStore.append(
    tx,
    {
      tenantId,
      actor: SERVICE,
      action: `${kind}.revoke`,
      resource: { type: kind, id: tokenId },
      outcome: 'success',
      requestId: null,
      detail: `${kind === 'token' ? 'Token' : 'Enrolment secret'} "${name}" revoked: ${why}`,
      fields: { name, revoked_at: toTimestamp(nowMs) },
    },
    nowMs,
  );
}
