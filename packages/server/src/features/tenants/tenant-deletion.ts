import type { Database, Queries } from '../../database/index.ts';
import type { Clock } from '../../platform/clock.ts';
import { notFound, ServiceError } from '../../platform/service-error.ts';
import { toTimestamp } from '../../platform/time.ts';
import { auditStore, COMMAND_LINE } from '../audit/index.ts';
import { feedHeadStore } from '../feed/index.ts';
import { webhookStore } from '../webhooks/index.ts';
import * as deletionStore from './deletion-store.ts';
import type { TenantRecord } from './tenant-store.ts';
import * as tenantStore from './tenant-store.ts';

const DAY_MS = 86_400_000;

/** What operators do about a tenant that is to be no more, on the command line. */
export class TenantDeletion {
  readonly #database: Database;
  readonly #clock: Clock;

  constructor({ database, clock }: { database: Database; clock: Clock }) {
    this.#database = database;
    this.#clock = clock;
  }

  /** Gives what would be deleted, of each table one more row than `COUNT_LIMIT` at most. @throws ServiceError `not_found` */
  async preview(tenantId: string): Promise<{ tenant: TenantRecord; rows: deletionStore.RowCounts }> {
    const { read } = this.#database;
    const tenant = await tenantStore.findRecord(read, tenantId);
    if (!tenant) throw notFound('tenant');
    return { tenant, rows: await deletionStore.countRows(read, tenant.tenantId) };
  }

  /**
   * Begins to delete a tenant: at once its credentials are refused and its webhooks are no longer sent to, and after so
   * many days everything it has is removed. Done again, it counts from then.
   *
   * @throws ServiceError `not_found`, `invalid_state_transition` when it is being removed already
   */
  begin(tenantId: string, graceDays: number): Promise<TenantRecord> {
    return this.#change(tenantId, async (tx, tenant, nowMs) => {
      requireWhole(tenant, nowMs);
      const deleteAfterMs = nowMs + graceDays * DAY_MS;
      await tenantStore.setDeleteAfter(tx, tenant.tenantId, deleteAfterMs);
      await webhookStore.suspendAll(tx, tenant.tenantId);
      const deleteAfter = toTimestamp(deleteAfterMs);
      const detail = `Tenant is deleted for good after ${deleteAfter}`;
      await audit(
        tx,
        tenant,
        { action: 'tenant.delete', detail, fields: { delete_after: deleteAfter } },
        nowMs,
      );
      return { ...tenant, deleteAfterMs };
    });
  }

  /** Takes the deletion of a tenant back. @throws ServiceError `not_found`, `invalid_state_transition` when there is none to take back */
  restore(tenantId: string): Promise<TenantRecord> {
    return this.#change(tenantId, async (tx, tenant, nowMs) => {
      if (tenant.deleteAfterMs === null) {
        throw new ServiceError('invalid_state_transition', 'The tenant is not being deleted');
      }
      requireWhole(tenant, nowMs);
      await tenantStore.setDeleteAfter(tx, tenant.tenantId, null);
      await webhookStore.resumeAll(tx, tenant.tenantId);
      await audit(tx, tenant, { action: 'tenant.restore', detail: 'Tenant restored', fields: {} }, nowMs);
      return { ...tenant, deleteAfterMs: null };
    });
  }

  #change(
    tenantId: string,
    work: (tx: Queries, tenant: TenantRecord, nowMs: number) => Promise<TenantRecord>,
  ): Promise<TenantRecord> {
    const nowMs = this.#clock.now();
    return this.#database.transaction(async (tx) => {
      const tenant = await tenantStore.findRecordForUpdate(tx, tenantId);
      if (!tenant) throw notFound('tenant');
      // As whoever else changes webhooks does.
      await feedHeadStore.lock(tx, tenant.tenantId);
      return work(tx, tenant, nowMs);
    });
  }
}

/** Once the time is over rows may be missing, so nobody may have the tenant back. */
function requireWhole({ deleteAfterMs }: TenantRecord, nowMs: number): void {
  if (deleteAfterMs === null || deleteAfterMs > nowMs) return;
  throw new ServiceError(
    'invalid_state_transition',
    `Too late: since ${toTimestamp(deleteAfterMs)} the tenant is being removed for good`,
  );
}

function audit(
  tx: Queries,
  { tenantId }: TenantRecord,
  change: { action: string; detail: string; fields: Record<string, unknown> },
  nowMs: number,
): Promise<void> {
  const resource = { type: 'tenant', id: tenantId };
  const act = { tenantId, actor: COMMAND_LINE, resource, outcome: 'success', requestId: null } as const;
  return auditStore.append(tx, { ...act, ...change }, nowMs);
}
