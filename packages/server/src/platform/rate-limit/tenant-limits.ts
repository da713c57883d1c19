import type { Operation } from '@tps/contract';
import type { PerPart } from './share.ts';

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
  /** All requests of the tenant. */
  readonly tenant: number;
  /** The reserve of each kind of caller. The kinds share the rest of the limit. */
  readonly reserves: PerPart;
}

/** A base for any number of devices, more for each device, and at most a part of the limit. */
const FOR_DEVICES = { base: 10, perDevice: 2, largestShare: 1 / 4 };
/**
 * A page of the console takes 3 requests (1 to 9), and an open page up to 13 a minute: a third of the default limit allows
 * ten pages a minute.
 */
const FOR_PEOPLE = 1 / 3;
const FOR_PROGRAMS = 1 / 4;

/**
 * Computes a tenant's limits. An operator's setting holds as it is; the service's own limit grows with the number of
 * devices. Pure.
 */
export function toTenantLimits(
  { setLimit, activeDevices }: TenantSize,
  { perMinute, perDevice }: ConfiguredLimits,
): TenantLimits {
  const tenant = setLimit ?? Math.max(perMinute, perDevice * activeDevices);
  const wanted = activeDevices === 0 ? 0 : FOR_DEVICES.base + FOR_DEVICES.perDevice * activeDevices;
  const reserves = {
    devices: Math.min(wanted, Math.floor(tenant * FOR_DEVICES.largestShare)),
    people: Math.floor(tenant * FOR_PEOPLE),
    programs: Math.floor(tenant * FOR_PROGRAMS),
  };
  return { tenant, reserves };
}

/** Whether a request submits events. Such a request counts as one of devices. */
export function isDeviceEvent({ signature }: Operation): boolean {
  return signature === 'tps-event';
}
