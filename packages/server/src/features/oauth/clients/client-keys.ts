import { createPublicKey } from 'node:crypto';
import type { ClientKeys } from '@tps/contract';

const MIN_RSA_BITS = 2048;
const MAX_RSA_BITS = 4096;
/** Of practically all keys. With 1, everyone can sign; some small exponents allow forgery with careless libraries. */
const MIN_RSA_EXPONENT = 65_537n;
type PublicJwk = ClientKeys['keys'][number];

/** Returns what is wrong with the public keys of a client; undefined if nothing is. */
export function problemOfKeys({ keys }: ClientKeys): string | undefined {
  const problem = keys.map(problemOfKey).findIndex((one) => one !== undefined);
  const key = keys[problem];
  if (key) return `keys[${problem}] ${problemOfKey(key)}`;
  const ids = keys.map(({ kid }) => kid).filter((kid) => kid !== undefined);
  return new Set(ids).size < ids.length ? 'keys must not have the same kid' : undefined;
}

function problemOfKey(jwk: PublicJwk): string | undefined {
  const { asymmetricKeyType, asymmetricKeyDetails } = readKey(jwk) ?? {};
  if (asymmetricKeyType === undefined) return 'is not a public key that can be read';
  if (asymmetricKeyType !== 'rsa') return undefined;
  const { modulusLength: bits = 0, publicExponent = 0n } = asymmetricKeyDetails ?? {};
  if (bits < MIN_RSA_BITS || bits > MAX_RSA_BITS)
    return `must be an RSA key of ${MIN_RSA_BITS} to ${MAX_RSA_BITS} bits`;
  return publicExponent < MIN_RSA_EXPONENT || publicExponent % 2n === 0n
    ? `must be an RSA key whose exponent is odd and at least ${MIN_RSA_EXPONENT}`
    : undefined;
}

function readKey(jwk: PublicJwk) {
  try {
    return createPublicKey({ key: { ...jwk }, format: 'jwk' });
  } catch {
    return undefined;
  }
}
