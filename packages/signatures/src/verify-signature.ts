import { type KeyObject, verify } from 'node:crypto';
import { algorithmsFor, PRIMITIVES } from './algorithms.ts';
import type { ParsedSignature } from './parse-signatures.ts';

/**
 * Whether a signature was made over its base by the private half of `key`. Also false when the algorithm does not match
 * the key, or the value is not in the form of the algorithm, such as an ECDSA signature in DER. Runs on the thread pool,
 * so that the event loop is not blocked.
 */
export function verifySignature(
  signature: Pick<ParsedSignature, 'algorithm' | 'base' | 'value'>,
  key: KeyObject,
): Promise<boolean> {
  const { algorithm, base, value } = signature;
  if (!algorithmsFor(key).includes(algorithm) || !hasExpectedLength(key, value)) {
    return Promise.resolve(false);
  }
  const { digest, options } = PRIMITIVES[algorithm];
  return new Promise((resolve, reject) => {
    verify(digest, Buffer.from(base, 'latin1'), { key, ...options }, value, (error, valid) => {
      if (error) {
        reject(error);
      } else {
        resolve(valid);
      }
    });
  });
}

/**
 * An RSA signature is as long as the modulus (RFC 8017, section 8.2.2, step 1). OpenSSL also accepts one without its
 * leading zero byte, which one genuine signature in 256 has.
 */
function hasExpectedLength(key: KeyObject, value: Uint8Array): boolean {
  const bits = key.asymmetricKeyDetails?.modulusLength;
  return bits === undefined || value.length === Math.ceil(bits / 8);
}
