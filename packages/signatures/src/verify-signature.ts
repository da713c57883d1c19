import { type KeyObject, verify } from 'node:crypto';
import { algorithmsFor, PRIMITIVES } from './algorithms.ts';
import type { ParsedSignature } from './parse-signatures.ts';

/**
 * Tells whether a signature was made over its base by the private half of `key`. False as well when the algorithm
 * does not fit the key or the value has another form than the algorithm's, such as an ECDSA signature in DER. Runs on the thread pool: the event loop goes on meanwhile.
 */
export function verifySignature(
  signature: Pick<ParsedSignature, 'algorithm' | 'base' | 'value'>,
  key: KeyObject,
): Promise<boolean> {
  const { algorithm, base, value } = signature;
  if (!algorithmsFor(key).includes(algorithm) || !hasLengthOf(key, value)) {
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
 * An RSA signature is as long as the modulus (RFC 8017, section 8.2.2, step 1). OpenSSL takes one without its leading
 * zero byte as well, which one genuine signature of 256 has.
 */
function hasLengthOf(key: KeyObject, value: Uint8Array): boolean {
  const bits = key.asymmetricKeyDetails?.modulusLength;
  return bits === undefined || value.length === Math.ceil(bits / 8);
}
