import { ID_PREFIXES } from '@tps/contract/vocabulary';
import type { Database, Queries } from '../../../database/index.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Config } from '../../../platform/config/config.ts';
import { firstIdAt } from '../../../platform/identifiers.ts';
import type { TenantId } from '../../../platform/tenant-id.ts';
import { type AuditActor, auditStore } from '../../audit/index.ts';
import { feedHeadStore } from '../../feed/index.ts';
import { missingTimesStore } from '../../incidents/index.ts';
import {
  countMilestones,
  DAY_MS,
  dayOf,
  HOUR_MS,
  hourOf,
  type IncidentTimes,
  STATISTICS_COLUMNS,
  statisticsCutoff,
  statisticsStore,
} from '../../statistics/index.ts';
import { cutoffOf, type DataClass, retentionOf } from '../retention/data-class.ts';
import * as retentionOverrideStore from '../retention/retention-override-store.ts';
import { type RecountScope, recountEvents } from './recount-events.ts';
import * as sources from './statistics-source-read-model.ts';

const PAGE = 1_000;

/** What was counted again. */
export interface RebuiltStatistics {
  readonly tenantId: TenantId;
  readonly events: number;
  readonly incidents: number;
  readonly scans: number;
}

/**
 * Counts a tenant's events, devices, alerts, incidents and scans again from what is stored, beside a running service.
 * Counts of days whose data was purged stay as they are, and so do those of deliveries, whose attempts are not stored.
 */
export async function rebuildStatistics(
  tenantId: TenantId,
  parts: {
    database: Database;
    clock: Clock;
    config: Config['retention'];
    actor: AuditActor;
    signal?: AbortSignal | undefined;
  },
): Promise<RebuiltStatistics> {
  const { database, clock, config, actor, signal } = parts;
  const nowMs = clock.now();
  const scope: RecountScope = { database, tenantId, nowMs, signal };
  const retention = retentionOf(config, await retentionOverrideStore.find(database.read, tenantId));
  // Older counts are in those of the whole service, or will be before this ends: they would be added a second time.
  const keptSinceMs = statisticsCutoff(nowMs) + DAY_MS;
  /** The first day of which all is stored: the retention may have been shorter when the last data was purged. */
  const sinceOf = async (dataClass: DataClass) => {
    const purgedBeforeMs = await sources.findPurgedBefore(database.read, tenantId, dataClass);
    const cutoffMs = Math.max(cutoffOf(retention[dataClass].days, nowMs), purgedBeforeMs ?? 0);
    return Math.max(dayOf(cutoffMs) + DAY_MS, keptSinceMs);
  };
  const derivedSinceMs = await sinceOf('derived');
  const events = await recountEvents(scope, {
    keptSinceMs,
    eventsSinceMs: await sinceOf('events'),
    alertsSinceMs: derivedSinceMs,
  });
  const incidents = await recountIncidents(scope, derivedSinceMs);
  const scans = await recountScans(scope, await sinceOf('jobs'));
  const result = { tenantId, events, incidents, scans };
  await database.transaction((tx) => audit(tx, result, { actor, nowMs }));
  return result;
}

/** Counts all incidents in one transaction: what happens to one is spread over months. */
function recountIncidents({ database, tenantId }: RecountScope, sinceMs: number): Promise<number> {
  return database.transaction(async (tx) => {
    await feedHeadStore.lock(tx, tenantId);
    await statisticsStore.clear(tx, 'incident_statistics', {
      tenantId,
      columns: STATISTICS_COLUMNS.incident_statistics,
      sinceMs,
      untilMs: Number.MAX_SAFE_INTEGER,
    });
    await missingTimesStore.fillMissing(tx, tenantId);
    const incidents = await sources.listIncidents(tx, tenantId);
    const steps = incidents.flatMap(toSteps).filter(({ atMs }) => atMs >= sinceMs);
    await statisticsStore.add(
      tx,
      'incident_statistics',
      steps.map((step) => ({ tenantId, ...step })),
    );
    return incidents.length;
  });
}

/** Splits an incident into its milestones, each at its time. */
function toSteps(incident: IncidentTimes) {
  const { createdAtMs, acknowledgedAtMs, firstResolvedAtMs } = incident;
  const opened: IncidentTimes = { ...incident, acknowledgedAtMs: null, firstResolvedAtMs: null };
  const acknowledged: IncidentTimes = { ...opened, acknowledgedAtMs };
  return [
    { atMs: createdAtMs, counts: countMilestones(undefined, opened) },
    { atMs: acknowledgedAtMs ?? 0, counts: countMilestones(opened, acknowledged) },
    { atMs: firstResolvedAtMs ?? 0, counts: countMilestones(acknowledged, incident) },
  ];
}

/** Counts hour by hour, so that a scan waits for few others. */
async function recountScans(
  { database, tenantId, nowMs, signal }: RecountScope,
  sinceMs: number,
): Promise<number> {
  const [oldest] = await sources.listScans(database.read, tenantId, {
    after: firstIdAt(ID_PREFIXES.scan, sinceMs),
    untilMs: nowMs + HOUR_MS,
    limit: 1,
  });
  let total = 0;
  for (let hourMs = hourOf(oldest?.createdAtMs ?? nowMs); hourMs <= nowMs; hourMs += HOUR_MS) {
    signal?.throwIfAborted();
    total += await database.transaction((tx) => recountScansOf(tx, tenantId, hourMs));
  }
  return total;
}

async function recountScansOf(tx: Queries, tenantId: TenantId, hourMs: number): Promise<number> {
  const range = { sinceMs: hourMs, untilMs: hourMs + HOUR_MS };
  // Locks the row, which may not exist: a scan that is stored meanwhile is counted after this transaction.
  await statisticsStore.lockHour(tx, 'scan_statistics', { tenantId, atMs: hourMs });
  const columns = STATISTICS_COLUMNS.scan_statistics;
  await statisticsStore.clear(tx, 'scan_statistics', { tenantId, columns, ...range });
  let total = 0;
  for (let after: string = firstIdAt(ID_PREFIXES.scan, hourMs); ; ) {
    const scans = await sources.listScans(tx, tenantId, { after, untilMs: range.untilMs, limit: PAGE });
    await statisticsStore.add(
      tx,
      'scan_statistics',
      scans.map(({ verdict, createdAtMs }) => ({
        tenantId,
        atMs: createdAtMs,
        counts: { [`verdict_${verdict}` as const]: 1 },
      })),
    );
    total += scans.length;
    const last = scans.at(-1);
    if (last === undefined) return total;
    after = last.scanId;
  }
}

function audit(
  tx: Queries,
  { tenantId, ...counted }: RebuiltStatistics,
  { actor, nowMs }: { actor: AuditActor; nowMs: number },
): Promise<void> {
  return auditStore.append(
    tx,
    {
      tenantId,
      actor,
      action: 'statistics.rebuild',
      resource: { type: 'tenant', id: tenantId },
      outcome: 'success',
      requestId: null,
      detail: 'Statistics counted again',
      fields: { ...counted },
    },
    nowMs,
  );
}
