import { FailureCollector } from '../../platform/concurrency/collect-failures.ts';
import { notFound } from '../../platform/service-error.ts';
import { anonymiseStatistics } from '../statistics/index.ts';
import {
  listDueTenants,
  purgeDueTenants,
  type RemovedTenant,
  TenantDeletion,
  tenantStore,
} from '../tenants/index.ts';
import { removePeople } from './remove-people.ts';
import { purgeExpiredData, type RetentionResult, type RetentionRun } from './retention/purge-expired-data.ts';

/** What was removed, or in a dry run would be. */
export interface PurgeResult {
  readonly deleted: readonly RemovedTenant[];
  readonly results: readonly RetentionResult[];
}

export interface PurgeOptions extends Omit<RetentionRun, 'tenantId' | 'onProgress'> {
  readonly tenantId?: string | undefined;
  readonly onProgress?: (progress: RemovedTenant | RetentionResult) => void;
}

/**
 * Deletes the tenants whose grace period is over or whose requested deletion is due, and purges the expired data of the others. A failure does not stop the
 * rest.
 *
 * @throws ServiceError `not_found`; the signal's reason when it is aborted; AggregateError at the end if a part failed
 */
export async function purge({ tenantId: named, ...run }: PurgeOptions): Promise<PurgeResult> {
  const { database, clock } = run;
  const only = named === undefined ? undefined : await tenantStore.findRecord(database.read, named);
  if (named !== undefined && !only) throw notFound('tenant');
  const scope = { ...run, tenantId: only?.tenantId };

  if (!run.dryRun) await new TenantDeletion({ database, clock, actor: run.actor }).beginRequested();
  const due = await listDueTenants(database.read, clock.now());
  const failures = new FailureCollector({ signal: run.signal, assertUsable: () => database.ping() });
  const deleted = await failures.run('deleted tenants', () =>
    run.dryRun
      ? preview(scope, due)
      : purgeDueTenants({
          ...scope,
          removePeople: (tx, tenantId) => removePeople(tx, tenantId, clock.now()),
        }),
  );
  const isOnlyDue = only !== undefined && due.includes(only.tenantId);
  const results = isOnlyDue ? [] : await failures.run('expired data', () => purgeExpiredData(scope));
  if (!run.dryRun) await anonymise(scope, failures);
  failures.throwIfAny();
  // A tenant that is deleted as a whole is not listed a second time with its expired data.
  return {
    deleted: deleted ?? [],
    results: (results ?? []).filter(({ tenantId }) => !due.some((gone) => gone === tenantId)),
  };
}

/** Statistics are not listed as purged: their counts stay, without the tenant. */
async function anonymise({ database, clock, tenantId, signal }: RetentionRun, failures: FailureCollector) {
  const tenantIds = tenantId === undefined ? await tenantStore.list(database.read) : [tenantId];
  for (const each of tenantIds) {
    const options = { nowMs: clock.now(), signal };
    await failures.run(`${each}, statistics`, () => anonymiseStatistics(database, each, options));
  }
}

function preview(
  { database, clock, tenantId }: RetentionRun,
  due: readonly RemovedTenant['tenantId'][],
): Promise<RemovedTenant[]> {
  const deletion = new TenantDeletion({ database, clock });
  const wanted = due.filter((each) => tenantId === undefined || each === tenantId);
  return Promise.all(
    wanted.map(async (each) => ({ tenantId: each, rows: (await deletion.preview(each)).rows })),
  );
}
