import { fromBase64 } from '#base64';
import { importVerifyingKey } from '#verifying-key';

/** What precedes the 32 bytes of an Ed25519 key in SubjectPublicKeyInfo (RFC 8410). */
const HEAD = fromBase64('MCowBQYDK2VwAyEA');
const KEY_BYTES = HEAD.length + 32;
/** The public key of the first test of RFC 8032. */
const KNOWN_KEY = 'MCowBQYDK2VwAyEA11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=';

/** Whether a text has the form of an Ed25519 public key: SubjectPublicKeyInfo in DER, base64. Needs no cryptography. */
export function isVerifyingKey(publicKeyB64: string): boolean {
  try {
    const spki = fromBase64(publicKeyB64);
    return spki.length === KEY_BYTES && HEAD.every((byte, at) => spki[at] === byte);
  } catch {
    return false;
  }
}

/** Whether this platform verifies Ed25519. Web Crypto of older browsers does not, and can then open no bundle. */
export async function canVerifyBundles(): Promise<boolean> {
  return (await importVerifyingKey(KNOWN_KEY)) !== undefined;
}
