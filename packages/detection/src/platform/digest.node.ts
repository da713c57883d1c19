import { hash } from 'node:crypto';

/** Returns the SHA-256 of bytes, or of the UTF-8 of a text. */
export function sha256(data: string | Uint8Array): Uint8Array {
  return hash('sha256', data, 'buffer');
}

/** Returns the SHA-256 in lower-case hex. */
export function sha256Hex(data: string | Uint8Array): string {
  return hash('sha256', data, 'hex');
}
