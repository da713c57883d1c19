import { createPublicKey, generateKeyPair, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';
import { type SignatureAlgorithm, signWith } from '@tps/signatures';

const generate = promisify(generateKeyPair);

/** The key a device signs with, wherever its private half lies. Printing or serialising it shows nothing of that half. */
export interface DeviceKey {
  readonly algorithm: SignatureAlgorithm;
  /** Standard base64 of the public half's SubjectPublicKeyInfo in DER, as the API takes it. */
  readonly publicKeyB64: string;
  /** Signs in the form of RFC 9421 §3.3: for ECDSA `r` and `s` side by side, for RSA-PSS with a salt of 64 bytes. */
  readonly sign: (bytes: Uint8Array) => Promise<Uint8Array>;
}

/** A device key whose private half lies in this process's memory. */
export interface SoftwareKey extends DeviceKey {
  readonly privateKey: KeyObject;
}

/**
 * Makes a new device key on the thread pool. RSA keys get 2048 bits and take some 100 ms; P-256 and Ed25519 keys
 * take less than one.
 */
export async function generateDeviceKey(algorithm: SignatureAlgorithm): Promise<SoftwareKey> {
  const { privateKey } = await generatePair(algorithm);
  return deviceKeyFrom(privateKey, algorithm);
}

/**
 * Makes a device key of a private key that was kept.
 *
 * @throws SignatureError when the algorithm does not fit the key
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
