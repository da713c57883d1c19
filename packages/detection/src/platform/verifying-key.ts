import { fromBase64 } from '#base64';
import type { SignatureCheck } from './signature-check.ts';

/** Imports an Ed25519 public key: SubjectPublicKeyInfo in DER, base64. Undefined for anything else. */
export async function importVerifyingKey(publicKeyB64: string): Promise<SignatureCheck | undefined> {
  try {
    const spki = fromBase64(publicKeyB64);
    const key = await crypto.subtle.importKey('spki', spki, 'Ed25519', false, ['verify']);
    return (signed, signature) => crypto.subtle.verify('Ed25519', key, signature, signed);
  } catch {
    return undefined;
  }
}
