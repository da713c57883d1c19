import type { Device, DeviceStatus, Platform } from '@tps/contract';
import type { TenantId } from '../../platform/tenant-id.ts';
import { toOptionalTimestamp, toTimestamp } from '../../platform/time.ts';

export interface DeviceRecord {
  readonly tenantId: TenantId;
  readonly deviceId: string;
  readonly platform: Platform;
  readonly status: DeviceStatus;
  /** DER SubjectPublicKeyInfo. */
  readonly publicKey: Uint8Array;
  readonly agentVersion: string | null;
  readonly name: string | null;
  readonly registeredAtMs: number;
  readonly revokedAtMs: number | null;
  /** Increases with each change of key or status. */
  readonly version: number;
  readonly lastSeenAtMs: number | null;
}

export function toDevice(device: DeviceRecord): Device {
  return {
    device_id: device.deviceId,
    tenant_id: device.tenantId,
    platform: device.platform,
    status: device.status,
    public_key_b64: Buffer.from(device.publicKey).toString('base64'),
    ...(device.agentVersion === null ? {} : { agent_version: device.agentVersion }),
    ...(device.lastSeenAtMs === null ? {} : { last_seen: toTimestamp(device.lastSeenAtMs) }),
    ...(device.name === null ? {} : { name: device.name }),
    registered_at: toTimestamp(device.registeredAtMs),
    revoked_at: toOptionalTimestamp(device.revokedAtMs),
  };
}
