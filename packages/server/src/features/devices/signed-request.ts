import { hash, type KeyObject } from 'node:crypto';
import type { SignatureTag } from '@tps/contract';
import {
  CREATED_MAX_AGE_SECONDS,
  CREATED_MAX_AHEAD_SECONDS,
  type ParsedSignature,
  parseSignatures,
  SignatureError,
  type SignedMessage,
  verifyContentDigest,
  verifySignature,
} from '@tps/signatures';
import type { FairTurns } from '../../platform/concurrency/fair-turns.ts';
import type { AdmittedRequest } from '../../platform/http/route.ts';
import { ServiceError } from '../../platform/service-error.ts';
import type { DeviceKeys, SigningDevice } from './device-keys.ts';

/** A request that a device signs. */
export interface SignedRequest extends AdmittedRequest {
  readonly message: SignedMessage;
  readonly rawBody: Buffer;
}

/** A request with a genuine signature. Its nonce is claimed later, in the transaction that acts on it. */
export interface VerifiedRequest {
  readonly device: SigningDevice;
  readonly signature: ParsedSignature;
  /** SHA-256 of the body. */
  readonly bodyDigest: Buffer;
}

/**
 * Verifies that a registered, active device signed the request just now. In this order: form, device, window,
 * digest, signature. Before a signature is rejected, the key is read again, because another node may have replaced
 * it.
 *
 * @throws ServiceError `invalid_signature`, `device_not_registered`, `device_revoked`
 */
export async function verifyDeviceRequest(
  request: SignedRequest,
  { tag, keys, turns, nowMs }: { tag: SignatureTag; keys: DeviceKeys; turns: FairTurns; nowMs: number },
): Promise<VerifiedRequest> {
  const signature = onlySignature(readSignatures(request.message, tag));
  const { tenantId, caller } = request;
  // Another device does not exist for the credential of a device.
  const isOutOfReach = caller.deviceId !== undefined && caller.deviceId !== signature.keyId;
  const device = requireActive(isOutOfReach ? undefined : await keys.find(tenantId, signature.keyId));
  return keys.countFailures(request, device.deviceId, async () => {
    checkWindow(signature, nowMs);
    const bodyDigest = await turns.run(tenantId, () => {
      checkDigest(request);
      return hash('sha256', request.rawBody, 'buffer');
    });
    if (await verifySignature(signature, device.key)) return { device, signature, bodyDigest };

    const stored = requireActive(await keys.refresh(tenantId, signature.keyId));
    if (stored.version !== device.version && (await verifySignature(signature, stored.key))) {
      return { device: stored, signature, bodyDigest };
    }
    throw invalidSignature('The request signature does not match the key of the device');
  });
}

/** Verifies a signature with a key from the request itself: proof of possession, which identifies no device. */
export async function verifyWithKey(
  request: SignedRequest,
  { signature, key, nowMs }: { signature: ParsedSignature; key: KeyObject; nowMs: number },
): Promise<void> {
  checkWindow(signature, nowMs);
  checkDigest(request);
  if (!(await verifySignature(signature, key))) {
    throw invalidSignature('The request signature does not match the public key in the body');
  }
}

/** Parses the signatures with this tag. @throws ServiceError `invalid_signature` */
export function readSignatures(message: SignedMessage, tag: SignatureTag): ParsedSignature[] {
  try {
    return parseSignatures(message).filter((signature) => signature.tag === tag);
  } catch (error) {
    if (error instanceof SignatureError) throw invalidSignature(error.message, error);
    throw error;
  }
}

/** Returns the single required signature. Its label means nothing; only its tag counts (RFC 9421 section 7.2.7). */
export function onlySignature(signatures: readonly ParsedSignature[]): ParsedSignature {
  const [signature] = signatures;
  if (!signature || signatures.length > 1) {
    throw invalidSignature('The request needs exactly one signature with the tag of this operation');
  }
  return signature;
}

export function invalidSignature(message: string, cause?: unknown): ServiceError {
  return new ServiceError('invalid_signature', message, { cause });
}

export function requireActive(device: SigningDevice | undefined): SigningDevice {
  if (!device) throw new ServiceError('device_not_registered', 'The device is not registered');
  if (device.status === 'revoked') throw new ServiceError('device_revoked', 'The device is revoked');
  return device;
}

function checkWindow({ created, expires }: ParsedSignature, nowMs: number): void {
  const nowSeconds = nowMs / 1000;
  if (created < nowSeconds - CREATED_MAX_AGE_SECONDS) {
    throw invalidSignature(
      `created is more than ${CREATED_MAX_AGE_SECONDS} s ago; create a new signature for each request`,
    );
  }
  if (created > nowSeconds + CREATED_MAX_AHEAD_SECONDS) {
    throw invalidSignature(
      `created is more than ${CREATED_MAX_AHEAD_SECONDS} s in the future; check the clock of the device`,
    );
  }
  if (expires !== undefined && expires < nowSeconds) throw invalidSignature('The signature has expired');
}

function checkDigest({ message, rawBody }: SignedRequest): void {
  if (!verifyContentDigest(message.header('content-digest'), rawBody)) {
    throw invalidSignature('Content-Digest does not match the body');
  }
}

export function replayed(): ServiceError {
  return new ServiceError(
    'replayed_request',
    'This nonce was already used; create a new signature for each request',
  );
}
