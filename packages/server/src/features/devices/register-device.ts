import { hash } from 'node:crypto';
import type { DeviceRegistration } from '@tps/contract';
import type { Queries } from '../../database/index.ts';
import { ServiceError } from '../../platform/service-error.ts';
import type { TenantId } from '../../platform/tenant-id.ts';
import type { ActingRequest } from '../audit/index.ts';
import type { MintedToken } from '../tokens/index.ts';
import type { DeviceRecord } from './device.ts';
import { auditDevice } from './device-audit.ts';
import * as deviceStore from './device-store.ts';

export interface Registration {
  readonly device: DeviceRecord;
  readonly isNew: boolean;
  /** When the device registered with an enrolment secret. */
  readonly credential?: MintedToken;
}

/** Creates the device record that a registration asks for. */
export function toNewDevice(tenantId: TenantId, body: DeviceRegistration, nowMs: number): DeviceRecord {
  return {
    tenantId,
    deviceId: body.device_id,
    platform: body.platform,
    status: 'active',
    publicKey: Buffer.from(body.public_key_b64, 'base64'),
    agentVersion: body.agent_version ?? null,
    name: body.name ?? null,
    registeredAtMs: nowMs,
    revokedAtMs: null,
    version: 1,
    lastSeenAtMs: nowMs,
  };
}

/**
 * Adds the device, or finds and locks it. A rejection is returned, not thrown, so that its audit entry is kept.
 * `recordRegistration` completes the registration.
 */
export async function registerIn(
  tx: Queries,
  wanted: DeviceRecord,
  { request, nowMs }: { request: ActingRequest; nowMs: number },
): Promise<Registration | ServiceError> {
  const { tenantId, deviceId } = wanted;
  const isNew = await deviceStore.create(tx, wanted);
  const device = isNew ? wanted : await deviceStore.findForUpdate(tx, tenantId, deviceId);
  if (!device) throw new Error('a device that was not new is missing');
  const facts = { tenantId, deviceId, nowMs };
  if (device.status === 'revoked') return new ServiceError('device_revoked', 'The device is revoked');
  if (!Buffer.from(device.publicKey).equals(wanted.publicKey)) {
    await auditDevice(tx, request, {
      ...facts,
      action: 'device.key_conflict',
      outcome: 'denied',
      detail: 'Registration with another key rejected',
      fields: {},
    });
    return new ServiceError('device_key_conflict', 'device_id is registered with another key');
  }
  return { device: { ...device, lastSeenAtMs: nowMs }, isNew };
}

/**
 * Records the contact, and what the registration changed. Called after changes of tokens: events rely on their token before
 * they move the time of the last contact, and revocations lock theirs before the audit trail.
 */
export async function recordRegistration(
  tx: Queries,
  { device, isNew, credential }: Registration,
  { request, nowMs }: { request: ActingRequest; nowMs: number },
): Promise<void> {
  const { tenantId, deviceId, platform, publicKey } = device;
  const facts = { tenantId, deviceId, nowMs };
  await deviceStore.touch(tx, tenantId, { deviceId, atMs: nowMs });
  if (isNew) {
    await auditDevice(tx, request, {
      ...facts,
      action: 'device.register',
      detail: 'Device registered',
      fields: { platform, public_key_sha256: hash('sha256', publicKey) },
    });
  }
  if (credential) {
    await auditDevice(tx, request, {
      ...facts,
      action: 'device.enrol',
      detail: isNew ? 'Device enrolled' : 'Device enrolled again',
      fields: {
        enrolment_id: credential.record.createdBy,
        token_id: credential.record.tokenId,
        digest: credential.digest,
      },
    });
  }
}
