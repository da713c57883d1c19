import { hash } from 'node:crypto';

/** Returns the digest of bytes. */
export function digest(algorithm: 'sha256' | 'sha512', bytes: Uint8Array): Uint8Array {
  return hash(algorithm, bytes, 'buffer');
}

/** Returns the SHA-256 of bytes in standard base64. */
export function sha256Base64(bytes: Uint8Array): string {
  return hash('sha256', bytes, 'base64');
}

/** Returns the standard base64 of bytes. */
export function toBase64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
}

/** Returns the bytes of canonical standard base64. */
export function fromBase64(text: string): Uint8Array {
  return Uint8Array.from(Buffer.from(text, 'base64'));
}
