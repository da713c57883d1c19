import type { Platform } from '@tps/contract';

/** The device as it was enrolled. */
export interface DeviceIdentity {
  readonly deviceId: string;
  readonly tenantId: string;
  readonly platform: Platform;
}
