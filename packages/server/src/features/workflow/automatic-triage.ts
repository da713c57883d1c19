import { DEFAULT_MAX_RUNS, ID_PREFIXES } from '@tps/contract';
import type { Database, Queries } from '../../database/index.ts';
import { firstIdAt } from '../../platform/identifiers.ts';
import type { TenantId } from '../../platform/tenant-id.ts';
import { SERVICE } from '../audit/index.ts';
import { createJobIn } from '../jobs/index.ts';
import * as automationStore from './automation-store.ts';
import type { Workflow } from './workflow.ts';

/** The ids of another node may be this much behind: up to here, incidents are looked for again and again. */
const OVERLAP_MS = 5 * 60 * 1000;
/** With nothing to begin, the place is noted this seldom: it only saves reading. */
const NOTED_EVERY_MS = 60 * 60 * 1000;

interface Round {
  readonly workflow: Workflow;
  readonly nowMs: number;
}

/** Begins a triage for each grave incident that has none, for the tenants that want it, as many at once as they want. */
export async function beginTriages(database: Database, round: Round): Promise<void> {
  for (const automation of await automationStore.list(database.read)) {
    if (!(await hasWork(database, automation, round))) continue;
    await database.transaction((tx) => beginTriagesOf(tx, automation.tenantId, round));
  }
}

/** Looks without a transaction, which would keep others waiting. */
async function hasWork(
  { read }: Database,
  automation: automationStore.Automation,
  { nowMs }: Round,
): Promise<boolean> {
  if ((await automationStore.countUnderWay(read, automation.tenantId)) >= automation.atOnce) return false;
  if ((await automationStore.listUntriaged(read, automation, 1)).length > 0) return true;
  return automation.afterId < placeAt(nowMs - NOTED_EVERY_MS);
}

async function beginTriagesOf(tx: Queries, tenantId: TenantId, { workflow, nowMs }: Round): Promise<void> {
  const automation = await automationStore.findForUpdate(tx, tenantId);
  if (!automation) return;
  const room = Math.max(0, automation.atOnce - (await automationStore.countUnderWay(tx, tenantId)));
  const waiting = await automationStore.listUntriaged(tx, automation, room + 1);
  const begun = waiting.slice(0, room);
  for (const incidentId of begun) {
    await createJobIn(tx, tenantId, {
      ...{ workflow, inputRefs: [incidentId], maxRuns: DEFAULT_MAX_RUNS, subjectId: incidentId },
      ...{ actor: SERVICE, requestId: null, nowMs },
    });
  }
  const horizon = placeAt(nowMs);
  const seenTo = waiting.length <= room ? horizon : (begun.at(-1) ?? automation.afterId);
  // Never past what found no room, nor past what may still come with an earlier id.
  const [afterId = horizon] = [seenTo, horizon].sort();
  if (afterId > automation.afterId) await automationStore.setAfter(tx, tenantId, afterId);
}

function placeAt(nowMs: number): string {
  return firstIdAt(ID_PREFIXES.incident, nowMs - OVERLAP_MS);
}
