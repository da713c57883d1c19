import { createPublicKey, hash, type KeyObject } from 'node:crypto';
import type { DeviceKey } from '@tps/contract';
import type { ReadQueries } from '../../../database/index.ts';
import type { TenantId } from '../../../platform/tenant-id.ts';
import { toOptionalTimestamp } from '../../../platform/time.ts';
import * as deviceStore from '../device-store.ts';
import * as keyAudit from './key-audit-read-model.ts';

/** Describes the present key of a device. Null for one of a kind that is not accepted any more. */
export async function describeDeviceKey(
  queries: ReadQueries,
  tenantId: TenantId,
  { deviceId, publicKey }: { deviceId: string; publicKey: Uint8Array },
): Promise<DeviceKey | null> {
  const key = createPublicKey({ key: Buffer.from(publicKey), type: 'spki', format: 'der' });
  const kind = kindOf(key);
  if (!kind) return null;
  const replacedAtMs = await keyAudit.findLastReplacement(queries, tenantId, deviceId);
  const fingerprint = hash('sha256', publicKey, 'hex');
  return { ...kind, fingerprint, replaced_at: toOptionalTimestamp(replacedAtMs) };
}

/** What is known of the key behind a signature that was verified at a time. */
export async function describeSigningKey(
  queries: ReadQueries,
  tenantId: TenantId,
  { deviceId, atMs }: { deviceId: string; atMs: number },
): Promise<{ key: DeviceKey | null; isReplaced: boolean | null }> {
  const device = await deviceStore.find(queries, tenantId, deviceId);
  if (!device) return { key: null, isReplaced: null };
  const key = await describeDeviceKey(queries, tenantId, device);
  const replacedAtMs = await keyAudit.findLastReplacement(queries, tenantId, deviceId);
  if (replacedAtMs !== null && replacedAtMs > atMs) return { key, isReplaced: true };
  const oldestMs = await keyAudit.findOldestEntry(queries, tenantId);
  return { key, isReplaced: oldestMs !== null && oldestMs <= atMs ? false : null };
}

function kindOf({
  asymmetricKeyType,
  asymmetricKeyDetails,
}: KeyObject): Pick<DeviceKey, 'type' | 'bits'> | undefined {
  switch (asymmetricKeyType) {
    case 'ed25519':
      return { type: 'ed25519', bits: 256 };
    case 'ec':
      return { type: 'p256', bits: 256 };
    case 'rsa':
      return { type: 'rsa', bits: asymmetricKeyDetails?.modulusLength ?? 0 };
    default:
      return undefined;
  }
}
