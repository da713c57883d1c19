import { toBase64 } from '../../encoding/base64.ts';
import type { DeviceKey } from '../../ports/keys.ts';

type Algorithm = DeviceKey['algorithm'];

/** A signing key as stored. Its private half cannot leave the browser's key store. */
export interface StoredSigningKey {
  readonly algorithm: Algorithm;
  readonly publicKeyB64: string;
  readonly privateKey: CryptoKey;
}

interface Form {
  readonly key: AlgorithmIdentifier | RsaHashedKeyGenParams | EcKeyGenParams;
  readonly signature: AlgorithmIdentifier | RsaPssParams | EcdsaParams;
}

const rsa = (name: string, hash: string): RsaHashedKeyGenParams => ({
  name,
  hash,
  modulusLength: 2048,
  publicExponent: Uint8Array.of(1, 0, 1),
});

/** The parameters of Web Crypto for the algorithms of RFC 9421 §3.3. */
const FORMS: Readonly<Record<Algorithm, Form>> = {
  'rsa-v1_5-sha256': { key: rsa('RSASSA-PKCS1-v1_5', 'SHA-256'), signature: 'RSASSA-PKCS1-v1_5' },
  'rsa-pss-sha512': { key: rsa('RSA-PSS', 'SHA-512'), signature: { name: 'RSA-PSS', saltLength: 64 } },
  'ecdsa-p256-sha256': {
    key: { name: 'ECDSA', namedCurve: 'P-256' },
    signature: { name: 'ECDSA', hash: 'SHA-256' },
  },
  ed25519: { key: 'Ed25519', signature: 'Ed25519' },
};

/** Generates a key that cannot be exported. @throws DOMException `NotSupportedError` if the browser lacks the algorithm */
export async function generateSigningKey(algorithm: Algorithm): Promise<StoredSigningKey> {
  const pair = (await crypto.subtle.generateKey(FORMS[algorithm].key, false, [
    'sign',
    'verify',
  ])) as CryptoKeyPair;
  const spki = await crypto.subtle.exportKey('spki', pair.publicKey);
  return { algorithm, publicKeyB64: toBase64(new Uint8Array(spki)), privateKey: pair.privateKey };
}

/** Returns a stored key as the agent uses it. */
export function toDeviceKey({ algorithm, publicKeyB64, privateKey }: StoredSigningKey): DeviceKey {
  const { signature } = FORMS[algorithm];
  return {
    algorithm,
    publicKeyB64,
    sign: async (bytes) => new Uint8Array(await crypto.subtle.sign(signature, privateKey, bytes.slice())),
  };
}
