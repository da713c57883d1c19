export { type Backup, makeBackup, type Report } from './make-backup.ts';
export { type Restoration, restoreBackup } from './restore-backup.ts';
export { type Verification, verifyFile, verifyStore } from './verify-store.ts';
