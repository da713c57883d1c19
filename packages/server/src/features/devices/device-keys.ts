import type { KeyObject } from 'node:crypto';
import type { DeviceStatus } from '@tps/contract';
import { parsePublicKey } from '@tps/signatures';
import type { Database } from '../../database/index.ts';
import { ServiceError } from '../../platform/service-error.ts';
import type { TenantId } from '../../platform/tenant-id.ts';
import * as deviceStore from './device-store.ts';

/** A device as far as checking its signatures goes. */
export interface SigningDevice {
  readonly deviceId: string;
  readonly status: DeviceStatus;
  readonly key: KeyObject;
  /** Whoever commits something on the strength of this key compares it with the stored version. */
  readonly version: number;
}

/** Is told of each refusal of a signature in the name of a registered, active device. Must not throw or take long. */
export type OnInvalidSignature = (tenantId: TenantId, deviceId: string) => void;

/** Importing a key costs several times a verification; 20 000 keys take some 60 MB. */
const MAX_CACHED = 20_000;

/**
 * Parsed keys of devices. What it gives may be out of date for a moment: another node may have revoked the device or
 * changed its key. So the version goes along, and is compared in the transaction that relies on it.
 */
export class DeviceKeys {
  readonly #database: Database;
  readonly #onInvalidSignature: OnInvalidSignature;
  readonly #cache = new Map<string, SigningDevice>();

  constructor(database: Database, onInvalidSignature: OnInvalidSignature = () => undefined) {
    this.#database = database;
    this.#onInvalidSignature = onInvalidSignature;
  }

  /** Gives the device; undefined when it is not registered, which is never remembered. */
  async find(tenantId: TenantId, deviceId: string): Promise<SigningDevice | undefined> {
    return this.#cache.get(keyOf(tenantId, deviceId)) ?? this.refresh(tenantId, deviceId);
  }

  /** Reads the device again, whatever is remembered. */
  async refresh(tenantId: TenantId, deviceId: string): Promise<SigningDevice | undefined> {
    this.forget(tenantId, deviceId);
    const stored = await deviceStore.find(this.#database.read, tenantId, deviceId);
    if (!stored) return undefined;
    const { status, version } = stored;
    const key = parsePublicKey(Buffer.from(stored.publicKey).toString('base64'));
    const device = { deviceId, status, version, key };
    if (this.#cache.size >= MAX_CACHED) this.#dropOldest();
    this.#cache.set(keyOf(tenantId, deviceId), device);
    return device;
  }

  /** Runs a check of what a registered device is said to have signed. Whoever watches over that learns when it is refused. */
  async countFailures<Result>(
    tenantId: TenantId,
    deviceId: string,
    check: () => Promise<Result>,
  ): Promise<Result> {
    try {
      return await check();
    } catch (error) {
      const isInvalid = error instanceof ServiceError && error.code === 'invalid_signature';
      if (isInvalid) this.#onInvalidSignature(tenantId, deviceId);
      throw error;
    }
  }

  forget(tenantId: TenantId, deviceId: string): void {
    this.#cache.delete(keyOf(tenantId, deviceId));
  }

  #dropOldest(): void {
    for (const key of this.#cache.keys()) {
      this.#cache.delete(key);
      return;
    }
  }
}

function keyOf(tenantId: TenantId, deviceId: string): string {
  return `${tenantId} ${deviceId}`;
}
