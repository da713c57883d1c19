import type { Event, IncidentCategory, ScanResult, ThreatCategory } from '@tps/contract';
import { readJson } from '@tps/contract/json';
import { ID_PREFIXES } from '@tps/contract/vocabulary';
import { sql } from 'kysely';
import type { ReadQueries } from '../../../database/index.ts';
import { firstIdAt } from '../../../platform/identifiers.ts';
import type { TenantId } from '../../../platform/tenant-id.ts';
import { parseTimestamp } from '../../../platform/time.ts';
import type { CountedEvent, IncidentTimes, statisticsStore } from '../../statistics/index.ts';

type Range = statisticsStore.StatisticsRange;

/** An event of the feed, as it is counted. */
export interface StoredCountedEvent extends CountedEvent {
  readonly position: number;
  readonly receivedAtMs: number;
}

/** Lists the events after a position, oldest first. */
export async function listEvents(
  queries: ReadQueries,
  tenantId: TenantId,
  { after, until, limit }: { after: number; until: number; limit: number },
): Promise<StoredCountedEvent[]> {
  const rows = await queries.db
    .selectFrom('events')
    .select(['position', 'received_at', 'body'])
    .where('tenant_id', '=', tenantId)
    .where('position', '>', after)
    .where('position', '<=', until)
    .orderBy('position')
    .limit(limit)
    .execute();
  return rows.map(({ position, received_at: receivedAtMs, body }) => {
    const event = readJson(body) as Event;
    return {
      position,
      receivedAtMs,
      deviceId: event.device_id,
      category: event.threat_category,
      action: event.action_taken,
      severity: event.severity,
      platform: event.metadata?.device_platform,
      isCorrection: event.corrects_event_id !== undefined,
    };
  });
}

export async function findArrival(
  queries: ReadQueries,
  tenantId: TenantId,
  position: number,
): Promise<number | undefined> {
  const row = await queries.db
    .selectFrom('events')
    .select('received_at')
    .where('tenant_id', '=', tenantId)
    .where('position', '=', position)
    .executeTakeFirst();
  return row?.received_at;
}

/** Finds the time before which data of a class was purged, as the audit log has it; undefined if none was. */
export async function findPurgedBefore(
  { db, engine }: ReadQueries,
  tenantId: TenantId,
  dataClass: string,
): Promise<number | undefined> {
  // These timestamps sort like the times.
  const cutoff =
    engine === 'postgres'
      ? sql<string>`max(fields::jsonb ->> 'cutoff' collate "C")`
      : sql<string>`max(json_extract(fields, '$.cutoff'))`;
  const row = await db
    .selectFrom('audit_entries')
    .select(cutoff.as('cutoff'))
    .where('tenant_id', '=', tenantId)
    .where('resource_id', '=', dataClass)
    .where('action', '=', 'retention.run')
    .executeTakeFirst();
  return row?.cutoff ? parseTimestamp(row.cutoff) : undefined;
}

/** Lists the alerts that were opened in a range. */
export async function listAlerts(
  queries: ReadQueries,
  tenantId: TenantId,
  { sinceMs, untilMs }: Range,
): Promise<{ category: ThreatCategory; createdAtMs: number }[]> {
  const rows = await queries.db
    .selectFrom('alerts')
    .select(['threat_category', 'created_at'])
    .where('tenant_id', '=', tenantId)
    .where('alert_id', '>=', firstIdAt(ID_PREFIXES.alert, sinceMs))
    .where('alert_id', '<', firstIdAt(ID_PREFIXES.alert, untilMs))
    .execute();
  return rows.map((row) => ({
    category: row.threat_category as ThreatCategory,
    createdAtMs: row.created_at,
  }));
}

/** Lists all incidents of a tenant. */
export async function listIncidents(queries: ReadQueries, tenantId: TenantId): Promise<IncidentTimes[]> {
  const rows = await queries.db
    .selectFrom('incidents')
    .select(['category', 'created_at', 'acknowledged_at', 'first_resolved_at'])
    .where('tenant_id', '=', tenantId)
    .execute();
  return rows.map((row) => ({
    category: row.category as IncidentCategory,
    createdAtMs: row.created_at,
    acknowledgedAtMs: row.acknowledged_at,
    firstResolvedAtMs: row.first_resolved_at,
  }));
}

/** Lists the verdicts of scans after an id, oldest first. */
export async function listScans(
  queries: ReadQueries,
  tenantId: TenantId,
  { after, untilMs, limit }: { after: string; untilMs: number; limit: number },
): Promise<{ scanId: string; verdict: ScanResult['verdict']; createdAtMs: number }[]> {
  const rows = await queries.db
    .selectFrom('scans')
    .select(['scan_id', 'result', 'created_at'])
    .where('tenant_id', '=', tenantId)
    .where('scan_id', '>', after)
    .where('scan_id', '<', firstIdAt(ID_PREFIXES.scan, untilMs))
    .orderBy('scan_id')
    .limit(limit)
    .execute();
  return rows.map((row) => ({
    scanId: row.scan_id,
    verdict: (readJson(row.result) as ScanResult).verdict,
    createdAtMs: row.created_at,
  }));
}
