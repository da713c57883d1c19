import type { Operation } from '@tps/contract';

/** What the limits of a tenant's requests follow from. */
export interface TenantSize {
  /** The limit that an operator has set for the tenant; null if none. */
  readonly setLimit: number | null;
  readonly activeDevices: number;
}

/** The configured limits, in requests per minute. */
export interface ConfiguredLimits {
  readonly perMinute: number;
  readonly perDevice: number;
}

/** Limits of requests in any 60 seconds. */
export interface TenantLimits {
  /** All requests of the tenant. Only device events may use the last part of it. */
  readonly tenant: number;
  /** All requests of the tenant that are not device events. */
  readonly other: number;
}

/** Kept for events: some for any device, more for more devices, and never more than a part of the limit. */
const RESERVE = { base: 10, perDevice: 2, largestShare: 1 / 4 };
/** What one credential may use while others are in use. */
const CREDENTIAL_SHARE = 5 / 6;

/**
 * Computes a tenant's limits. An operator's setting holds as it is; the service's own limit grows with the number of
 * devices. Pure.
 */
export function toTenantLimits(
  { setLimit, activeDevices }: TenantSize,
  { perMinute, perDevice }: ConfiguredLimits,
): TenantLimits {
  const tenant = setLimit ?? Math.max(perMinute, perDevice * activeDevices);
  const wanted = activeDevices === 0 ? 0 : RESERVE.base + RESERVE.perDevice * activeDevices;
  return { tenant, other: tenant - Math.min(wanted, Math.floor(tenant * RESERVE.largestShare)) };
}

/** Returns the part of a limit that one credential may use while others are in use. */
export function toCredentialShare(limit: number): number {
  return Math.max(1, Math.floor(limit * CREDENTIAL_SHARE));
}

/** Whether a request brings in events of a device. It may use the reserve. */
export function isDeviceEvent({ signature }: Operation): boolean {
  return signature === 'tps-event';
}
