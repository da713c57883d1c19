import { ID_PREFIXES } from '@tps/contract/vocabulary';
import type { Queries } from '../../database/index.ts';
import { createId } from '../../platform/identifiers.ts';
import type { TenantId } from '../../platform/tenant-id.ts';
import { enqueueNotices, toIncidentCauses } from '../notices/index.ts';
import { countMilestones, statisticsStore } from '../statistics/index.ts';
import { type IncidentMember, type IncidentRecord, isUnresolved } from './incident.ts';
import * as incidentStore from './incident-store.ts';

/** Something that the service itself has detected about a tenant's protection. */
export interface MonitoringFinding {
  /** What it is about: findings with the same key share one incident until it is resolved. */
  readonly correlationKey: string;
  /** What is wrong, for the person who investigates. */
  readonly message: string;
  /** Members to add to the incident. Those that it lists already stay. */
  readonly members?: readonly Pick<IncidentMember, 'kind' | 'memberId'>[];
  readonly nowMs: number;
}

export const MONITORING = 'monitoring';

/**
 * Opens an incident of category `monitoring`, or updates the message of the unresolved one with the same key. An
 * incident with the same message is left unchanged. The caller has locked the end of the tenant's feed, as for
 * every change of an incident.
 */
export async function upsertMonitoringIncident(
  tx: Queries,
  tenantId: TenantId,
  finding: MonitoringFinding,
): Promise<void> {
  const running = await findRunning(tx, tenantId, finding);
  if (running?.message !== finding.message) await save(tx, tenantId, { running, finding });
}

/** Updates the message of the unresolved incident with the same key, if there is one. Otherwise like the above. */
export async function updateMonitoringIncident(
  tx: Queries,
  tenantId: TenantId,
  finding: MonitoringFinding,
): Promise<void> {
  const running = await findRunning(tx, tenantId, finding);
  if (running && running.message !== finding.message) await save(tx, tenantId, { running, finding });
}

async function findRunning(
  tx: Queries,
  tenantId: TenantId,
  { correlationKey }: MonitoringFinding,
): Promise<IncidentRecord | undefined> {
  const known = await incidentStore.findAbout(tx, tenantId, { correlationKeys: [correlationKey], fromMs: 0 });
  return known.find((incident) => incident.category === MONITORING && isUnresolved(incident));
}

async function save(
  tx: Queries,
  tenantId: TenantId,
  { running, finding }: { running: IncidentRecord | undefined; finding: MonitoringFinding },
): Promise<void> {
  const { message, members = [], nowMs } = finding;
  const incident = running ? renew(running, finding) : open(finding);
  const { incidentId } = incident;
  await incidentStore.saveMany(tx, tenantId, [incident]);
  const counts = countMilestones(running, incident);
  await statisticsStore.add(tx, 'incident_statistics', [{ tenantId, atMs: nowMs, counts }]);
  const causes = toIncidentCauses([{ before: running, after: incident }]);
  await enqueueNotices(tx, tenantId, { causes, nowMs });
  await incidentStore.addMembers(
    tx,
    tenantId,
    members.map((member) => ({ incidentId, ...member })),
  );
  await incidentStore.addTimeline(tx, tenantId, [
    {
      incidentId,
      entryId: createId('itl', nowMs),
      atMs: nowMs,
      kind: running ? 'changed' : 'opened',
      actor: 'service',
      message,
    },
  ]);
}

function open({ correlationKey, message, nowMs }: MonitoringFinding): IncidentRecord {
  return {
    incidentId: createId(ID_PREFIXES.incident, nowMs),
    category: MONITORING,
    correlationKey,
    severity: 'high',
    status: 'open',
    message,
    resolution: null,
    assignee: null,
    tags: [],
    version: 1,
    createdAtMs: nowMs,
    updatedAtMs: nowMs,
    lastEventAtMs: nowMs,
    acknowledgedAtMs: null,
    resolvedAtMs: null,
    firstResolvedAtMs: null,
  };
}

function renew(incident: IncidentRecord, { message, nowMs }: MonitoringFinding): IncidentRecord {
  return { ...incident, message, version: incident.version + 1, updatedAtMs: nowMs, lastEventAtMs: nowMs };
}
