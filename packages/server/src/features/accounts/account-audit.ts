import type { Queries } from '../../database/index.ts';
import type { TenantId } from '../../platform/tenant-id.ts';
import { type AuditActor, type AuditRecord, auditStore } from '../audit/index.ts';
import type { AccountId } from './account.ts';
import * as membershipReadModel from './membership-read-model.ts';

interface AccountChange extends Pick<AuditRecord, 'action' | 'detail' | 'requestId'> {
  readonly accountId: AccountId;
  /** Default: the tenants of the person. */
  readonly tenantIds?: readonly TenantId[];
  /** The person (default), or anyone else who acted. */
  readonly actor?: AuditActor;
  readonly outcome?: AuditRecord['outcome'];
  readonly fields?: AuditRecord['fields'];
}

/**
 * Records what happened to an account, in the transaction of the change: for each tenant of the person, or without a tenant
 * if they have none. Call it last, because it locks the ends of the audit chains. Entries name the id of the account and
 * never its e-mail address, so that they can stay when the person is deleted.
 */
export async function appendAccountEntry(tx: Queries, change: AccountChange, nowMs: number): Promise<void> {
  const { accountId, action, detail, requestId } = change;
  const tenants = change.tenantIds ?? (await membershipReadModel.listTenants(tx, accountId));
  for (const tenantId of tenants.length > 0 ? tenants : [null]) {
    const record: AuditRecord = {
      tenantId,
      action,
      detail,
      requestId,
      actor: change.actor ?? { type: 'account', id: accountId },
      resource: { type: 'account', id: accountId },
      outcome: change.outcome ?? 'success',
      fields: change.fields ?? {},
    };
    await auditStore.append(tx, record, nowMs);
  }
}
