import type { Finding } from '../judgement/finding.ts';

/** Looks through the bytes of a file by rules of its own, such as YARA's or those of an antivirus. */
export interface ByteScanner {
  readonly name: 'yara' | 'clamav';
  /** Rejects when it could not look; the file then counts as not looked at by it. */
  readonly scan: (bytes: Uint8Array, signal: AbortSignal) => Promise<Finding[]>;
}
