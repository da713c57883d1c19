import { createHash, type KeyObject, sign, verify } from 'node:crypto';
import { promisify } from 'node:util';

/**
 * A signed payload in the format of the Dead Simple Signing Envelope 1.0
 * (github.com/secure-systems-lab/dsse).
 */
export interface DsseEnvelope {
  readonly payloadType: string;
  /** Base64. */
  readonly payload: string;
  readonly signatures: readonly { readonly keyid?: string; readonly sig: string }[];
}

/** More signatures, or keys to try, would only cost time. */
const MAX_SIGNATURES = 8;
const MAX_KEYS = 16;
/** In the thread pool: the signature of 100,000 indicators, some 5 MB, takes 20 ms. */
const verifies = promisify(verify);

/**
 * Returns the signed bytes: both parts with their lengths, so that neither can be mistaken for a piece of the
 * other.
 */
export function preAuthenticationEncoding(payloadType: string, payload: Uint8Array): Buffer {
  const head = `DSSEv1 ${Buffer.byteLength(payloadType)} ${payloadType} ${payload.length} `;
  return Buffer.concat([Buffer.from(head), payload]);
}

/** Returns the id of a public key: SHA-256 of its SubjectPublicKeyInfo in DER, in hex. */
export function keyIdOf(publicKey: KeyObject): string {
  const spki = publicKey.export({ type: 'spki', format: 'der' });
  return createHash('sha256').update(spki).digest('hex');
}

/** Signs with an Ed25519 key. */
export function signEnvelope(
  payloadType: string,
  payload: Uint8Array,
  { privateKey, keyid }: { readonly privateKey: KeyObject; readonly keyid: string },
): DsseEnvelope {
  const signature = sign(null, preAuthenticationEncoding(payloadType, payload), privateKey);
  return {
    payloadType,
    payload: Buffer.from(payload).toString('base64'),
    signatures: [{ keyid, sig: signature.toString('base64') }],
  };
}

/**
 * Returns the payload of an envelope that one of these Ed25519 keys has signed, else undefined. The key id is
 * not signed, so it is ignored here.
 */
export async function openEnvelope(
  { payloadType, payload, signatures }: DsseEnvelope,
  publicKeys: readonly KeyObject[],
): Promise<Buffer | undefined> {
  const bytes = fromBase64(payload);
  const sigs = signatures.slice(0, MAX_SIGNATURES).map(({ sig }) => fromBase64(sig));
  if (bytes === undefined) return undefined;
  const signed = preAuthenticationEncoding(payloadType, bytes);
  for (const key of publicKeys.slice(0, MAX_KEYS)) {
    for (const sig of sigs) if (sig !== undefined && (await verifies(null, signed, key, sig))) return bytes;
  }
  return undefined;
}

/** Accepts both alphabets, as the specification requires. */
function fromBase64(text: string): Buffer | undefined {
  return /^[\w+/-]*={0,2}$/.test(text) ? Buffer.from(text, 'base64') : undefined;
}
