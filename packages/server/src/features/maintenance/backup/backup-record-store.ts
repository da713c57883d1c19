import { type ReadQueries, saveSqliteSetting, settingsStore } from '../../../database/index.ts';

const SETTING = 'last_backup_at';

/** Finds when the newest backup of the store began. */
export async function find(queries: ReadQueries): Promise<number | undefined> {
  const value = await settingsStore.find(queries, SETTING);
  return value === undefined ? undefined : Date.parse(value);
}

/**
 * Records in the store that a backup of it is complete. The store may belong to a running service, or to another version: it
 * is not migrated.
 *
 * @param startedAtMs when the backup began: it may lack what was stored later
 * @throws Error if the store cannot be written
 */
export function recordBackup(url: string, startedAtMs: number): void {
  saveSqliteSetting(url, { name: SETTING, value: new Date(startedAtMs).toISOString() });
}
