import { setImmediate } from 'node:timers/promises';
import { countOf } from '@tps/contract/vocabulary';
import type { Database, Queries, ReadQueries } from '../../../database/index.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { TenantId } from '../../../platform/tenant-id.ts';
import { toTimestamp } from '../../../platform/time.ts';
import { feedHeadStore } from '../../feed/index.ts';
import { upsertMonitoringIncident } from '../../incidents/index.ts';
import { tenantStore } from '../../tenants/index.ts';
import type { DeviceContact } from './silent-device-read-model.ts';
import * as silentDevices from './silent-device-read-model.ts';
import * as uptimeStore from './uptime-store.ts';

const HOUR_MS = 3_600_000;
/** A device seen within this time shows that the service is reachable, so the silence of others is their own. */
const ACTIVE_MS = HOUR_MS;
/** The correlation key of the incident that lists silent devices. */
export const SILENT_DEVICES_KEY = 'silent_devices';
const PAGE = 1000;
/** How many devices one round adds to an incident. The others follow in the next round. */
const MAX_REPORTED = 500;
const MAX_NAMED = 5;

/** Three scans for silent devices. A restart takes less. */
const AWAY_MS = 30 * 60_000;

interface Silence {
  readonly nowMs: number;
  /** Since when the service has been running and could receive requests. */
  readonly upSinceMs: number;
  readonly silentMs: number;
}

/**
 * Opens one incident per tenant that lists the active devices which stopped reporting while others still do.
 * Devices that fall silent later join it. Each silence is reported once, as long as the incident that lists it is
 * kept, even if it was resolved in the meantime. Time in which the service itself was down does not count as
 * silence.
 *
 * Reads every device of every tenant, in pages. Other work can run between pages, and the signal ends the scan.
 */
export async function detectSilentDevices(parts: {
  database: Database;
  clock: Clock;
  silentHours: number;
  signal?: AbortSignal | undefined;
}): Promise<void> {
  const { database, clock, silentHours, signal } = parts;
  const nowMs = clock.now();
  const upSinceMs = await recordUptime(database, nowMs);
  const silence = { nowMs, upSinceMs, silentMs: silentHours * HOUR_MS };
  for (const tenantId of await tenantStore.list(database.read)) {
    const found = await findSilent(database.read, tenantId, { silence, signal });
    if (found.length === 0) continue;
    await database.transaction((tx) => report(tx, tenantId, { deviceIds: found, silence }));
  }
}

/** Returns silent devices that are not reported yet; none while no device is active at all. */
async function findSilent(
  queries: ReadQueries,
  tenantId: TenantId,
  { silence, signal }: { silence: Silence; signal: AbortSignal | undefined },
): Promise<string[]> {
  const found: string[] = [];
  let isAnyActive = false;
  for (let after = ''; ; ) {
    // SQLite answers synchronously: without this, nothing else would run until every device has been read.
    await setImmediate();
    signal?.throwIfAborted();
    const page = await silentDevices.listContacts(queries, tenantId, { after, limit: PAGE });
    isAnyActive ||= page.some(({ lastContactMs }) => lastContactMs > silence.nowMs - ACTIVE_MS);
    if (found.length < MAX_REPORTED) {
      const unreported = await dropReported(queries, tenantId, { contacts: page, silence });
      found.push(...unreported.map(({ deviceId }) => deviceId));
    }
    const last = page.at(-1);
    if (page.length < PAGE || !last) return isAnyActive ? found.slice(0, MAX_REPORTED) : [];
    after = last.deviceId;
  }
}

/**
 * Checks again inside the transaction: since the scan, devices may have reported or been revoked, and another node
 * may have reported them.
 */
async function report(
  tx: Queries,
  tenantId: TenantId,
  { deviceIds, silence }: { deviceIds: readonly string[]; silence: Silence },
): Promise<void> {
  await feedHeadStore.lock(tx, tenantId);
  const contacts = await silentDevices.findContacts(tx, tenantId, deviceIds);
  const silent = await dropReported(tx, tenantId, { contacts, silence });
  if (silent.length === 0) return;
  await upsertMonitoringIncident(tx, tenantId, {
    correlationKey: SILENT_DEVICES_KEY,
    message: describe(silent, silence),
    members: silent.map(({ deviceId }) => ({ kind: 'device', memberId: deviceId })),
    nowMs: silence.nowMs,
  });
}

/**
 * Keeps silent devices that are not reported yet. An incident reports this silence if it last grew after the
 * silence was long enough; otherwise it can only report an earlier one.
 */
async function dropReported(
  queries: ReadQueries,
  tenantId: TenantId,
  { contacts, silence }: { contacts: readonly DeviceContact[]; silence: Silence },
): Promise<DeviceContact[]> {
  const { nowMs, upSinceMs, silentMs } = silence;
  const silent = contacts.filter(
    ({ lastContactMs }) => Math.max(lastContactMs, upSinceMs) <= nowMs - silentMs,
  );
  const deviceIds = silent.map(({ deviceId }) => deviceId);
  const reported = await silentDevices.findReported(queries, tenantId, {
    correlationKey: SILENT_DEVICES_KEY,
    deviceIds,
  });
  return silent.filter(({ deviceId, lastContactMs }) => {
    const reportedAtMs = reported.get(deviceId);
    return reportedAtMs === undefined || reportedAtMs < lastContactMs + silentMs;
  });
}

function describe(silent: readonly DeviceContact[], { silentMs }: Silence): string {
  const named = silent
    .slice(0, MAX_NAMED)
    .map(({ deviceId, lastContactMs }) => `${deviceId} (since ${toTimestamp(lastContactMs)})`);
  const more = silent.length - named.length;
  const devices = countOf(silent.length, 'device has', 'devices have');
  return (
    `${devices} not reported for ${silentMs / HOUR_MS} h while others have: ` +
    `${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}`
  );
}

/**
 * Records in the store that the service is running, and returns since when it has run without a gap of more than
 * half an hour. A stopped service receives nothing: after an outage, in a restored store, or after the clock
 * was wrong, the time starts again from now. Recorded when a scan begins, not when it ends: a failed scan does not
 * mean that devices could not report.
 */
export function recordUptime(database: Database, nowMs: number): Promise<number> {
  return database.transaction(async (tx) => {
    const known = await uptimeStore.find(tx);
    const isUnbroken = known !== undefined && Math.abs(nowMs - known.lastMs) <= AWAY_MS;
    const sinceMs = isUnbroken ? known.sinceMs : nowMs;
    await uptimeStore.save(tx, { sinceMs, lastMs: nowMs });
    return sinceMs;
  });
}
