import type { CountInterval, Counts, DeviceStatus, Platform } from '@tps/contract';
import { sql } from 'kysely';
import {
  countByTime,
  type FilteredRows,
  forUpdate,
  matches,
  prepareQuery,
  type Queries,
  type ReadQueries,
  readFiltered,
  within,
} from '../../database/index.ts';
import type { Row } from '../../database/tables/index.ts';
import type { PageRequest } from '../../platform/http/page.ts';
import { type AnyOf, EVER, type TimeRange } from '../../platform/list-filters.ts';
import type { TenantId } from '../../platform/tenant-id.ts';
import type { DeviceRecord } from './device.ts';

export interface DeviceFilter {
  readonly status?: AnyOf<DeviceStatus> | undefined;
  readonly platform?: AnyOf<Platform> | undefined;
  readonly registered?: TimeRange | undefined;
}

/** The version of a device, and the end of its event chain. */
export interface DeviceVersion {
  readonly deviceId: string;
  /** Increases with each change of key or status. */
  readonly version: number;
  readonly sequence: number | null;
  readonly eventHash: Uint8Array | null;
  /** Arrival of its last new event. */
  readonly lastEventAtMs: number | null;
}

/** The part of a device that changes with each of its requests. */
export interface DeviceState {
  readonly deviceId: string;
  readonly lastSeenAtMs: number;
  readonly sequence: number | null;
  readonly eventHash: Uint8Array | null;
  readonly lastEventAtMs: number | null;
}

export async function find(
  queries: ReadQueries,
  tenantId: TenantId,
  deviceId: string,
): Promise<DeviceRecord | undefined> {
  const row = await withState(queries, tenantId).where('devices.device_id', '=', deviceId).executeTakeFirst();
  return row && toRecord(row);
}

/** Finds a device and locks it against other changes until the transaction ends. */
export async function findForUpdate(
  tx: Queries,
  tenantId: TenantId,
  deviceId: string,
): Promise<DeviceRecord | undefined> {
  const query = tx.db
    .selectFrom('devices')
    .select('version')
    .where('tenant_id', '=', tenantId)
    .where('device_id', '=', deviceId);
  const locked = await forUpdate(tx, query).executeTakeFirst();
  return locked && find(tx, tenantId, deviceId);
}

/** Newest registration first. */
export function list(
  queries: ReadQueries,
  tenantId: TenantId,
  { filter, page }: { filter: DeviceFilter; page: PageRequest },
): Promise<DeviceRecord[]> {
  return readFiltered(queries, filteredRows(queries, tenantId, filter), {
    page,
    read: async (where, limit) => {
      const query = withState(queries, tenantId).where(where);
      const rows = await query
        .orderBy('devices.registered_at', 'desc')
        .orderBy('devices.device_id', 'desc')
        .limit(limit)
        .execute();
      return rows.map(toRecord);
    },
  });
}

export function countOverTime(
  queries: ReadQueries,
  tenantId: TenantId,
  { filter, interval }: { filter: DeviceFilter; interval: CountInterval | undefined },
): Promise<Counts> {
  const rows = { ...filteredRows(queries, tenantId, filter), time: sql<number>`devices.registered_at` };
  return countByTime(queries, rows, { range: filter.registered ?? EVER, interval });
}

function filteredRows(queries: ReadQueries, tenantId: TenantId, filter: DeviceFilter): FilteredRows {
  return {
    from: sql.table('devices'),
    scope: [
      sql`devices.tenant_id = ${tenantId}`,
      ...within('devices.registered_at', filter.registered ?? EVER),
    ],
    key: [sql.ref('devices.registered_at'), sql.ref('devices.device_id')],
    conditions: [
      ...matches(queries, 'devices.status', filter.status),
      ...matches(queries, 'devices.platform', filter.platform),
    ],
  };
}

/** More devices than this are counted as this many: the limits that follow the count are high enough then. */
const MAX_COUNTED = 50_000;

/** Counts the active devices of a tenant. */
export async function countActive(queries: ReadQueries, tenantId: TenantId): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) as count from (
    select 1 from devices where tenant_id = ${tenantId} and status = 'active' limit ${MAX_COUNTED}
  ) as active`.execute(queries.db);
  return Number(rows[0]?.count ?? 0);
}

/** Adds a device and returns whether it was new: an existing device with this id stays unchanged. */
export async function create(tx: Queries, device: DeviceRecord): Promise<boolean> {
  const added = await tx.insertIgnoringConflicts(
    'devices',
    ['tenant_id', 'device_id'],
    [
      {
        tenant_id: device.tenantId,
        device_id: device.deviceId,
        platform: device.platform,
        status: device.status,
        public_key: device.publicKey,
        agent_version: device.agentVersion,
        name: device.name,
        registered_at: device.registeredAtMs,
        revoked_at: device.revokedAtMs,
        version: device.version,
      },
    ],
  );
  return added.length > 0;
}

/** Updates the mutable columns of a device: all but its identity and registration. */
export async function update(tx: Queries, device: DeviceRecord): Promise<void> {
  await tx.db
    .updateTable('devices')
    .set({
      status: device.status,
      public_key: device.publicKey,
      agent_version: device.agentVersion,
      name: device.name,
      revoked_at: device.revokedAtMs,
      version: device.version,
    })
    .where('tenant_id', '=', device.tenantId)
    .where('device_id', '=', device.deviceId)
    .execute();
}

/** Reads the current versions of these devices, so that a device revoked on another node is rejected at once. */
export async function findVersions(
  queries: ReadQueries,
  tenantId: TenantId,
  deviceIds: readonly string[],
): Promise<DeviceVersion[]> {
  const rows = await selectVersions(queries, { tenantId, deviceIds });
  return rows.map((row) => ({
    deviceId: row.device_id,
    version: row.version,
    sequence: row.sequence,
    eventHash: row.event_hash,
    lastEventAtMs: row.last_event_at,
  }));
}

const selectVersions = prepareQuery(
  (queries, { tenantId, deviceIds }: { tenantId: TenantId; deviceIds: readonly string[] }) =>
    queries.db
      .selectFrom('devices')
      .leftJoin('device_states', (join) =>
        join
          .onRef('device_states.tenant_id', '=', 'devices.tenant_id')
          .onRef('device_states.device_id', '=', 'devices.device_id'),
      )
      .select([
        'devices.device_id',
        'devices.version',
        'device_states.sequence',
        'device_states.event_hash',
        'device_states.last_event_at',
      ])
      .where('devices.tenant_id', '=', tenantId)
      .where(queries.anyOf('devices.device_id', deviceIds)),
);

export async function saveStates(
  tx: Queries,
  tenantId: TenantId,
  states: readonly DeviceState[],
): Promise<void> {
  await tx.upsertMany(
    'device_states',
    ['tenant_id', 'device_id'],
    states.map((state) => ({
      tenant_id: tenantId,
      device_id: state.deviceId,
      last_seen_at: state.lastSeenAtMs,
      sequence: state.sequence,
      event_hash: state.eventHash,
      last_event_at: state.lastEventAtMs,
    })),
  );
}

/**
 * Replaces the arrivals of last events that are in a range, for all devices of a tenant. Devices with an event after the range
 * keep theirs.
 */
export async function replaceLastEvents(
  tx: Queries,
  tenantId: TenantId,
  { sinceMs, untilMs, lastEventAtMs }: LastEvents,
): Promise<void> {
  await tx.db
    .updateTable('device_states')
    .set({ last_event_at: null })
    .where('tenant_id', '=', tenantId)
    .where('last_event_at', '>=', sinceMs)
    .where('last_event_at', '<', untilMs)
    .execute();
  const later = await tx.db
    .selectFrom('device_states')
    .select('device_id')
    .where('tenant_id', '=', tenantId)
    .where('last_event_at', '>=', untilMs)
    .execute();
  const active = new Set(later.map((row) => row.device_id));
  await tx.updateMany(
    'device_states',
    ['tenant_id', 'device_id'],
    [...lastEventAtMs]
      .filter(([deviceId]) => !active.has(deviceId))
      .map(([deviceId, atMs]) => ({ tenant_id: tenantId, device_id: deviceId, last_event_at: atMs })),
  );
}

interface LastEvents {
  readonly sinceMs: number;
  readonly untilMs: number;
  readonly lastEventAtMs: ReadonlyMap<string, number>;
}

/** Records contact with a device without changing its event chain. */
export async function touch(
  tx: Queries,
  tenantId: TenantId,
  { deviceId, atMs }: { deviceId: string; atMs: number },
): Promise<void> {
  await tx.db
    .insertInto('device_states')
    .values({
      tenant_id: tenantId,
      device_id: deviceId,
      last_seen_at: atMs,
      sequence: null,
      event_hash: null,
      last_event_at: null,
    })
    .onConflict((conflict) =>
      conflict.columns(['tenant_id', 'device_id']).doUpdateSet({ last_seen_at: atMs }),
    )
    .execute();
}

function withState(queries: ReadQueries, tenantId: TenantId) {
  return queries.db
    .selectFrom('devices')
    .leftJoin('device_states', (join) =>
      join
        .onRef('device_states.tenant_id', '=', 'devices.tenant_id')
        .onRef('device_states.device_id', '=', 'devices.device_id'),
    )
    .selectAll('devices')
    .select('device_states.last_seen_at')
    .where('devices.tenant_id', '=', tenantId);
}

function toRecord(
  row: Row<'devices'> & { last_seen_at: Row<'device_states'>['last_seen_at'] | null },
): DeviceRecord {
  return {
    tenantId: row.tenant_id as TenantId,
    deviceId: row.device_id,
    platform: row.platform as Platform,
    status: row.status as DeviceStatus,
    publicKey: row.public_key,
    agentVersion: row.agent_version,
    name: row.name,
    registeredAtMs: row.registered_at,
    revokedAtMs: row.revoked_at,
    version: row.version,
    lastSeenAtMs: row.last_seen_at,
  };
}
