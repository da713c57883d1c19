import { createPublicKey } from 'node:crypto';
import {
  CREATED_MAX_AGE_SECONDS,
  CREATED_MAX_AHEAD_SECONDS,
  parseSignatures,
  verifyContentDigest,
  verifySignature,
} from '@tps/signatures';

/** @type {Map<string, import('node:crypto').KeyObject>} */
let keys = new Map();

/**
 * Replaces the keys of all devices. Peers keep them in memory; the service reads the device in each transaction.
 *
 * @param {readonly { deviceId: string, publicKeyB64: string }[]} devices
 */
export function setDeviceKeys(devices) {
  const parsed = new Map();
  const toKey = (text) => {
    if (!parsed.has(text)) {
      parsed.set(text, createPublicKey({ key: Buffer.from(text, 'base64'), format: 'der', type: 'spki' }));
    }
    return parsed.get(text);
  };
  keys = new Map(devices.map(({ deviceId, publicKeyB64 }) => [deviceId, toKey(publicKeyB64)]));
}

/**
 * Verifies the signature of an event with the code of the service: form, window, digest, signature. Replay is not
 * refused, because that needs another row.
 *
 * @param {{ method: string, path: string, header(name: string): string | undefined }} message
 * @param {Uint8Array} body
 * @throws Error when the signature is not valid
 */
export async function verifyEvent(message, body) {
  const [signature] = parseSignatures(message).filter(({ tag }) => tag === 'tps-event');
  const key = signature && keys.get(signature.keyId);
  if (!key) throw new Error('The signature or its device is missing.');
  const ageSeconds = Date.now() / 1000 - signature.created;
  if (ageSeconds > CREATED_MAX_AGE_SECONDS || ageSeconds < -CREATED_MAX_AHEAD_SECONDS) {
    throw new Error('The signature was not created within the accepted window.');
  }
  if (!verifyContentDigest(message.header('content-digest'), body)) {
    throw new Error('Content-Digest does not match the body.');
  }
  if (!(await verifySignature(signature, key))) throw new Error('The signature does not match the key.');
}
