import { KeyError } from '../../ports/keys.ts';
import { StorageError } from '../../ports/storage.ts';
import type { SafeModeReason } from '../event-store.ts';

/** Returns why an error starts safe mode. Undefined for a bug in the program, which safe mode must not hide. */
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
