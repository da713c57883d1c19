import type { Queries, ReadQueries } from '../../../database/index.ts';

const SETTING = 'silence_watch';

/** When any node of the service was running. */
export interface Uptime {
  /** Since when it has run without a longer gap. */
  readonly sinceMs: number;
  /** When it was last known to run. */
  readonly lastMs: number;
}

export async function find({ db }: ReadQueries): Promise<Uptime | undefined> {
  const row = await db
    .selectFrom('service_settings')
    .select('value')
    .where('name', '=', SETTING)
    .executeTakeFirst();
  return row && (JSON.parse(row.value) as Uptime);
}

export async function save(tx: Queries, { sinceMs, lastMs }: Uptime): Promise<void> {
  const value = JSON.stringify({ sinceMs, lastMs });
  await tx.upsertMany('service_settings', ['name'], [{ name: SETTING, value }]);
}
