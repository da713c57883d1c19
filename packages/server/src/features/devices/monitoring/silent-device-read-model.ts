import { sql } from 'kysely';
import type { ReadQueries } from '../../../database/index.ts';
import type { TenantId } from '../../../platform/tenant-id.ts';
import { MONITORING } from '../../incidents/index.ts';

/** The last contact with a device. */
export interface DeviceContact {
  readonly deviceId: string;
  /** The time of registration, if there was no contact since. */
  readonly lastContactMs: number;
}

/** Lists active devices by id, after a given id. */
export async function listContacts(
  queries: ReadQueries,
  tenantId: TenantId,
  { after, limit }: { after: string; limit: number },
): Promise<DeviceContact[]> {
  const rows = await selectContacts(queries, tenantId)
    .where('devices.device_id', '>', after)
    .orderBy('devices.device_id')
    .limit(limit)
    .execute();
  return rows.map(toContact);
}

/** Finds the active ones among these devices. */
export async function findContacts(
  queries: ReadQueries,
  tenantId: TenantId,
  deviceIds: readonly string[],
): Promise<DeviceContact[]> {
  const rows = await selectContacts(queries, tenantId)
    .where(queries.anyOf('devices.device_id', deviceIds))
    .orderBy('devices.device_id')
    .execute();
  return rows.map(toContact);
}

/** For those of these devices that an incident with this key lists, returns when the newest such incident last grew. */
export async function findReported(
  queries: ReadQueries,
  tenantId: TenantId,
  { correlationKey, deviceIds }: { correlationKey: string; deviceIds: readonly string[] },
): Promise<Map<string, number>> {
  if (deviceIds.length === 0) return new Map();
  const rows = await queries.db
    .selectFrom('incidents')
    .innerJoin('incident_members', (join) =>
      join
        .onRef('incident_members.tenant_id', '=', 'incidents.tenant_id')
        .onRef('incident_members.incident_id', '=', 'incidents.incident_id'),
    )
    .select(['incident_members.member_id', sql<number>`max(incidents.last_event_at)`.as('told_at')])
    .where('incidents.tenant_id', '=', tenantId)
    .where('incidents.correlation_key', '=', correlationKey)
    .where('incidents.category', '=', MONITORING)
    .where('incident_members.kind', '=', 'device')
    .where(queries.anyOf('incident_members.member_id', deviceIds))
    .groupBy('incident_members.member_id')
    .execute();
  return new Map(rows.map((row) => [row.member_id, row.told_at]));
}

function selectContacts(queries: ReadQueries, tenantId: TenantId) {
  return queries.db
    .selectFrom('devices')
    .leftJoin('device_states', (join) =>
      join
        .onRef('device_states.tenant_id', '=', 'devices.tenant_id')
        .onRef('device_states.device_id', '=', 'devices.device_id'),
    )
    .select(['devices.device_id', 'devices.registered_at', 'device_states.last_seen_at'])
    .where('devices.tenant_id', '=', tenantId)
    .where('devices.status', '=', 'active');
}

function toContact(row: {
  device_id: string;
  registered_at: number;
  last_seen_at: number | null;
}): DeviceContact {
  return { deviceId: row.device_id, lastContactMs: row.last_seen_at ?? row.registered_at };
}
