import type { KeyObject } from 'node:crypto';
import type { DeviceStatus } from '@tps/contract';
import { PublicKeyError, parsePublicKey } from '@tps/signatures';
import { LRUCache } from 'lru-cache';
import type { Database } from '../../database/index.ts';
import type { AdmittedRequest } from '../../platform/http/route.ts';
import { ServiceError } from '../../platform/service-error.ts';
import type { TenantId } from '../../platform/tenant-id.ts';
import * as deviceStore from './device-store.ts';

/** The part of a device needed to verify its signatures. */
export interface SigningDevice {
  readonly deviceId: string;
  readonly status: DeviceStatus;
  readonly key: KeyObject;
  /** Compared with the stored version in the transaction that relies on this key. */
  readonly version: number;
}

/** Called for each rejected signature in the name of a registered, active device. Must not throw or take long. */
export type OnInvalidSignature = (request: AdmittedRequest, deviceId: string) => void;

/** Importing a key takes several times as long as a verification; 20 000 keys take about 60 MB. */
const MAX_CACHED = 20_000;

/**
 * Cache of parsed device keys. An entry may be briefly out of date, because another node may have revoked the
 * device or changed its key. So it includes the version, which the transaction that relies on it compares.
 */
export class DeviceKeys {
  readonly #database: Database;
  readonly #onInvalidSignature: OnInvalidSignature;
  readonly #cache = new LRUCache<string, SigningDevice>({ max: MAX_CACHED });

  constructor(database: Database, onInvalidSignature: OnInvalidSignature = () => undefined) {
    this.#database = database;
    this.#onInvalidSignature = onInvalidSignature;
  }

  /** Returns the device, or undefined when it is not registered; that is never cached. */
  async find(tenantId: TenantId, deviceId: string): Promise<SigningDevice | undefined> {
    return this.#cache.get(keyOf(tenantId, deviceId)) ?? this.refresh(tenantId, deviceId);
  }

  /** Reads the device from the store again, even if it is cached. */
  async refresh(tenantId: TenantId, deviceId: string): Promise<SigningDevice | undefined> {
    this.forget(tenantId, deviceId);
    const stored = await deviceStore.find(this.#database.read, tenantId, deviceId);
    if (!stored) return undefined;
    const { status, version } = stored;
    const key = parseStoredKey(stored.publicKey);
    const device = { deviceId, status, version, key };
    this.#cache.set(keyOf(tenantId, deviceId), device);
    return device;
  }

  /** Runs a signature check for a registered device, and reports an invalid signature to the monitor. */
  async countFailures<Result>(
    request: AdmittedRequest,
    deviceId: string,
    check: () => Promise<Result>,
  ): Promise<Result> {
    try {
      return await check();
    } catch (error) {
      const isInvalid = error instanceof ServiceError && error.code === 'invalid_signature';
      if (isInvalid) this.#onInvalidSignature(request, deviceId);
      throw error;
    }
  }

  forget(tenantId: TenantId, deviceId: string): void {
    this.#cache.delete(keyOf(tenantId, deviceId));
  }
}

/** A key that was registered before a rule for keys existed proves nothing, and so verifies nothing. */
function parseStoredKey(publicKey: Uint8Array): KeyObject {
  try {
    return parsePublicKey(Buffer.from(publicKey).toString('base64'));
  } catch (error) {
    if (!(error instanceof PublicKeyError)) throw error;
    throw new ServiceError('invalid_signature', `The key of the device is not accepted: ${error.message}`, {
      cause: error,
    });
  }
}

function keyOf(tenantId: TenantId, deviceId: string): string {
  return `${tenantId} ${deviceId}`;
}
