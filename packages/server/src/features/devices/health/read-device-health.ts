import { type DeviceHealth, MAX_HEALTH_INCIDENTS, MAX_HEALTH_POSITIONS } from '@tps/contract';
import type { ReadQueries } from '../../../database/index.ts';
import type { TenantId } from '../../../platform/tenant-id.ts';
import { toOptionalTimestamp, toTimestamp } from '../../../platform/time.ts';
import { eventPlaceStore, feedHeadStore, feedStore } from '../../feed/index.ts';
import type { DeviceRecord } from '../device.ts';
import * as deviceStore from '../device-store.ts';
import { SILENT_DEVICES_KEY } from '../monitoring/detect-silent-devices.ts';
import { OWN_KEY_PREFIX, SHARED_KEY } from '../monitoring/signature-failures.ts';
import * as deviceIncidents from './device-incident-read-model.ts';
import { describeDeviceKey } from './device-key-facts.ts';

const HOUR_MS = 3_600_000;
/** SQLite runs a statement in one piece on the main thread: one that examines so many rows takes about 3 ms. */
const POSITIONS_PER_STATEMENT = 5_000;

/** Reads how a device is doing. Examines a bounded part of the feed. */
export async function readDeviceHealth(
  queries: ReadQueries,
  tenantId: TenantId,
  { device, nowMs, silentHours }: { device: DeviceRecord; nowMs: number; silentHours: number },
): Promise<DeviceHealth> {
  const { deviceId, status, lastSeenAtMs } = device;
  const [state] = await deviceStore.findVersions(queries, tenantId, [deviceId]);
  const incidents = await listIncidents(queries, tenantId, deviceId);
  const lastContactMs = lastSeenAtMs ?? device.registeredAtMs;
  const hash = state?.eventHash ?? null;
  return {
    device_id: deviceId,
    tenant_id: tenantId,
    status,
    last_seen: toOptionalTimestamp(lastSeenAtMs),
    silent: status === 'active' && silentHours > 0 && lastContactMs <= nowMs - silentHours * HOUR_MS,
    silent_after_hours: silentHours,
    failing_signatures: incidents.some(({ correlationKey }) => isOfSignatures(correlationKey)),
    key: await describeDeviceKey(queries, tenantId, device),
    chain: {
      sequence: state?.sequence ?? null,
      last_event_hash: hash === null ? null : Buffer.from(hash).toString('hex'),
    },
    recent: await readRecent(queries, tenantId, deviceId),
    incidents: incidents.map(({ incidentId }) => incidentId),
  };
}

function isOfSignatures(correlationKey: string): boolean {
  return correlationKey === SHARED_KEY || correlationKey.startsWith(OWN_KEY_PREFIX);
}

/** Lists the incidents about the device. Those that several devices share count if they list it. */
async function listIncidents(queries: ReadQueries, tenantId: TenantId, deviceId: string) {
  const shared = [SHARED_KEY, SILENT_DEVICES_KEY];
  const found = await deviceIncidents.listUnresolved(queries, tenantId, {
    correlationKeys: [deviceId, OWN_KEY_PREFIX + deviceId, ...shared],
    limit: MAX_HEALTH_INCIDENTS,
  });
  const own: typeof found = [];
  for (const incident of found) {
    const { incidentId, correlationKey } = incident;
    const isOwn = !shared.includes(correlationKey);
    if (isOwn || (await deviceIncidents.isMember(queries, tenantId, { incidentId, deviceId }))) {
      own.push(incident);
    }
  }
  return own;
}

async function readRecent(
  queries: ReadQueries,
  tenantId: TenantId,
  deviceId: string,
): Promise<DeviceHealth['recent']> {
  const { position: head } = await feedHeadStore.read(queries, tenantId);
  const first = (await feedStore.findFirstPosition(queries, tenantId)) ?? head + 1;
  const from = Math.max(first - 1, head - MAX_HEALTH_POSITIONS);
  const states = new Map<string, eventPlaceStore.ChainStateCount>();
  for (let until = head; until > from; until -= POSITIONS_PER_STATEMENT) {
    const after = Math.max(from, until - POSITIONS_PER_STATEMENT);
    for (const found of await eventPlaceStore.countChainStates(queries, tenantId, {
      deviceId,
      after,
      until,
    })) {
      const newer = states.get(found.state);
      states.set(found.state, newer ? { ...newer, count: newer.count + found.count } : found);
    }
  }
  const counted = [...states.values()];
  const positions = counted.map(({ lastPosition }) => lastPosition);
  const events = await eventPlaceStore.listAt(queries, tenantId, positions);
  return {
    complete: from < first,
    events: counted.reduce((sum, { count }) => sum + count, 0),
    chain_states: counted.flatMap(({ state, count, lastPosition }) => {
      const last = events.find(({ position }) => position === lastPosition);
      if (!last) return [];
      return [
        { state, count, last_event_id: last.eventId, last_received_at: toTimestamp(last.receivedAtMs) },
      ];
    }),
  };
}
