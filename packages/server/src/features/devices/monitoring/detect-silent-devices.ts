import { setImmediate } from 'node:timers/promises';
import type { Database, Queries, ReadQueries } from '../../../database/index.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { TenantId } from '../../../platform/tenant-id.ts';
import { toTimestamp } from '../../../platform/time.ts';
import { feedHeadStore } from '../../feed/index.ts';
import { upsertMonitoringIncident } from '../../incidents/index.ts';
import { tenantStore } from '../../tenants/index.ts';
import { recordUptime } from './record-uptime.ts';
import type { DeviceContact } from './silence-store.ts';
import * as silenceStore from './silence-store.ts';

const HOUR_MS = 3_600_000;
/** A device heard of within this shows that the service can be reached: the silence of others is theirs. */
const ACTIVE_MS = HOUR_MS;
const KEY = 'silent_devices';
const PAGE = 1000;
/** How many devices an incident takes in at once. The others follow in the next round. */
const MAX_REPORTED = 500;
const MAX_NAMED = 5;

interface Silence {
  readonly nowMs: number;
  /** Since when the service has been there to hear of devices. */
  readonly upSinceMs: number;
  readonly silentMs: number;
}

/**
 * Opens, for each tenant of which active devices have not been heard of for so long while others have, one incident that lists them.
 * Further ones join it. Of one silence a device is told once for as long as the incident that lists it is kept, also when that was
 * resolved meanwhile. Time in which the service itself was away does not count as silence.
 *
 * Reads every device of every tenant, in pages. Between them other work has its turn, and a signal ends it.
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

/** Gives devices that nobody was told of; none while no device is heard of at all. */
async function findSilent(
  queries: ReadQueries,
  tenantId: TenantId,
  { silence, signal }: { silence: Silence; signal: AbortSignal | undefined },
): Promise<string[]> {
  const found: string[] = [];
  let isAnyActive = false;
  for (let after = ''; ; ) {
    // SQLite answers at once: without this, nothing else would run until every device has been read.
    await setImmediate();
    signal?.throwIfAborted();
    const page = await silenceStore.listContacts(queries, tenantId, { after, limit: PAGE });
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

/** Decides anew: since they were read, devices may have been heard of or revoked, and another node may have told of them. */
async function report(
  tx: Queries,
  tenantId: TenantId,
  { deviceIds, silence }: { deviceIds: readonly string[]; silence: Silence },
): Promise<void> {
  await feedHeadStore.lock(tx, tenantId);
  const contacts = await silenceStore.findContacts(tx, tenantId, deviceIds);
  const silent = await dropReported(tx, tenantId, { contacts, silence });
  if (silent.length === 0) return;
  await upsertMonitoringIncident(tx, tenantId, {
    correlationKey: KEY,
    message: describe(silent, silence),
    members: silent.map(({ deviceId }) => ({ kind: 'device', memberId: deviceId })),
    nowMs: silence.nowMs,
  });
}

/**
 * Keeps those that are silent and not told of. An incident lists a device for this silence when it last grew after the silence was
 * long enough; before, it can only have been listed for an earlier one.
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
  const reported = await silenceStore.findReported(queries, tenantId, { correlationKey: KEY, deviceIds });
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
  const devices = silent.length === 1 ? '1 device has' : `${silent.length} devices have`;
  return (
    `${devices} not been heard of for ${silentMs / HOUR_MS} h while others have: ` +
    `${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}`
  );
}
