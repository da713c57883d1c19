import { sha256, sha512 } from '@noble/hashes/sha2.js';

/** Returns the digest of bytes. */
export function digest(algorithm: 'sha256' | 'sha512', bytes: Uint8Array): Uint8Array {
  return algorithm === 'sha256' ? sha256(bytes) : sha512(bytes);
}

/** Returns the SHA-256 of bytes in standard base64. */
export function sha256Base64(bytes: Uint8Array): string {
  return toBase64(sha256(bytes));
}

/** Returns the standard base64 of bytes. */
export function toBase64(bytes: Uint8Array): string {
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
}

/** Returns the bytes of canonical standard base64. */
export function fromBase64(text: string): Uint8Array {
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}
