import type { Operation } from '@tps/contract';
import { type AuthenticationResult, issuedTokenStore } from '../../../features/tokens/index.ts';
import { holderOf } from '../../../platform/http/holder.ts';
import type { Caller } from '../../../platform/http/route.ts';
import type { Admission, RateLimiter } from '../../../platform/rate-limit/rate-limiter.ts';
import type { Part } from '../../../platform/rate-limit/share.ts';
import {
  type ConfiguredLimits,
  isDeviceEvent,
  toTenantLimits,
} from '../../../platform/rate-limit/tenant-limits.ts';
import type { TenantId } from '../../../platform/tenant-id.ts';
import { hasScopeOf } from './operation-scope.ts';

/** What one device may send with its own credentials in 60 seconds: an agent sends one request per batch or poll. */
const MAX_PER_DEVICE = 60;

/**
 * Limits the requests of a tenant. Everything that is authenticated for the tenant counts: devices, programs and people in
 * the console each have a reserve, and within a kind, each caller leaves some of the limit to the others.
 */
export class RequestLimits {
  readonly #limiter: RateLimiter;
  readonly #configured: ConfiguredLimits;
  readonly #countDevices: (tenantId: TenantId) => Promise<number>;

  constructor(parts: {
    limiter: RateLimiter;
    configured: ConfiguredLimits;
    countDevices: (tenantId: TenantId) => Promise<number>;
  }) {
    this.#limiter = parts.limiter;
    this.#configured = parts.configured;
    this.#countDevices = parts.countDevices;
  }

  /** Counts one request, unless it is over a limit. Returns the answer of the limit that leaves the fewest requests. */
  async admit({ caller, limit: setLimit }: AuthenticationResult, operation: Operation): Promise<Admission> {
    const { tokenId, tenantId, deviceId } = caller;
    if (tenantId === null) return this.#limiter.admit(`token ${tokenId}`, this.#configured.perMinute);
    const activeDevices = await this.#countDevices(tenantId);
    const { tenant, reserves } = toTenantLimits({ setLimit, activeDevices }, this.#configured);
    return this.#limiter.admit(`tenant ${tenantId}`, tenant, {
      part: partOf(caller, operation),
      holder: holderOf(caller),
      holderLimit: deviceId === undefined ? undefined : Math.min(tenant, MAX_PER_DEVICE),
      reserves,
    });
  }
}

/** Events count as requests of devices with any credential that may send them: agents can share a token of the tenant. */
function partOf(caller: Caller, operation: Operation): Part {
  const { deviceId, issued } = caller;
  if (deviceId !== undefined || (isDeviceEvent(operation) && hasScopeOf(caller, operation))) return 'devices';
  return issued?.clientId === issuedTokenStore.CONSOLE_CLIENT ? 'people' : 'programs';
}
