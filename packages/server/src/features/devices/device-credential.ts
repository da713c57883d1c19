import type { DeviceCredential } from '@tps/contract';
import { toTimestamp } from '../../platform/time.ts';
import type { MintedToken } from '../tokens/index.ts';

/** A device renews its credential at this share of the lifetime, which leaves the rest for retries. */
const RENEWED_AT = 2 / 3;

/** The only place where the credential of a device becomes part of a response. */
export function toDeviceCredential({ record, credential }: MintedToken): DeviceCredential {
  const { tokenId, createdAtMs, expiresAtMs } = record;
  if (expiresAtMs === null) throw new Error('the credential of a device always expires');
  return {
    token_id: tokenId,
    token: credential.reveal(),
    expires_at: toTimestamp(expiresAtMs),
    renew_at: toTimestamp(Math.round(createdAtMs + (expiresAtMs - createdAtMs) * RENEWED_AT)),
  };
}
