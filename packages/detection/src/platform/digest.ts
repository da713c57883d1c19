import { sha256 as sha256Of } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';

/** Returns the SHA-256 of bytes, or of the UTF-8 of a text. */
export function sha256(data: string | Uint8Array): Uint8Array {
  return sha256Of(data);
}

/** Returns the SHA-256 in lower-case hex. */
export function sha256Hex(data: string | Uint8Array): string {
  return bytesToHex(sha256Of(data));
}
