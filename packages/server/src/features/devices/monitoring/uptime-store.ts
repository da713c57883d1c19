import { type Queries, type ReadQueries, settingsStore } from '../../../database/index.ts';

const SETTING = 'silence_watch';

/** When any node of the service was running. */
export interface Uptime {
  /** Since when it has run without a longer gap. */
  readonly sinceMs: number;
  /** When it was last known to run. */
  readonly lastMs: number;
}

export async function find(queries: ReadQueries): Promise<Uptime | undefined> {
  const value = await settingsStore.find(queries, SETTING);
  return value === undefined ? undefined : (JSON.parse(value) as Uptime);
}

export async function save(tx: Queries, { sinceMs, lastMs }: Uptime): Promise<void> {
  await settingsStore.save(tx, SETTING, JSON.stringify({ sinceMs, lastMs }));
}
