import { type BoundCredential, operations, type Scope } from '@tps/contract';
import type { Queries } from '../../database/index.ts';
import type { Caller } from '../../platform/http/route.ts';
import { ServiceError } from '../../platform/service-error.ts';
import type { TenantId } from '../../platform/tenant-id.ts';
import { tenantStore } from '../tenants/index.ts';
import { mintToken } from './mint-token.ts';
import { findEscalation, type MintedToken } from './token.ts';
import * as tokenStore from './token-store.ts';

const DAY_MS = 86_400_000;

/** How long the credential that renewed itself stays valid. The response may be lost, and the device offline for days. */
const GRACE_MS = 7 * DAY_MS;

/** Returns the scopes of the operations that are open to a bound credential. */
export function scopesOpenTo(credential: BoundCredential): Scope[] {
  const open = operations.filter(({ openTo }) => openTo?.includes(credential));
  return [...new Set(open.flatMap(({ scope }) => (scope === null ? [] : [scope])))];
}

/**
 * Rejects a token that asks for what leads to a credential of a device, but lacks a scope of such a credential.
 * @throws ServiceError `scope_escalation`
 */
export function refuseWiderDevices(caller: Caller): void {
  const escalation = findEscalation(caller, { scopes: scopesOpenTo('device'), expiresAtMs: null });
  if (escalation) throw new ServiceError('scope_escalation', `${escalation.message}, which a device holds`);
}

/** Creates and ends the credentials of devices, in the transaction of the change that they follow from. */
export class DeviceCredentials {
  readonly #lifetimeMs: number;

  constructor({ lifetimeDays }: { lifetimeDays: number }) {
    this.#lifetimeMs = lifetimeDays * DAY_MS;
  }

  /**
   * Creates the next credential of a device. Of its earlier ones only `presented` stays, for a grace period: it is the one
   * that the device holds if the response is lost.
   */
  async issue(
    tx: Queries,
    wanted: {
      tenantId: TenantId;
      deviceId: string;
      createdBy: string;
      nowMs: number;
      /** Id of the device credential that made the request, if one did. */
      presented?: string | undefined;
      /** The end of the token that made the request, which the new credential does not outlive. */
      notAfterMs?: number | null | undefined;
    },
  ): Promise<MintedToken> {
    const { tenantId, deviceId, createdBy, nowMs, presented, notAfterMs } = wanted;
    await tokenStore.removeOfDevice(tx, tenantId, { deviceId, except: presented });
    if (presented !== undefined) {
      await tokenStore.endBy(tx, tenantId, { tokenId: presented, atMs: nowMs + GRACE_MS });
    }
    const tenant = await tenantStore.find(tx, tenantId);
    if (!tenant) throw new Error('the tenant of a device is missing');
    const expiresAtMs = Math.min(nowMs + this.#lifetimeMs, notAfterMs ?? Number.POSITIVE_INFINITY);
    const { environment } = tenant;
    const scopes = scopesOpenTo('device');
    return mintToken(
      tx,
      { tenantId, name: deviceId, scopes, environment, createdBy, expiresAtMs, deviceId },
      nowMs,
    );
  }

  /** Ends all credentials of a device. */
  async revoke(tx: Queries, tenantId: TenantId, device: { deviceId: string; nowMs: number }): Promise<void> {
    await tokenStore.revokeOfDevice(tx, tenantId, device);
  }
}
