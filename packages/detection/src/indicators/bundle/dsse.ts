import { fromBase64 } from '#base64';
import { importVerifyingKey } from '#verifying-key';

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
const encoder = new TextEncoder();

/**
 * Returns the signed bytes: both parts with their lengths, so that neither can be mistaken for a piece of the
 * other.
 */
export function preAuthenticationEncoding(payloadType: string, payload: Uint8Array): Uint8Array<ArrayBuffer> {
  const typeBytes = encoder.encode(payloadType).length;
  const head = encoder.encode(`DSSEv1 ${typeBytes} ${payloadType} ${payload.length} `);
  const encoded = new Uint8Array(head.length + payload.length);
  encoded.set(head);
  encoded.set(payload, head.length);
  return encoded;
}

/**
 * Returns the payload of an envelope that one of these Ed25519 keys has signed, else undefined. The key id is
 * not signed, so it is ignored here.
 */
export async function openEnvelope(
  { payloadType, payload, signatures }: DsseEnvelope,
  publicKeys: readonly string[],
): Promise<Uint8Array | undefined> {
  const bytes = tryFromBase64(payload);
  const sigs = signatures.slice(0, MAX_SIGNATURES).map(({ sig }) => tryFromBase64(sig));
  if (bytes === undefined) return undefined;
  const signed = preAuthenticationEncoding(payloadType, bytes);
  for (const publicKey of publicKeys.slice(0, MAX_KEYS)) {
    const isSigned = await importVerifyingKey(publicKey);
    for (const sig of sigs) if (sig !== undefined && (await isSigned?.(signed, sig))) return bytes;
  }
  return undefined;
}

/** Accepts both alphabets, as the specification requires. */
function tryFromBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return /^[\w+/-]*={0,2}$/.test(text) ? fromBase64(text) : undefined;
  } catch {
    return undefined;
  }
}
