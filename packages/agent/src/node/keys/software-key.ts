import { createPublicKey, generateKeyPair, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';
import { type SignatureAlgorithm, signWith } from '@tps/signatures';
import type { DeviceKey } from '../../ports/keys.ts';

const generate = promisify(generateKeyPair);

/** A device key whose private half is in this process's memory. */
export interface SoftwareKey extends DeviceKey {
  readonly privateKey: KeyObject;
}

/**
 * Generates a device key on the thread pool. RSA keys have 2048 bits and take about 100 ms; P-256 and Ed25519 keys take
 * less than 1 ms.
 */
export async function generateDeviceKey(algorithm: SignatureAlgorithm): Promise<SoftwareKey> {
  const { privateKey } = await generatePair(algorithm);
  return deviceKeyFrom(privateKey, algorithm);
}

/**
 * Creates a device key from a stored private key.
 *
 * @throws SignatureError when the algorithm does not match the key
 */
export function deviceKeyFrom(privateKey: KeyObject, algorithm: SignatureAlgorithm): SoftwareKey {
  const sign = signWith(privateKey, algorithm);
  const publicKeyB64 = createPublicKey(privateKey).export({ type: 'spki', format: 'der' }).toString('base64');
  return { algorithm, publicKeyB64, sign, privateKey };
}

function generatePair(algorithm: SignatureAlgorithm) {
  switch (algorithm) {
    case 'rsa-v1_5-sha256':
    case 'rsa-pss-sha512':
      return generate('rsa', { modulusLength: 2048 });
    case 'ecdsa-p256-sha256':
      return generate('ec', { namedCurve: 'P-256' });
    case 'ed25519':
      return generate('ed25519');
  }
}
