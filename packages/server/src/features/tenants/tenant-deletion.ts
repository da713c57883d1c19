import type { Database, Queries } from '../../database/index.ts';
import type { Clock } from '../../platform/clock.ts';
import { notFound, ServiceError } from '../../platform/service-error.ts';
import { toTimestamp } from '../../platform/time.ts';
import { type AuditActor, auditStore, COMMAND_LINE } from '../audit/index.ts';
import { awaitEndOfTenant } from '../authority/index.ts';
import { feedHeadStore } from '../feed/index.ts';
import { webhookStore } from '../webhooks/index.ts';
import * as deletionStore from './deletion-store.ts';
import { deletionTimeMs } from './deletion-time.ts';
import type { TenantRecord } from './tenant-store.ts';
import * as tenantStore from './tenant-store.ts';

/** Deletes tenants and restores them: on the command line, or when the deletion that an admin has requested is due. */
export class TenantDeletion {
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #actor: AuditActor;

  constructor(parts: { database: Database; clock: Clock; actor?: AuditActor }) {
    this.#database = parts.database;
    this.#clock = parts.clock;
    this.#actor = parts.actor ?? COMMAND_LINE;
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
    const deleted = await this.#change(tenantId, (tx, tenant, nowMs) => {
      requireGracePeriod(tenant, nowMs);
      return this.#suspend(tx, tenant, { deleteAfterMs: deletionTimeMs(nowMs, graceDays), nowMs });
    });
    await awaitEndOfTenant(this.#database, deleted.tenantId);
    return deleted;
  }

  /** Begins the deletions that admins have requested and that are due. They have no other grace period. */
  async beginRequested(): Promise<void> {
    for (const tenantId of await tenantStore.listRequested(this.#database.read, this.#clock.now())) {
      const changed = await this.#change(tenantId, (tx, tenant, nowMs) => {
        // An admin may have cancelled it meanwhile.
        const dueAtMs = tenant.requestedDeletion?.dueAtMs;
        if (tenant.deleteAfterMs !== null || dueAtMs === undefined || dueAtMs > nowMs)
          return Promise.resolve(tenant);
        return this.#suspend(tx, tenant, { deleteAfterMs: nowMs, nowMs });
      });
      if (changed.deleteAfterMs !== null) await awaitEndOfTenant(this.#database, tenantId);
    }
  }

  /**
   * Undoes the deletion of a tenant during its grace period, and cancels one that an admin has requested.
   *
   * @throws ServiceError `not_found`; `invalid_state_transition` if it is not being deleted or the grace period is over
   */
  restore(tenantId: string): Promise<TenantRecord> {
    return this.#change(tenantId, async (tx, tenant, nowMs) => {
      if (tenant.deleteAfterMs === null && !tenant.requestedDeletion) {
        throw new ServiceError('invalid_state_transition', 'The tenant is not being deleted');
      }
      requireGracePeriod(tenant, nowMs);
      await tenantStore.setRequestedDeletion(tx, tenant.tenantId, null);
      await tenantStore.setDeleteAfter(tx, tenant.tenantId, null);
      await webhookStore.resumeAll(tx, tenant.tenantId);
      await this.#audit(
        tx,
        tenant,
        { action: 'tenant.restore', detail: 'Tenant restored', fields: {} },
        nowMs,
      );
      return { ...tenant, deleteAfterMs: null, requestedDeletion: null };
    });
  }

  async #suspend(
    tx: Queries,
    tenant: TenantRecord,
    { deleteAfterMs, nowMs }: { deleteAfterMs: number; nowMs: number },
  ): Promise<TenantRecord> {
    await tenantStore.setDeleteAfter(tx, tenant.tenantId, deleteAfterMs);
    await webhookStore.suspendAll(tx, tenant.tenantId);
    const deleteAfter = toTimestamp(deleteAfterMs);
    const detail = `Tenant will be deleted permanently after ${deleteAfter}`;
    const change = { action: 'tenant.delete', detail, fields: { delete_after: deleteAfter } };
    await this.#audit(tx, tenant, change, nowMs);
    return { ...tenant, deleteAfterMs };
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

  #audit(
    tx: Queries,
    { tenantId }: TenantRecord,
    change: { action: string; detail: string; fields: Record<string, unknown> },
    nowMs: number,
  ): Promise<void> {
    const resource = { type: 'tenant', id: tenantId };
    const act = { tenantId, actor: this.#actor, resource, outcome: 'success', requestId: null } as const;
    return auditStore.append(tx, { ...act, ...change }, nowMs);
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
