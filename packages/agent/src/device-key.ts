import { generateKeyPair, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';
import type { SignatureAlgorithm } from '@tps/signatures';

const generate = promisify(generateKeyPair);

/** The key a device signs with. Printing or serialising it shows nothing of the private half. */
export interface DeviceKey {
  readonly algorithm: SignatureAlgorithm;
  readonly privateKey: KeyObject;
  /** Standard base64 of the public half's SubjectPublicKeyInfo in DER, as the API takes it. */
  readonly publicKeyB64: string;
}

/**
 * Makes a new device key on the thread pool. RSA keys get 2048 bits and take some 100 ms; P-256 and Ed25519 keys
 * take less than one.
 */
export async function generateDeviceKey(algorithm: SignatureAlgorithm): Promise<DeviceKey> {
  const { publicKey, privateKey } = await generatePair(algorithm);
  return {
    algorithm,
    privateKey,
    publicKeyB64: publicKey.export({ type: 'spki', format: 'der' }).toString('base64'),
  };
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
