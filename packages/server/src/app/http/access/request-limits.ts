import type { Operation } from '@tps/contract';
import { type AuthenticationResult, issuedTokenStore } from '../../../features/tokens/index.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Caller } from '../../../platform/http/route.ts';
import { LocalLimiter } from '../../../platform/rate-limit/local-limiter.ts';
import type { Admission, RateLimiter } from '../../../platform/rate-limit/rate-limiter.ts';
import type { TenantId } from '../../../platform/tenant-id.ts';
import { type ConfiguredLimits, isDeviceEvent, toCredentialShare, toTenantLimits } from './tenant-limits.ts';

/** After this time without a request, a credential is not in use any more. */
const IN_USE_MS = 10 * 60_000;
const MAX_TENANTS = 10_000;
/** What one device may send with its own credentials in 60 seconds: an agent sends one request per batch or poll. */
const MAX_PER_DEVICE = 60;
/** What one person may do in the console in 60 seconds: a page takes up to ten requests, and a list is scrolled through. */
const MAX_PER_PERSON = 600;

/** Which credential of a tenant came last, and until when more than one counts as in use. */
type Use = { tokenId: string; atMs: number; sharedUntilMs: number };

/**
 * Limits the requests of a tenant, and within them those of each credential.
 *
 * The tenant's limit is exact on every node. A credential's share is counted on each node by itself: it only keeps the
 * credentials of one tenant from each other's requests. People in the console have their own limit, so that programs and people
 * do not take each other's requests.
 */
export class RequestLimits {
  readonly #limiter: RateLimiter;
  readonly #clock: Clock;
  readonly #configured: ConfiguredLimits;
  readonly #countDevices: (tenantId: TenantId) => Promise<number>;
  readonly #credentials: LocalLimiter;
  readonly #uses = new Map<TenantId, Use>();

  constructor(parts: {
    limiter: RateLimiter;
    clock: Clock;
    configured: ConfiguredLimits;
    countDevices: (tenantId: TenantId) => Promise<number>;
  }) {
    this.#limiter = parts.limiter;
    this.#clock = parts.clock;
    this.#configured = parts.configured;
    this.#countDevices = parts.countDevices;
    this.#credentials = new LocalLimiter({ clock: parts.clock });
  }

  /** Counts one request, unless it is over a limit. Returns the answer of the limit that leaves the fewest requests. */
  async admit({ caller, limit: setLimit }: AuthenticationResult, operation: Operation): Promise<Admission> {
    const { tokenId, tenantId, deviceId, issued } = caller;
    if (tenantId === null) return this.#limiter.admit(`token ${tokenId}`, this.#configured.perMinute);
    if (issued?.clientId === issuedTokenStore.CONSOLE_CLIENT) {
      return this.#limiter.admit(`person ${tenantId} ${issued.accountId}`, MAX_PER_PERSON);
    }
    const activeDevices = await this.#countDevices(tenantId);
    const limits = toTenantLimits({ setLimit, activeDevices }, this.#configured);
    const limit = isDeviceEvent(operation) ? limits.tenant : limits.other;
    // A device may hold two credentials, and renew them as often as it likes.
    const key = deviceId === undefined ? tokenId : `${tenantId} ${deviceId}`;
    const own = await this.#credentials.admit(key, this.#credentialLimit({ ...caller, tenantId }, limit));
    if (!own.allowed) return own;
    const whole = await this.#limiter.admit(`tenant ${tenantId}`, limit);
    if (!whole.allowed) this.#credentials.withdraw(key);
    return whole.allowed && own.remaining < whole.remaining ? own : whole;
  }

  /** Devices do not count as other credentials in use: a fleet would shorten the share of every integration. */
  #credentialLimit({ tokenId, tenantId, deviceId }: Caller & { tenantId: TenantId }, limit: number): number {
    if (deviceId !== undefined) return Math.min(limit, MAX_PER_DEVICE);
    return this.#isShared(tenantId, tokenId) ? toCredentialShare(limit) : limit;
  }

  #isShared(tenantId: TenantId, tokenId: string): boolean {
    const nowMs = this.#clock.now();
    const last = this.#uses.get(tenantId);
    const isOther = last !== undefined && last.tokenId !== tokenId && nowMs - last.atMs < IN_USE_MS;
    const sharedUntilMs = isOther ? nowMs + IN_USE_MS : (last?.sharedUntilMs ?? 0);
    this.#uses.delete(tenantId);
    this.#uses.set(tenantId, { tokenId, atMs: nowMs, sharedUntilMs });
    const [oldest] = this.#uses.keys();
    if (this.#uses.size > MAX_TENANTS && oldest !== undefined) this.#uses.delete(oldest);
    return nowMs < sharedUntilMs;
  }
}
