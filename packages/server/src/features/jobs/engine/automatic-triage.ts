import { DEFAULT_MAX_RUNS } from '@tps/contract';
import type { Database, Queries } from '../../../database/index.ts';
import type { TenantId } from '../../../platform/tenant-id.ts';
import { SERVICE } from '../../audit/index.ts';
import { createJobIn } from '../create-job.ts';
import * as automationReadModel from './automation-read-model.ts';
import type { Workflow } from './workflow.ts';

interface Round {
  readonly workflow: Workflow;
  readonly nowMs: number;
}

/**
 * Starts a triage job for each untriaged high-severity incident of the tenants with automatic triage, up to each
 * tenant's limit of active jobs.
 */
export async function startTriages(database: Database, round: Round): Promise<void> {
  for (const automation of await automationReadModel.list(database.read)) {
    if (!(await hasWork(database, automation))) continue;
    await database.transaction((tx) => startTenantTriages(tx, automation.tenantId, round));
  }
}

/** Reads outside a transaction, so that it blocks no writer. */
async function hasWork({ read }: Database, automation: automationReadModel.Automation): Promise<boolean> {
  if ((await automationReadModel.countActive(read, automation.tenantId)) >= automation.maxActive)
    return false;
  return (await automationReadModel.listUntriaged(read, automation, 1)).length > 0;
}

async function startTenantTriages(
  tx: Queries,
  tenantId: TenantId,
  { workflow, nowMs }: Round,
): Promise<void> {
  const automation = await automationReadModel.findForUpdate(tx, tenantId);
  if (!automation) return;
  const capacity = automation.maxActive - (await automationReadModel.countActive(tx, tenantId));
  if (capacity <= 0) return;
  for (const incidentId of await automationReadModel.listUntriaged(tx, automation, capacity)) {
    await createJobIn(tx, tenantId, {
      workflow,
      inputRefs: [incidentId],
      maxRuns: DEFAULT_MAX_RUNS,
      subjectId: incidentId,
      actor: SERVICE,
      requestId: null,
      nowMs,
    });
  }
}
