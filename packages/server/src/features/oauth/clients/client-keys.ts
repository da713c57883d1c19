import { createPublicKey } from 'node:crypto';
import type { ClientKeys } from '@tps/contract';

const MIN_RSA_BITS = 2048;
const MAX_RSA_BITS = 4096;
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
  const bits = asymmetricKeyDetails?.modulusLength ?? 0;
  return bits < MIN_RSA_BITS || bits > MAX_RSA_BITS
    ? `must be an RSA key of ${MIN_RSA_BITS} to ${MAX_RSA_BITS} bits`
    : undefined;
}

function readKey(jwk: PublicJwk) {
  try {
    return createPublicKey({ key: { ...jwk }, format: 'jwk' });
  } catch {
    return undefined;
  }
}
