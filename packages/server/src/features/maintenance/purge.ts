import { FailureCollector } from '../../platform/concurrency/collect-failures.ts';
import { notFound } from '../../platform/service-error.ts';
import {
  listDueTenants,
  purgeDueTenants,
  type RemovedTenant,
  TenantDeletion,
  tenantStore,
} from '../tenants/index.ts';
import { purgeExpiredData, type RetentionResult, type RetentionRun } from './retention/purge-expired-data.ts';

/** What is, or would be, no longer there. */
export interface PurgeResult {
  readonly deleted: readonly RemovedTenant[];
  readonly results: readonly RetentionResult[];
}

export interface PurgeOptions extends Omit<RetentionRun, 'tenantId' | 'onProgress'> {
  readonly tenantId?: string | undefined;
  readonly onProgress?: (progress: RemovedTenant | RetentionResult) => void;
}

/**
 * Removes all that is not to be there any more: the tenants whose time is over, and of the others what is kept no longer.
 * What fails keeps nothing else back.
 *
 * @throws ServiceError `not_found`; the signal's reason when it is aborted; AggregateError in the end when something failed
 */
export async function purge({ tenantId: named, ...run }: PurgeOptions): Promise<PurgeResult> {
  const { database, clock } = run;
  const only = named === undefined ? undefined : await tenantStore.findRecord(database.read, named);
  if (named !== undefined && !only) throw notFound('tenant');
  const scope = { ...run, tenantId: only?.tenantId };

  const due = await listDueTenants(database.read, clock.now());
  const failures = new FailureCollector({ signal: run.signal, requireUse: () => database.ping() });
  const deleted = await failures.run('deleted tenants', () =>
    run.dryRun ? preview(scope, due) : purgeDueTenants(scope),
  );
  const isOnlyDue = only !== undefined && due.includes(only.tenantId);
  const results = isOnlyDue ? [] : await failures.run('expired data', () => purgeExpiredData(scope));
  failures.throwIfAny();
  // Nothing is kept of those that are about to go as a whole.
  return {
    deleted: deleted ?? [],
    results: (results ?? []).filter(({ tenantId }) => !due.some((gone) => gone === tenantId)),
  };
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
