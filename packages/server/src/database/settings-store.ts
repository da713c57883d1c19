import type { Queries, ReadQueries } from './database.ts';

/** Reads a setting of the installation. Settings are text under a name and belong to no tenant. */
export async function find({ db }: ReadQueries, name: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('service_settings')
    .select('value')
    .where('name', '=', name)
    .executeTakeFirst();
  return row?.value;
}

/** Stores a setting unless it exists. Returns whether it was stored. */
export async function create(tx: Queries, name: string, value: string): Promise<boolean> {
  const created = await tx.insertIgnoringConflicts('service_settings', ['name'], [{ name, value }]);
  return created.length > 0;
}

export async function save(tx: Queries, name: string, value: string): Promise<void> {
  await tx.upsertMany('service_settings', ['name'], [{ name, value }]);
}

export async function remove(tx: Queries, name: string): Promise<void> {
  await tx.db.deleteFrom('service_settings').where('name', '=', name).execute();
}
