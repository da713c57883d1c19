import { constants, type KeyObject, type SigningOptions } from 'node:crypto';
import type { SignatureAlgorithm } from '../algorithms.ts';

/** Bounds on an RSA modulus, in bits: 2048 is NIST's minimum; above 4096 a signature costs more than it adds. */
export const RSA_MIN_BITS = 2048;
export const RSA_MAX_BITS = 4096;

const RSA_ALGORITHMS: readonly SignatureAlgorithm[] = ['rsa-v1_5-sha256', 'rsa-pss-sha512'];
const P256_ALGORITHMS: readonly SignatureAlgorithm[] = ['ecdsa-p256-sha256'];
const ED25519_ALGORITHMS: readonly SignatureAlgorithm[] = ['ed25519'];
const NO_ALGORITHMS: readonly SignatureAlgorithm[] = [];

/** The parameters of `node:crypto` to sign or verify. Ed25519 includes the hash, so it has no digest. */
export interface Primitive {
  readonly digest: 'sha256' | 'sha512' | null;
  /** The key without options where the defaults are right: Node reads it in 1 µs, a key with options in 11 µs. */
  withOptions(key: KeyObject): KeyObject | (SigningOptions & { key: KeyObject });
}

export const PRIMITIVES: Readonly<Record<SignatureAlgorithm, Primitive>> = {
  // The default padding of an RSA key is that of PKCS #1 v1.5.
  'rsa-v1_5-sha256': { digest: 'sha256', withOptions: (key) => key },
  // RFC 9421 §3.3.1: the salt is as long as the hash.
  'rsa-pss-sha512': {
    digest: 'sha512',
    withOptions: (key) => ({ key, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 64 }),
  },
  // RFC 9421 §3.3.4: r followed by s, not DER.
  'ecdsa-p256-sha256': { digest: 'sha256', withOptions: (key) => ({ key, dsaEncoding: 'ieee-p1363' }) },
  ed25519: { digest: null, withOptions: (key) => key },
};

/**
 * Returns the algorithms that a private or public key can be used with. Empty for a key that the profile does not allow:
 * another curve, an RSA modulus out of bounds, RSA restricted to PSS by its identifier, a secret key.
 */
export function algorithmsFor(key: KeyObject): readonly SignatureAlgorithm[] {
  const details = key.asymmetricKeyDetails;
  switch (key.asymmetricKeyType) {
    case 'rsa': {
      const bits = details?.modulusLength ?? 0;
      return bits >= RSA_MIN_BITS && bits <= RSA_MAX_BITS ? RSA_ALGORITHMS : NO_ALGORITHMS;
    }
    case 'ec':
      return details?.namedCurve === 'prime256v1' ? P256_ALGORITHMS : NO_ALGORITHMS;
    case 'ed25519':
      return ED25519_ALGORITHMS;
    default:
      return NO_ALGORITHMS;
  }
}
