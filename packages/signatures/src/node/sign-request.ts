import { type KeyObject, sign } from 'node:crypto';
import type { SignatureAlgorithm } from '../algorithms.ts';
import {
  type RequestSigner as PortableSigner,
  type RequestToSign,
  type SignatureHeaders,
  type SignBytes,
  signRequest as signPortably,
} from '../sign-request.ts';
import { SignatureError } from '../signature-error.ts';
import { algorithmsFor, PRIMITIVES } from './key-algorithms.ts';

/** A key that signs a request, with the parameters of its signature. */
export interface RequestSigner extends Omit<PortableSigner, 'privateKey'> {
  /** The key, or a function that signs with it. */
  readonly privateKey: KeyObject | SignBytes;
}

/**
 * Signs a request once per signer (RFC 9421 §3.1) and digests its body (RFC 9530). Signing runs on the thread pool.
 *
 * @throws SignatureError when an algorithm does not match its key, two signers share a label, or a covered component is
 *   not in the request
 */
export async function signRequest(
  request: RequestToSign,
  signers: RequestSigner | readonly RequestSigner[],
): Promise<SignatureHeaders> {
  const portable = [signers].flat().map((signer): PortableSigner => {
    const { privateKey, algorithm } = signer;
    const isFunction = typeof privateKey === 'function';
    return { ...signer, privateKey: isFunction ? privateKey : signWith(privateKey, algorithm) };
  });
  return signPortably(request, portable);
}

/**
 * Returns a function that signs with a key in memory, on the thread pool.
 *
 * @throws SignatureError when the algorithm does not match the key
 */
export function signWith(privateKey: KeyObject, algorithm: SignatureAlgorithm): SignBytes {
  if (privateKey.type !== 'private' || !algorithmsFor(privateKey).includes(algorithm)) {
    throw new SignatureError(`The signing key cannot be used with the algorithm ${algorithm}.`);
  }
  const { digest, withOptions } = PRIMITIVES[algorithm];
  return (bytes) =>
    new Promise((resolve, reject) => {
      sign(digest, bytes, withOptions(privateKey), (error, value) => {
        if (error) {
          reject(error);
        } else {
          resolve(value);
        }
      });
    });
}
