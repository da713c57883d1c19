import { hash } from 'node:crypto';
import type { CredentialRenewal, DeviceChange, DeviceKeyRotation, DeviceRegistration } from '@tps/contract';
import { PublicKeyError, parsePublicKey } from '@tps/signatures';
import type { Queries } from '../../database/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { FairTurns } from '../../platform/concurrency/fair-turns.ts';
import type { AdmittedRequest, Caller } from '../../platform/http/route.ts';
import { notFound, ServiceError } from '../../platform/service-error.ts';
import type { TenantId } from '../../platform/tenant-id.ts';
import { toTimestamp } from '../../platform/time.ts';
import type { RequestDatabase } from '../authority/index.ts';
import { feedHeadStore } from '../feed/index.ts';
import {
  type DeviceCredentials,
  endOfAuthority,
  type MintedToken,
  refuseWiderDevices,
} from '../tokens/index.ts';
import type { DeviceRecord } from './device.ts';
import { auditDevice } from './device-audit.ts';
import type { DeviceKeys } from './device-keys.ts';
import * as deviceStore from './device-store.ts';
import { enrolIn, refuseExhausted } from './enrol-device.ts';
import * as nonceStore from './nonce-store.ts';
import { type Registration, recordRegistration, registerIn, toNewDevice } from './register-device.ts';
import {
  invalidSignature,
  onlySignature,
  readSignatures,
  replayed,
  requireActive,
  type SignedRequest,
  verifyDeviceRequest,
  verifyWithKey,
} from './signed-request.ts';

/**
 * For requests that lock a device. One that ends credentials of it waits for requests that rely on these, and they may be
 * waiting for the device: PostgreSQL then undoes one of the two.
 */
const LOCKS_DEVICE = { repeatable: true } as const;

/** Registers, changes and revokes devices, each with its audit entry in the same transaction. */
export class DeviceService {
  readonly #database: RequestDatabase;
  readonly #clock: Clock;
  readonly #keys: DeviceKeys;
  readonly #turns: FairTurns;
  readonly #credentials: DeviceCredentials;

  constructor({
    database,
    clock,
    keys,
    turns,
    credentials,
  }: {
    database: RequestDatabase;
    clock: Clock;
    keys: DeviceKeys;
    turns: FairTurns;
    credentials: DeviceCredentials;
  }) {
    this.#database = database;
    this.#clock = clock;
    this.#keys = keys;
    this.#turns = turns;
    this.#credentials = credentials;
  }

  /**
   * Registers the device whose key signed the request. `readBody` is called once the signature is verified.
   * @throws ServiceError `invalid_public_key`, `invalid_signature`, `replayed_request`, `device_key_conflict`,
   * `device_revoked`, `enrolment_exhausted`
   */
  async register(
    request: SignedRequest,
    { presented, readBody }: { presented: PresentedKey; readBody: () => DeviceRegistration },
  ): Promise<Registration> {
    const nowMs = this.#clock.now();
    const signature = onlySignature(readSignatures(request.message, 'tps-register'));
    if (signature.keyId !== presented.deviceId)
      throw invalidSignature('keyid must be the device_id in the body');
    const key = readPublicKey(presented.publicKeyB64);
    await verifyWithKey(request, { signature, key, nowMs });

    const { tenantId } = request;
    const nonce = { deviceId: signature.keyId, nonce: signature.nonce, created: signature.created };
    const body = await this.#readSchema(readBody, request, [nonce]);
    const wanted = toNewDevice(tenantId, body, nowMs);
    const work = this.#database.transaction(
      request,
      async (tx) => {
        await this.#claim(tx, tenantId, [nonce]);
        const found = await registerIn(tx, wanted, { request, nowMs });
        if (found instanceof ServiceError) return found;
        const enrols = request.caller.boundTo === 'enrolment';
        const registration = enrols
          ? await enrolIn(tx, found, { request, credentials: this.#credentials, nowMs })
          : found;
        await recordRegistration(tx, registration, { request, nowMs });
        return registration;
      },
      LOCKS_DEVICE,
    );
    const outcome = await work.catch((error: unknown) =>
      refuseExhausted(this.#database, error, { request, deviceId: wanted.deviceId, nowMs }),
    );
    // Thrown only after the transaction: the audit entry of a conflict must be kept.
    if (outcome instanceof ServiceError) throw outcome;
    return outcome;
  }

  /** @throws ServiceError `not_found`, `device_revoked` */
  async update(
    tenantId: TenantId,
    deviceId: string,
    { change, request }: { change: DeviceChange; request: AdmittedRequest },
  ): Promise<DeviceRecord> {
    const nowMs = this.#clock.now();
    const device = await this.#database.transaction(request, async (tx) => {
      // Events are stored under this lock: after the response, none is that was signed before.
      if (change.status === 'revoked') await feedHeadStore.lock(tx, tenantId);
      const before = await deviceStore.findForUpdate(tx, tenantId, deviceId);
      if (!before) throw notFound('device');
      const isRevocation = change.status === 'revoked' && before.status !== 'revoked';
      const after: DeviceRecord = {
        ...before,
        name: change.name ?? before.name,
        agentVersion: change.agent_version ?? before.agentVersion,
        ...(isRevocation ? { status: 'revoked', revokedAtMs: nowMs, version: before.version + 1 } : {}),
      };
      if (JSON.stringify(after) === JSON.stringify(before)) return before;
      await deviceStore.update(tx, after);
      if (isRevocation) await this.#credentials.revoke(tx, tenantId, { deviceId, nowMs });
      await auditDevice(tx, request, {
        tenantId,
        deviceId,
        action: isRevocation ? 'device.revoke' : 'device.update',
        detail: isRevocation ? 'Device revoked' : 'Device changed',
        fields: { ...change, ...(isRevocation ? { revoked_at: toTimestamp(nowMs) } : {}) },
        nowMs,
      });
      return after;
    });
    this.#keys.forget(tenantId, deviceId);
    return device;
  }

  /**
   * Replaces the key of a device. Requires two signatures: `old` by the current key, `new` by the next one.
   * @throws ServiceError `not_found`, `device_revoked`, `invalid_public_key`, `invalid_signature`,
   * `replayed_request`
   */
  async rotateKey(
    request: SignedRequest,
    parts: { deviceId: string; presented: PresentedKey; readBody: () => DeviceKeyRotation },
  ): Promise<DeviceRecord> {
    const { deviceId, presented, readBody } = parts;
    const { tenantId } = request;
    const nowMs = this.#clock.now();
    const signatures = readSignatures(request.message, 'tps-rotate');
    const byOld = signatures.find(({ label }) => label === 'old');
    const byNew = signatures.find(({ label }) => label === 'new');
    if (!byOld || !byNew || signatures.length !== 2) {
      throw invalidSignature('A rotation needs two signatures, labelled old and new');
    }
    if (byOld.keyId !== deviceId || byNew.keyId !== deviceId)
      throw invalidSignature('keyid must be the id in the path');
    const stored = await this.#keys.refresh(tenantId, deviceId);
    if (!stored) throw notFound('device');
    const device = requireActive(stored);
    await this.#keys.countFailures(request, deviceId, () =>
      verifyWithKey(request, { signature: byOld, key: device.key, nowMs }),
    );
    await verifyWithKey(request, { signature: byNew, key: readPublicKey(presented.publicKeyB64), nowMs });

    const nonces = [byOld, byNew].map(({ nonce, created }) => ({ deviceId, nonce, created }));
    const body = await this.#readSchema(readBody, request, nonces);
    const work = async (tx: Queries) => {
      // As for a revocation: after the response, nothing that the old key signed is stored.
      await feedHeadStore.lock(tx, tenantId);
      await this.#claim(tx, tenantId, nonces);
      const before = await deviceStore.findForUpdate(tx, tenantId, deviceId);
      if (!before || before.version !== device.version) {
        throw invalidSignature('The key of the device was changed by another request');
      }
      const publicKey = Buffer.from(body.public_key_b64, 'base64');
      const after = { ...before, publicKey, version: before.version + 1, lastSeenAtMs: nowMs };
      await deviceStore.update(tx, after);
      await deviceStore.touch(tx, tenantId, { deviceId, atMs: nowMs });
      await auditDevice(tx, request, {
        tenantId,
        deviceId,
        action: 'device.rotate_key',
        detail: 'Key of the device replaced',
        fields: { public_key_sha256: hash('sha256', after.publicKey) },
        nowMs,
      });
      return after;
    };
    const rotated = await this.#database.transaction(request, work, LOCKS_DEVICE);
    this.#keys.forget(tenantId, deviceId);
    return rotated;
  }

  /**
   * Creates the next credential of a device, which its key signed for.
   * @throws ServiceError `not_found`, `device_revoked`, `invalid_signature`, `replayed_request`, `scope_escalation`
   */
  async renewCredential(
    request: SignedRequest,
    { deviceId, readBody }: { deviceId: string; readBody: () => CredentialRenewal },
  ): Promise<MintedToken> {
    const { tenantId } = request;
    const nowMs = this.#clock.now();
    if (!(await this.#keys.find(tenantId, deviceId))) throw notFound('device');
    const tag = 'tps-renew';
    const { keyId } = onlySignature(readSignatures(request.message, tag));
    if (keyId !== deviceId) throw invalidSignature('keyid must be the id in the path');
    const { device, signature } = await verifyDeviceRequest(request, {
      tag,
      keys: this.#keys,
      turns: this.#turns,
      nowMs,
    });
    const nonce = { deviceId, nonce: signature.nonce, created: signature.created };
    await this.#readSchema(readBody, request, [nonce]);
    const work = async (tx: Queries, caller: Caller) => {
      await this.#claim(tx, tenantId, [nonce]);
      const stored = await deviceStore.findForUpdate(tx, tenantId, deviceId);
      if (!stored || stored.version !== device.version) {
        throw invalidSignature('The device was changed by another request');
      }
      const isOwn = caller.boundTo === 'device';
      if (!isOwn) refuseWiderDevices(caller);
      const minted = await this.#credentials.issue(tx, {
        tenantId,
        deviceId,
        createdBy: caller.tokenId,
        nowMs,
        ...(isOwn ? { presented: caller.tokenId } : { notAfterMs: endOfAuthority(caller) }),
      });
      // After the tokens, which events lock before they move the time of the last contact.
      await deviceStore.touch(tx, tenantId, { deviceId, atMs: nowMs });
      await auditDevice(tx, request, {
        tenantId,
        deviceId,
        action: 'device.renew_credential',
        detail: 'Credential of the device renewed',
        fields: { token_id: minted.record.tokenId, digest: minted.digest },
        nowMs,
      });
      return minted;
    };
    return this.#database.transaction(request, work, LOCKS_DEVICE);
  }

  /** A genuine request with an invalid body still uses up its nonces: sent again, it is a replay. */
  async #readSchema<Body>(
    readBody: () => Body,
    request: AdmittedRequest,
    nonces: readonly nonceStore.UsedNonce[],
  ): Promise<Body> {
    try {
      return readBody();
    } catch (error) {
      await this.#database.transaction(request, (tx) => this.#claim(tx, request.tenantId, nonces));
      throw error;
    }
  }

  async #claim(tx: Queries, tenantId: TenantId, nonces: readonly nonceStore.UsedNonce[]): Promise<void> {
    const taken = await nonceStore.claim(tx, tenantId, nonces);
    if (taken.includes(false)) throw replayed();
  }
}

/** The key that a request presents, read from a body that is not validated yet. */
export interface PresentedKey {
  readonly deviceId: string;
  readonly publicKeyB64: string;
}

function readPublicKey(publicKeyB64: string) {
  try {
    return parsePublicKey(publicKeyB64);
  } catch (error) {
    if (error instanceof PublicKeyError) {
      throw new ServiceError('invalid_public_key', `public_key_b64: ${error.message}`, { cause: error });
    }
    throw error;
  }
}
