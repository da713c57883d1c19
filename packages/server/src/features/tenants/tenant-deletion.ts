import type { Database, Queries } from '../../database/index.ts';
import type { Clock } from '../../platform/clock.ts';
import { notFound, ServiceError } from '../../platform/service-error.ts';
import { toTimestamp } from '../../platform/time.ts';
import { auditStore, COMMAND_LINE } from '../audit/index.ts';
import { awaitEndOfTenant } from '../authority/index.ts';
import { feedHeadStore } from '../feed/index.ts';
import { webhookStore } from '../webhooks/index.ts';
import * as deletionStore from './deletion-store.ts';
import type { TenantRecord } from './tenant-store.ts';
import * as tenantStore from './tenant-store.ts';

const DAY_MS = 86_400_000;

/** Deletes tenants and restores them, on the command line. */
export class TenantDeletion {
  readonly #database: Database;
  readonly #clock: Clock;

  constructor({ database, clock }: { database: Database; clock: Clock }) {
    this.#database = database;
    this.#clock = clock;
  }

  /** Counts what would be deleted, up to `COUNT_LIMIT` + 1 rows per table. @throws ServiceError `not_found` */
  async preview(tenantId: string): Promise<{ tenant: TenantRecord; rows: deletionStore.RowCounts }> {
    const { read } = this.#database;
    const tenant = await tenantStore.findRecord(read, tenantId);
    if (!tenant) throw notFound('tenant');
    return { tenant, rows: await deletionStore.countRows(read, tenant.tenantId) };
  }

  /**
   * Begins to delete a tenant. Its credentials are rejected and its webhooks receive nothing from now on; after the
   * grace period all its data is deleted. A second call restarts the grace period.
   *
   * @throws ServiceError `not_found`; `invalid_state_transition` if the grace period is over
   */
  async begin(tenantId: string, graceDays: number): Promise<TenantRecord> {
    const deleted = await this.#change(tenantId, async (tx, tenant, nowMs) => {
      requireGracePeriod(tenant, nowMs);
      const deleteAfterMs = nowMs + graceDays * DAY_MS;
      await tenantStore.setDeleteAfter(tx, tenant.tenantId, deleteAfterMs);
      await webhookStore.suspendAll(tx, tenant.tenantId);
      const deleteAfter = toTimestamp(deleteAfterMs);
      const detail = `Tenant will be deleted permanently after ${deleteAfter}`;
      await audit(
        tx,
        tenant,
        { action: 'tenant.delete', detail, fields: { delete_after: deleteAfter } },
        nowMs,
      );
      return { ...tenant, deleteAfterMs };
    });
    await awaitEndOfTenant(this.#database, deleted.tenantId);
    return deleted;
  }

  /**
   * Undoes the deletion of a tenant during its grace period.
   *
   * @throws ServiceError `not_found`; `invalid_state_transition` if it is not being deleted or the grace period is over
   */
  restore(tenantId: string): Promise<TenantRecord> {
    return this.#change(tenantId, async (tx, tenant, nowMs) => {
      if (tenant.deleteAfterMs === null) {
        throw new ServiceError('invalid_state_transition', 'The tenant is not being deleted');
      }
      requireGracePeriod(tenant, nowMs);
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
      // Every change of webhooks locks the feed head first.
      await feedHeadStore.lock(tx, tenant.tenantId);
      return work(tx, tenant, nowMs);
    });
  }
}

/** Once the grace period is over, rows may be missing already, so the tenant cannot be restored. */
function requireGracePeriod({ deleteAfterMs }: TenantRecord, nowMs: number): void {
  if (deleteAfterMs === null || deleteAfterMs > nowMs) return;
  throw new ServiceError(
    'invalid_state_transition',
    `The grace period ended at ${toTimestamp(deleteAfterMs)}: the tenant is being deleted permanently`,
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
