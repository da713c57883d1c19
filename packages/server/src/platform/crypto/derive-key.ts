import { hkdfSync } from 'node:crypto';

/**
 * Derives a 32-byte key for one purpose from the service's master key (HKDF-SHA256, RFC 5869). Keys of different
 * purposes reveal nothing about each other or about the master key. The purpose is part of the key: never change
 * one.
 */
export function deriveKey(master: Buffer, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', master, Buffer.alloc(0), purpose, 32));
}
