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

/** Begins a triage for each grave incident that has none, for the tenants that want it, as many at once as they want. */
export async function startTriages(database: Database, round: Round): Promise<void> {
  for (const automation of await automationReadModel.list(database.read)) {
    if (!(await hasWork(database, automation))) continue;
    await database.transaction((tx) => startTriagesOf(tx, automation.tenantId, round));
  }
}

/** Looks without a transaction, which would keep others waiting. */
async function hasWork({ read }: Database, automation: automationReadModel.Automation): Promise<boolean> {
  if ((await automationReadModel.countUnderWay(read, automation.tenantId)) >= automation.atOnce) return false;
  return (await automationReadModel.listUntriaged(read, automation, 1)).length > 0;
}

async function startTriagesOf(tx: Queries, tenantId: TenantId, { workflow, nowMs }: Round): Promise<void> {
  const automation = await automationReadModel.findForUpdate(tx, tenantId);
  if (!automation) return;
  const capacity = automation.atOnce - (await automationReadModel.countUnderWay(tx, tenantId));
  if (capacity <= 0) return;
  for (const incidentId of await automationReadModel.listUntriaged(tx, automation, capacity)) {
    await createJobIn(tx, tenantId, {
      ...{ workflow, inputRefs: [incidentId], maxRuns: DEFAULT_MAX_RUNS, subjectId: incidentId },
      ...{ actor: SERVICE, requestId: null, nowMs },
    });
  }
}
