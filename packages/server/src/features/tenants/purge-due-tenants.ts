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

/** Requests and deliveries that were under way when a tenant was removed have ended by then, whatever they wrote. */
const REMAINS_MS = 86_400_000;

export interface TenantRemoval {
  readonly database: Database;
  readonly clock: Clock;
  readonly actor: AuditActor;
  /** All whose time is over, when it is left out. */
  readonly tenantId?: TenantId | undefined;
  /** Told after each transaction: what has been removed of the tenant so far. */
  readonly onProgress?: (removed: RemovedTenant) => void;
  /** Ends the work after the transaction under way. */
  readonly signal?: AbortSignal;
}

export interface RemovedTenant {
  readonly tenantId: TenantId;
  /** Rows by table, also those that an earlier run has removed. */
  readonly rows: RowCounts;
}

/**
 * Removes the tenants whose time is over, with everything they have, in small transactions and the tenant itself last: a
 * removal that was killed is taken up by the next. It leaves one entry, in the trail of what concerns no tenant. A
 * tenant that cannot be removed keeps none of the others.
 *
 * @throws the signal's reason when it is aborted, AggregateError in the end when a removal failed
 */
export async function purgeDueTenants(work: TenantRemoval): Promise<RemovedTenant[]> {
  const { database, clock, tenantId, signal } = work;
  const attempts = new FailureCollector({ signal, requireUse: () => database.ping() });
  const due = await deletionStore.listDue(database.read, clock.now());
  const removed: RemovedTenant[] = [];
  for (const id of due.filter((each) => tenantId === undefined || each === tenantId)) {
    const one = await attempts.run(id, () => removeTenant(work, id));
    if (one) removed.push(one);
  }
  for (const id of await listDeletedTenants(database.read, clock.now() - REMAINS_MS)) {
    await attempts.run(id, () => removeRemains(work, id));
  }
  attempts.throwIfAny();
  return removed;
}

/** Gives undefined when another process has finished the removal, or somebody has taken the deletion back. */
async function removeTenant(work: TenantRemoval, tenantId: TenantId): Promise<RemovedTenant | undefined> {
  for (const table of TENANT_TABLES) {
    if (table === 'tenants') break;
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
  const detail = 'Tenant deleted with everything it had';
  await append(tx, { actor, clock, tenantId, action: 'tenant.deleted', detail, rows });
  return { tenantId, rows };
}

/** Removes what requests that were under way have written after the tenant was gone. Its id is never given again. */
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
        const detail = 'What was written while the tenant was being deleted has been removed';
        await append(tx, { actor, clock, tenantId, action: 'tenant.remains_deleted', detail, rows });
      },
      { idempotent: true },
    );
  }
}

/** Works in a transaction as long as the tenant is there and its deletion has not been taken back. One process at a time. */
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

/** On SQLite a transaction ends before anybody else has a turn. */
async function pause({ signal }: TenantRemoval): Promise<void> {
  await setImmediate();
  signal?.throwIfAborted();
}
