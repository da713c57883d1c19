import type { Queries } from '../../../database/index.ts';
import type { TenantId } from '../../../platform/tenant-id.ts';
import type { deviceStore } from '../../devices/index.ts';
import { type CountedEvent, countEvents, statisticsStore } from '../../statistics/index.ts';
import type { DerivedCounts } from '../derive/derive-and-save.ts';
import type { SequencedEvent } from './sequence-events.ts';

/** Counts new events and what was derived from them, in the hour of their arrival. */
export async function saveStatistics(
  tx: Queries,
  tenantId: TenantId,
  parts: {
    newEvents: readonly SequencedEvent[];
    receivedAtMs: number;
    /** The devices before these events. */
    devices: ReadonlyMap<string, deviceStore.DeviceVersion>;
    derived: readonly DerivedCounts[];
  },
): Promise<void> {
  const { newEvents, receivedAtMs: atMs, devices, derived } = parts;
  const lastEventAtMs = (deviceId: string) => devices.get(deviceId)?.lastEventAtMs ?? null;
  const eventCounts = countEvents(newEvents.map(toCounted), { atMs, lastEventAtMs });
  const withTenant = <T>(counts: T) => ({ tenantId, atMs, counts });
  await statisticsStore.add(
    tx,
    'event_statistics',
    [eventCounts, ...derived.map(({ alertCounts }) => alertCounts)].map(withTenant),
  );
  const incidentCounts = derived.flatMap((segment) => segment.incidentCounts);
  await statisticsStore.add(tx, 'incident_statistics', incidentCounts.map(withTenant));
}

function toCounted({ prepared: { event }, feedEvent }: SequencedEvent): CountedEvent {
  return {
    deviceId: feedEvent.deviceId,
    category: feedEvent.category,
    action: feedEvent.action,
    severity: feedEvent.severity,
    platform: event.metadata?.device_platform,
    isCorrection: event.corrects_event_id !== undefined,
  };
}
