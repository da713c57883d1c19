import type { Queries, ReadQueries } from './database.ts';
import { forUpdate } from './row-lock.ts';

/** Reads a setting of the installation. Settings are text under a name and belong to no tenant. */
export async function find(queries: ReadQueries, name: string): Promise<string | undefined> {
  return (await byName(queries, name).executeTakeFirst())?.value;
}

/** Reads a setting and locks it, if it exists, until the transaction ends. */
export async function findForUpdate(tx: Queries, name: string): Promise<string | undefined> {
  return (await forUpdate(tx, byName(tx, name)).executeTakeFirst())?.value;
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

function byName({ db }: ReadQueries, name: string) {
  return db.selectFrom('service_settings').select('value').where('name', '=', name);
}
