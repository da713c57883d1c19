import { setImmediate } from 'node:timers/promises';
import { countOf } from '@tps/contract/vocabulary';
import type { Database } from '../../../database/index.ts';
import type { Clock } from '../../../platform/clock.ts';
import { FailureCollector } from '../../../platform/concurrency/collect-failures.ts';
import { runThenPause } from '../../../platform/concurrency/run-then-pause.ts';
import type { Config } from '../../../platform/config/config.ts';
import { NO_TENANT, type TenantId } from '../../../platform/tenant-id.ts';
import { toTimestamp } from '../../../platform/time.ts';
import { type AuditActor, auditHeadStore, auditStore } from '../../audit/index.ts';
import { feedHeadStore } from '../../feed/index.ts';
import { tenantStore } from '../../tenants/index.ts';
import { cutoffOf, DATA_CLASSES, type DataClass, type Retention, retentionOf } from './data-class.ts';
import { listPurgeTasks } from './purge-plan-read-model.ts';
import { countExpired, findWindowEnd, purgeExpired } from './purge-store.ts';
import {
  addCounts,
  type Counts,
  type Key,
  type Owner,
  type PurgeTask,
  type Span,
  totalOf,
} from './purge-task.ts';
import * as retentionOverrideStore from './retention-override-store.ts';

/** The result for one class of one tenant's data. */
export interface RetentionResult extends Retention {
  /** Null for the audit trail that belongs to no tenant. */
  readonly tenantId: TenantId | null;
  readonly dataClass: DataClass;
  /** Data older than this has expired. */
  readonly cutoffMs: number;
  /** Rows removed, or in a dry run to be removed, by table. Tables without any are omitted. */
  readonly rows: Counts;
}

export interface RetentionRun {
  readonly database: Database;
  readonly clock: Clock;
  readonly config: Config['retention'];
  readonly actor: AuditActor;
  /** If omitted: all tenants, and the audit trail that belongs to none. */
  readonly tenantId?: TenantId | undefined;
  /** Only counts what would be removed. */
  readonly dryRun: boolean;
  /** Called after each window with expired rows, with the totals of the class so far. */
  readonly onProgress?: (progress: RetentionResult) => void;
  /** Ends the run after the current transaction. What was removed stays removed. */
  readonly signal?: AbortSignal;
}

/**
 * Purges expired data in small transactions, each with an audit entry. A run stores no progress: the next run completes
 * one that was killed, and several may run at the same time. A failure does not stop the rest.
 *
 * @throws the signal's reason when it is aborted, AggregateError at the end if a class of a tenant's data failed
 */
export async function purgeExpiredData(run: RetentionRun): Promise<RetentionResult[]> {
  const { database, config, tenantId, signal } = run;
  const failures = new FailureCollector({ signal, assertUsable: () => database.ping() });
  const results: RetentionResult[] = [];
  const purgeClass = async (scope: RetentionScope) => {
    const name = `${scope.owner === NO_TENANT ? 'no tenant' : scope.owner}, ${scope.dataClass}`;
    const result = await failures.run(name, () => purgeScope(run, scope));
    if (result) results.push(result);
  };
  for (const owner of tenantId === undefined ? await tenantStore.list(database.read) : [tenantId]) {
    const overrides = await failures.run(owner, () => retentionOverrideStore.find(database.read, owner));
    if (!overrides) continue;
    const retention = retentionOf(config, overrides);
    for (const dataClass of DATA_CLASSES)
      await purgeClass({ owner, dataClass, retention: retention[dataClass] });
  }
  if (tenantId === undefined) {
    const { audit } = retentionOf(config, new Map());
    await purgeClass({ owner: NO_TENANT, dataClass: 'audit', retention: audit });
  }
  failures.throwIfAny();
  return results;
}

interface RetentionScope {
  readonly owner: Owner;
  readonly dataClass: DataClass;
  readonly retention: Retention;
}

async function purgeScope(
  run: RetentionRun,
  { owner, dataClass, retention }: RetentionScope,
): Promise<RetentionResult> {
  const cutoffMs = cutoffOf(retention.days, run.clock.now());
  let result: RetentionResult = {
    ...retention,
    tenantId: owner === NO_TENANT ? null : owner,
    dataClass,
    cutoffMs,
    rows: {},
  };
  for (const task of await listPurgeTasks(run.database.read, dataClass, { owner, cutoffMs })) {
    for await (const counts of walk(run, task, result)) {
      result = { ...result, rows: addCounts(result.rows, counts) };
      run.onProgress?.(result);
    }
  }
  return result;
}

/** Walks through a table window by window. Only a window with expired rows costs a transaction. */
async function* walk(run: RetentionRun, task: PurgeTask, about: RetentionResult): AsyncGenerator<Counts> {
  const { read } = run.database;
  let after: Key | undefined;
  for (;;) {
    // SQLite queries run without yielding to the event loop.
    await setImmediate();
    run.signal?.throwIfAborted();
    const until = await findWindowEnd(read, task, after);
    if (!until) return;
    const span = { after, until };
    const found = await countExpired(read, task, span);
    if (run.dryRun && totalOf(found) > 0) yield found;
    else if (totalOf(found) > 0) yield* purgeSpan(run, { task, span, about });
    after = until;
  }
}

async function* purgeSpan(
  run: RetentionRun,
  { task, span, about }: { task: PurgeTask; span: Span; about: RetentionResult },
): AsyncGenerator<Counts> {
  for (;;) {
    run.signal?.throwIfAborted();
    const { counts, isDone } = await runThenPause(() => purgeOnce(run, { task, span, about }), run.signal);
    if (totalOf(counts) > 0) yield counts;
    if (isDone) return;
  }
}

function purgeOnce(
  { database, clock, actor }: RetentionRun,
  { task, span, about }: { task: PurgeTask; span: Span; about: RetentionResult },
): Promise<{ counts: Counts; isDone: boolean }> {
  const { tenantId, dataClass, days, cutoffMs } = about;
  return database.transaction(
    async (tx) => {
      if (task.locksFeed && tenantId !== null) await feedHeadStore.lock(tx, tenantId);
      if (task.table === 'audit_entries')
        await auditHeadStore.passOver(tx, task.owner, { until: String(span.until[0]) });
      const purged = await purgeExpired(tx, task, span);
      const total = totalOf(purged.counts);
      if (total === 0) return purged;
      const cutoff = toTimestamp(cutoffMs);
      await auditStore.append(
        tx,
        {
          tenantId,
          actor,
          action: 'retention.run',
          outcome: 'success',
          requestId: null,
          resource: { type: 'data_class', id: dataClass },
          detail: `${countOf(total, 'row')} of class ${dataClass} from before ${cutoff} removed`,
          fields: { data_class: dataClass, days, cutoff, rows: purged.counts },
        },
        clock.now(),
      );
      return purged;
    },
    // Concurrent claims and results of deliveries lock rows in another order, so a deadlock is possible.
    { idempotent: true },
  );
}
