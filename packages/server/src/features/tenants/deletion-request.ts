import type { NewDeletionRequest, TenantDeletionRequest } from '@tps/contract';
import { DEFAULT_DELETION_DAYS } from '@tps/contract/vocabulary';
import type { Queries } from '../../database/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { AdmittedRequest } from '../../platform/http/route.ts';
import { notFound, ServiceError } from '../../platform/service-error.ts';
import { toTimestamp } from '../../platform/time.ts';
import { actorOf, auditStore } from '../audit/index.ts';
import type { RequestDatabase } from '../authority/index.ts';
import { deletionTimeMs } from './deletion-time.ts';
import type { TenantRecord } from './tenant-store.ts';
import * as tenantStore from './tenant-store.ts';

/**
 * Lets the admins of a tenant request its deletion, and cancel that. The tenant works as before until the request is due, so
 * that they can: a deletion by the operator rejects all credentials at once.
 */
export class DeletionRequests {
  readonly #database: RequestDatabase;
  readonly #clock: Clock;

  constructor({ database, clock }: { database: RequestDatabase; clock: Clock }) {
    this.#database = database;
    this.#clock = clock;
  }

  /** @throws ServiceError `invalid_field` for another name; `invalid_state_transition` after another request */
  create(
    { name, after_days: afterDays = DEFAULT_DELETION_DAYS }: NewDeletionRequest,
    request: AdmittedRequest,
  ): Promise<TenantDeletionRequest> {
    return this.#database.transaction(request, async (tx) => {
      const tenant = await lock(tx, request);
      if (name !== tenant.name) {
        throw new ServiceError(
          'invalid_field',
          'name must be the name of the tenant, exactly as it is shown',
        );
      }
      if (tenant.requestedDeletion) {
        const dueAt = toTimestamp(tenant.requestedDeletion.dueAtMs);
        const message = `The tenant is already to be deleted at ${dueAt}: cancel that first`;
        throw new ServiceError('invalid_state_transition', message);
      }
      const nowMs = this.#clock.now();
      const requested = { dueAtMs: deletionTimeMs(nowMs, afterDays), requestedBy: actorOf(request) };
      await tenantStore.setRequestedDeletion(tx, tenant.tenantId, requested);
      const deletion = toDeletionRequest(requested);
      await audit(tx, request, {
        action: 'tenant.request_deletion',
        detail: `Deletion of the tenant requested for ${deletion.due_at}`,
        fields: { due_at: deletion.due_at },
        nowMs,
      });
      return deletion;
    });
  }

  /** Without a request, this has no effect. */
  cancel(request: AdmittedRequest): Promise<void> {
    return this.#database.transaction(request, async (tx) => {
      const tenant = await lock(tx, request);
      if (!tenant.requestedDeletion) return;
      await tenantStore.setRequestedDeletion(tx, tenant.tenantId, null);
      await audit(tx, request, {
        action: 'tenant.cancel_deletion',
        detail: 'Requested deletion of the tenant cancelled',
        fields: { due_at: toTimestamp(tenant.requestedDeletion.dueAtMs) },
        nowMs: this.#clock.now(),
      });
    });
  }
}

export function toDeletionRequest({
  dueAtMs,
  requestedBy,
}: NonNullable<TenantRecord['requestedDeletion']>): TenantDeletionRequest {
  return { due_at: toTimestamp(dueAtMs), requested_by: { ...requestedBy } };
}

/** @throws ServiceError `not_found` */
async function lock(tx: Queries, { tenantId }: AdmittedRequest): Promise<TenantRecord> {
  const tenant = await tenantStore.findRecordForUpdate(tx, tenantId);
  if (!tenant || tenant.deleteAfterMs !== null) throw notFound('tenant');
  return tenant;
}

function audit(
  tx: Queries,
  request: AdmittedRequest,
  { nowMs, ...change }: { action: string; detail: string; fields: Record<string, unknown>; nowMs: number },
): Promise<void> {
  const { tenantId } = request;
  const resource = { type: 'tenant', id: tenantId };
  return auditStore.appendFor(tx, request, { tenantId, resource, ...change }, nowMs);
}
