import { setImmediate } from 'node:timers/promises';
import type { Database, Queries } from '../../database/index.ts';
import type { Clock } from '../../platform/clock.ts';
import { FailureCollector } from '../../platform/concurrency/collect-failures.ts';
import { runThenPause } from '../../platform/concurrency/run-then-pause.ts';
import type { TenantId } from '../../platform/tenant-id.ts';
import { type AuditActor, auditStore } from '../audit/index.ts';
import { listDeletedTenants } from './deleted-tenant-read-model.ts';
import * as deletionStore from './deletion-store.ts';
import { type RowCounts, TENANT_TABLES } from './deletion-store.ts';
import * as tenantStore from './tenant-store.ts';

/** Requests and deliveries that were in progress when a tenant was removed have certainly ended after this time. */
const REMAINS_MS = 86_400_000;

export interface TenantRemoval {
  readonly database: Database;
  readonly clock: Clock;
  readonly actor: AuditActor;
  /** If omitted: all tenants whose grace period is over. */
  readonly tenantId?: TenantId | undefined;
  /** Removes some people who belong to no other tenant, in a transaction. Returns whether more may be left. */
  readonly removePeople?: (tx: Queries, tenantId: TenantId) => Promise<boolean>;
  /** Called after each transaction with the rows of the tenant that were removed so far. */
  readonly onProgress?: (removed: RemovedTenant) => void;
  /** Ends the work after the current transaction. */
  readonly signal?: AbortSignal;
}

export interface RemovedTenant {
  readonly tenantId: TenantId;
  /** Rows by table, including those that earlier runs removed. */
  readonly rows: RowCounts;
}

/**
 * Removes the tenants whose grace period is over, with all their data. It works in small transactions and removes the
 * tenant row last, so the next run completes one that was killed. One audit entry, which belongs to no tenant, remains.
 * A removal that fails does not stop the others.
 *
 * @throws the signal's reason when it is aborted, AggregateError at the end if a removal failed
 */
export async function purgeDueTenants(work: TenantRemoval): Promise<RemovedTenant[]> {
  const { database, clock, tenantId, signal } = work;
  const failures = new FailureCollector({ signal, assertUsable: () => database.ping() });
  const due = await deletionStore.listDue(database.read, clock.now());
  const removed: RemovedTenant[] = [];
  for (const id of due.filter((each) => tenantId === undefined || each === tenantId)) {
    const one = await failures.run(id, () => removeTenant(work, id));
    if (one) removed.push(one);
  }
  for (const id of await listDeletedTenants(database.read, clock.now() - REMAINS_MS)) {
    await failures.run(id, () => removeRemains(work, id));
  }
  failures.throwIfAny();
  return removed;
}

/** Returns undefined if another process finished the removal, or if the tenant was restored. */
async function removeTenant(work: TenantRemoval, tenantId: TenantId): Promise<RemovedTenant | undefined> {
  for (const table of TENANT_TABLES) {
    if (table === 'tenants') break;
    // While the memberships tell who they are.
    if (table === 'memberships' && !(await removePeople(work, tenantId))) return undefined;
    for (let isEmpty = false; !isEmpty; ) {
      await pause(work);
      const step = await runThenPause(
        () => whileDue(work, tenantId, (tx) => removeFrom(tx, tenantId, table)),
        work.signal,
      );
      if (!step) return undefined;
      if (step.removed > 0) work.onProgress?.({ tenantId, rows: step.rows });
      isEmpty = step.isEmpty;
    }
  }
  await pause(work);
  return whileDue(work, tenantId, (tx) => finish(tx, work, tenantId));
}

/** Returns false if another process finished the removal, or if the tenant was restored. */
async function removePeople(work: TenantRemoval, tenantId: TenantId): Promise<boolean> {
  const { removePeople: removeSome } = work;
  for (let mayBeLeft: boolean | undefined = removeSome !== undefined; mayBeLeft; ) {
    await pause(work);
    mayBeLeft = await whileDue(work, tenantId, (tx) => removeSome?.(tx, tenantId) ?? Promise.resolve(false));
    if (mayBeLeft === undefined) return false;
  }
  return true;
}

async function removeFrom(tx: Queries, tenantId: TenantId, table: (typeof TENANT_TABLES)[number]) {
  const before = await deletionStore.readRemoved(tx, tenantId);
  const { removed, isEmpty } = await deletionStore.removeSome(tx, tenantId, table);
  if (removed === 0) return { removed, isEmpty, rows: before };
  const rows = { ...before, [table]: (before[table] ?? 0) + removed };
  await deletionStore.saveRemoved(tx, tenantId, rows);
  return { removed, isEmpty, rows };
}

async function finish(
  tx: Queries,
  { actor, clock }: TenantRemoval,
  tenantId: TenantId,
): Promise<RemovedTenant> {
  const { rows } = await removeFrom(tx, tenantId, 'tenants');
  await deletionStore.forgetRemoved(tx, tenantId);
  await deletionStore.forgetRequests(tx, tenantId);
  const detail = 'Tenant deleted with all its data';
  await append(tx, { actor, clock, tenantId, action: 'tenant.deleted', detail, rows });
  return { tenantId, rows };
}

/** Removes rows that requests in progress wrote after the tenant was removed. Tenant ids are never reused. */
async function removeRemains(work: TenantRemoval, tenantId: TenantId): Promise<void> {
  const { database, actor, clock } = work;
  for (;;) {
    await pause(work);
    const remains = await deletionStore.listFilled(database.read, tenantId);
    if (remains.length === 0) return;
    await database.transaction(
      async (tx) => {
        const rows: Record<string, number> = {};
        for (const table of TENANT_TABLES.filter((each) => remains.includes(each))) {
          const { removed } = await deletionStore.removeSome(tx, tenantId, table);
          if (removed > 0) rows[table] = removed;
        }
        const detail = 'Deleted rows that were written while the tenant was being deleted';
        await append(tx, { actor, clock, tenantId, action: 'tenant.remains_deleted', detail, rows });
      },
      { idempotent: true },
    );
  }
}

/** Runs work in a transaction if the tenant still exists and is due. Locks the tenant: one process works at a time. */
function whileDue<R>(
  { database, clock }: TenantRemoval,
  tenantId: TenantId,
  work: (tx: Queries) => Promise<R>,
): Promise<R | undefined> {
  return database.transaction(
    async (tx) => {
      const tenant = await tenantStore.findRecordForUpdate(tx, tenantId);
      const deleteAfterMs = tenant?.deleteAfterMs ?? null;
      if (deleteAfterMs === null || deleteAfterMs > clock.now()) return undefined;
      return work(tx);
    },
    { idempotent: true },
  );
}

function append(
  tx: Queries,
  entry: Pick<TenantRemoval, 'actor' | 'clock'> & {
    tenantId: TenantId;
    action: string;
    detail: string;
    rows: RowCounts;
  },
): Promise<void> {
  const { actor, clock, tenantId, action, detail, rows } = entry;
  const resource = { type: 'tenant', id: tenantId };
  return auditStore.append(
    tx,
    {
      tenantId: null,
      actor,
      action,
      resource,
      outcome: 'success',
      requestId: null,
      detail,
      fields: { rows },
    },
    clock.now(),
  );
}

/** Yields to the event loop: on SQLite, whole transactions run without yielding. */
async function pause({ signal }: TenantRemoval): Promise<void> {
  await setImmediate();
  signal?.throwIfAborted();
}
