import { constants, createPublicKey, hash, type JsonWebKey, type KeyObject, verify } from 'node:crypto';

/** A proof that its sender holds a private key (RFC 9449, section 4.2). Its signature has been verified, nothing else. */
export interface DpopProof {
  /** SHA-256 thumbprint of the key (RFC 7638). */
  readonly thumbprint: string;
  readonly jti: string;
  /** Method and address of the request. */
  readonly htm: string;
  readonly htu: string;
  /** Unix seconds. */
  readonly iat: number;
  /** SHA-256 of the access token, in base64url. */
  readonly ath: string;
}

/** With an RSA key of 4096 bits, a proof has less than 2000 characters. */
const MAX_PROOF_LENGTH = 4096;
const MAX_JTI_LENGTH = 256;

/** The members that make a thumbprint, in the order of RFC 7638. */
const THUMBPRINT_MEMBERS: Readonly<Record<string, readonly string[]>> = {
  EC: ['crv', 'kty', 'x', 'y'],
  OKP: ['crv', 'kty', 'x'],
  RSA: ['e', 'kty', 'n'],
};

type Verify = (key: KeyObject, data: Buffer, signature: Buffer) => boolean;

const ED25519 = {
  keyType: 'OKP',
  verify: (key: KeyObject, data: Buffer, signature: Buffer) =>
    key.asymmetricKeyType === 'ed25519' && verify(null, data, key, signature),
};

/** By `alg`. Each accepts only its own type of key, so that no key is used with another algorithm. */
const VERIFIERS: Readonly<Record<string, { readonly keyType: string; readonly verify: Verify }>> = {
  ES256: {
    keyType: 'EC',
    verify: (key, data, signature) =>
      key.asymmetricKeyDetails?.namedCurve === 'prime256v1' &&
      verify('sha256', data, { key, dsaEncoding: 'ieee-p1363' }, signature),
  },
  // The name of RFC 9864, and the one that older libraries send.
  Ed25519: ED25519,
  EdDSA: ED25519,
  RS256: {
    keyType: 'RSA',
    verify: (key, data, signature) => isStrong(key) && verify('sha256', data, key, signature),
  },
  PS256: {
    keyType: 'RSA',
    verify: (key, data, signature) =>
      isStrong(key) &&
      verify('sha256', data, { key, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 32 }, signature),
  },
};

/** The algorithms of proofs, as error responses list them. */
export const DPOP_ALGORITHMS = Object.keys(VERIFIERS);

/** Reads a proof and verifies its signature. Returns undefined for anything else. */
export function readDpopProof(text: string): DpopProof | undefined {
  const parts = text.split('.');
  const [head = '', body = '', mark = ''] = parts;
  if (parts.length !== 3 || text.length > MAX_PROOF_LENGTH) return undefined;
  const header = parseObject(head);
  const claims = parseObject(body);
  const verifier = VERIFIERS[String(header?.alg)];
  if (!header || !claims || !verifier || header.typ !== 'dpop+jwt') return undefined;
  // Names extensions that must be understood, and there are none (RFC 7515, section 4.1.11).
  if (header.crit !== undefined) return undefined;
  const jwk = header.jwk as Record<string, unknown> | undefined;
  // A private key in a header would be public from now on.
  if (typeof jwk !== 'object' || jwk === null || jwk.kty !== verifier.keyType || 'd' in jwk) return undefined;
  try {
    const key = createPublicKey({ key: jwk as JsonWebKey, format: 'jwk' });
    const data = Buffer.from(`${head}.${body}`);
    if (!verifier.verify(key, data, Buffer.from(mark, 'base64url'))) return undefined;
  } catch {
    return undefined;
  }
  const { jti, htm, htu, iat, ath } = claims;
  const texts = [jti, htm, htu, ath];
  if (!texts.every((value) => typeof value === 'string') || typeof iat !== 'number') return undefined;
  if (jti === '' || String(jti).length > MAX_JTI_LENGTH) return undefined;
  return { jti, htm, htu, iat, ath, thumbprint: thumbprintOf(jwk) } as DpopProof;
}

function thumbprintOf(jwk: Readonly<Record<string, unknown>>): string {
  const members = THUMBPRINT_MEMBERS[String(jwk.kty)] ?? [];
  const text = JSON.stringify(Object.fromEntries(members.map((name) => [name, jwk[name]])));
  return hash('sha256', text, 'base64url');
}

function isStrong({ asymmetricKeyDetails }: KeyObject): boolean {
  const bits = asymmetricKeyDetails?.modulusLength ?? 0;
  return bits >= 2048 && bits <= 4096;
}

function parseObject(part: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, 'base64url').toString('utf8'));
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}
