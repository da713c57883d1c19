import { setImmediate } from 'node:timers/promises';
import type { Database } from '../../../database/index.ts';
import type { Clock } from '../../../platform/clock.ts';
import { Attempts } from '../../../platform/concurrency/collect-failures.ts';
import { withRoomAfter } from '../../../platform/concurrency/run-then-pause.ts';
import type { Config } from '../../../platform/config/config.ts';
import { NO_TENANT, type TenantId } from '../../../platform/tenant-id.ts';
import { toTimestamp } from '../../../platform/time.ts';
import { type AuditActor, auditStore } from '../../audit/index.ts';
import { feedHeadStore } from '../../feed/index.ts';
import { tenantStore } from '../../tenants/index.ts';
import { cutoffOf, DATA_CLASSES, type DataClass, type Retention, retentionOf } from './data-class.ts';
import { listSweeps } from './purge-plan-store.ts';
import { countOutdated, findWindowEnd, removeOutdated } from './purge-store.ts';
import {
  addCounts,
  type Counts,
  type Key,
  type Owner,
  type Span,
  type Sweep,
  totalOf,
} from './purge-task.ts';
import * as retentionOverrideStore from './retention-override-store.ts';

/** What became of one class of one tenant's data. */
export interface RetentionResult extends Retention {
  /** Null for the audit trail of what concerns no tenant. */
  readonly tenantId: TenantId | null;
  readonly dataClass: DataClass;
  /** Everything older was looked at. */
  readonly cutoffMs: number;
  /** Rows removed, or that would be, by table. Tables without any are left out. */
  readonly rows: Counts;
}

export interface RetentionRun {
  readonly database: Database;
  readonly clock: Clock;
  readonly config: Config['retention'];
  readonly actor: AuditActor;
  /** All tenants, and what concerns none, when it is left out. */
  readonly tenantId?: TenantId | undefined;
  /** Counts what would be removed, and removes nothing. */
  readonly dryRun: boolean;
  /** Told after each window that held something outdated: what has been counted or removed of the class so far. */
  readonly onProgress?: (progress: RetentionResult) => void;
  /** Ends the run after the transaction under way. What has been removed stays removed. */
  readonly signal?: AbortSignal;
}

/**
 * Removes what is kept no longer, in small transactions, each with its audit entry. Nothing remembers how far it came: a
 * run that was killed is made up for by the next, and any number may go on at once. What fails keeps nothing else back.
 *
 * @throws the signal's reason when it is aborted, AggregateError in the end when a class of a tenant's data failed
 */
export async function runRetention(run: RetentionRun): Promise<RetentionResult[]> {
  const { database, config, tenantId, signal } = run;
  const attempts = new Attempts({ signal, requireUse: () => database.ping() });
  const results: RetentionResult[] = [];
  const attempt = async (task: Task) => {
    const name = `${task.owner === NO_TENANT ? 'no tenant' : task.owner}, ${task.dataClass}`;
    const result = await attempts.attempt(name, () => retain(run, task));
    if (result) results.push(result);
  };
  for (const owner of tenantId === undefined ? await tenantStore.list(database.read) : [tenantId]) {
    const overrides = await attempts.attempt(owner, () => retentionOverrideStore.find(database.read, owner));
    if (!overrides) continue;
    const retention = retentionOf(config, overrides);
    for (const dataClass of DATA_CLASSES)
      await attempt({ owner, dataClass, retention: retention[dataClass] });
  }
  if (tenantId === undefined) {
    const { audit } = retentionOf(config, new Map());
    await attempt({ owner: NO_TENANT, dataClass: 'audit', retention: audit });
  }
  attempts.end();
  return results;
}

interface Task {
  readonly owner: Owner;
  readonly dataClass: DataClass;
  readonly retention: Retention;
}

async function retain(run: RetentionRun, { owner, dataClass, retention }: Task): Promise<RetentionResult> {
  const cutoffMs = cutoffOf(retention.days, run.clock.now());
  let result: RetentionResult = {
    ...{ ...retention, tenantId: owner === NO_TENANT ? null : owner, dataClass, cutoffMs, rows: {} },
  };
  for (const sweep of await listSweeps(run.database.read, dataClass, { owner, cutoffMs })) {
    for await (const counts of walk(run, sweep, result)) {
      result = { ...result, rows: addCounts(result.rows, counts) };
      run.onProgress?.(result);
    }
  }
  return result;
}

/** Goes through a table window by window. Only a window that holds something outdated costs a transaction. */
async function* walk(run: RetentionRun, sweep: Sweep, about: RetentionResult): AsyncGenerator<Counts> {
  const { read } = run.database;
  let after: Key | undefined;
  for (;;) {
    // On SQLite a query ends before anybody else has a turn.
    await setImmediate();
    run.signal?.throwIfAborted();
    const until = await findWindowEnd(read, sweep, after);
    if (!until) return;
    const span = { after, until };
    const found = await countOutdated(read, sweep, span);
    if (run.dryRun && totalOf(found) > 0) yield found;
    else if (totalOf(found) > 0) yield* removeSpan(run, { sweep, span, about });
    after = until;
  }
}

async function* removeSpan(
  run: RetentionRun,
  { sweep, span, about }: { sweep: Sweep; span: Span; about: RetentionResult },
): AsyncGenerator<Counts> {
  for (;;) {
    run.signal?.throwIfAborted();
    const { counts, isDone } = await withRoomAfter(() => removeOnce(run, { sweep, span, about }), run.signal);
    if (totalOf(counts) > 0) yield counts;
    if (isDone) return;
  }
}

function removeOnce(
  { database, clock, actor }: RetentionRun,
  { sweep, span, about }: { sweep: Sweep; span: Span; about: RetentionResult },
): Promise<{ counts: Counts; isDone: boolean }> {
  const { tenantId, dataClass, days, cutoffMs } = about;
  return database.transaction(
    async (tx) => {
      if (sweep.locksFeed && tenantId !== null) await feedHeadStore.lock(tx, tenantId);
      const removal = await removeOutdated(tx, sweep, span);
      const total = totalOf(removal.counts);
      if (total === 0) return removal;
      const cutoff = toTimestamp(cutoffMs);
      await auditStore.append(
        tx,
        {
          ...{ tenantId, actor, action: 'retention.run', outcome: 'success', requestId: null },
          resource: { type: 'data_class', id: dataClass },
          detail: `${total} rows of class ${dataClass} from before ${cutoff} removed`,
          fields: { data_class: dataClass, days, cutoff, rows: removal.counts },
        },
        clock.now(),
      );
      return removal;
    },
    // Deliveries may be claimed or recorded at the same moment, in another order.
    { idempotent: true },
  );
}
