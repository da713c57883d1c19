import { KeyError } from '../../ports/keys.ts';
import { StorageError } from '../../ports/storage.ts';
import type { SafeModeReason } from '../event-store.ts';

/** Says why a failure sends the store into safe mode; undefined when it is a fault in the program, which it must not hide. */
export function safeModeReason(error: unknown): SafeModeReason | undefined {
  if (error instanceof KeyError) {
    return 'key_unavailable';
  }
  if (!(error instanceof StorageError)) {
    return undefined;
  }
  switch (error.code) {
    case 'full':
      return 'disk_full';
    case 'read_only':
      return 'disk_read_only';
    default:
      return 'disk_failed';
  }
}

export const REASON_IN_WORDS: Readonly<Record<SafeModeReason, string>> = {
  key_unavailable: 'the key store is locked',
  disk_full: 'the disk is full',
  disk_read_only: 'the disk is read-only',
  disk_failed: 'the disk fails',
};
