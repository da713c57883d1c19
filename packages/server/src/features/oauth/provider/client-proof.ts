import { acceptedSecretHashes, type OAuthClientRecord } from '../clients/oauth-client.ts';

/** What the client of a request has shown. The library checks it long before a token is stored. */
export interface ClientProof {
  /** The hash of the secret that the client has sent, if it has sent one. */
  secretHash?: string;
  /** The public keys of the client when its assertion was verified. */
  keys?: string;
  /** The grant type that the client uses. */
  readonly grantType?: string | undefined;
}

/** By the context of the request. */
const proofs = new WeakMap<object, ClientProof>();

/** Returns what the client of a request has shown so far; undefined outside of requests. */
export function proofIn(context: object | undefined): ClientProof | undefined {
  if (!context) return undefined;
  const proof = proofs.get(context) ?? {};
  proofs.set(context, proof);
  return proof;
}

export function keysOf({ jwks }: OAuthClientRecord): string {
  return JSON.stringify(jwks);
}

/** Whether a client, as it is stored now, still accepts what was shown. */
export function isStillAccepted(
  client: OAuthClientRecord,
  { secretHash, keys, grantType }: ClientProof,
  nowMs: number,
): boolean {
  if (secretHash !== undefined && !acceptedSecretHashes(client, nowMs).includes(secretHash)) return false;
  if (keys !== undefined && keys !== keysOf(client)) return false;
  return grantType === undefined || client.grantTypes.some((one) => one === grantType);
}
