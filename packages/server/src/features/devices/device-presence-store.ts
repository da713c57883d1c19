import { sql } from 'kysely';
import type { ReadQueries } from '../../database/index.ts';

/** Devices per statement: reading them takes a few milliseconds, and other work runs between two statements. */
const STEP = 2_000;

interface SeenDevice {
  readonly isActive: boolean;
  /** Null if the device has sent nothing yet. */
  readonly lastSeenMs: number | null;
}

interface SeenRow {
  readonly tenant_id: string;
  readonly device_id: string;
  readonly status: string;
  readonly last_seen_at: number | null;
}

/** Reads the devices of all tenants, in the order of their keys. */
export async function* listSeen(queries: ReadQueries): AsyncGenerator<SeenDevice> {
  let after = { tenant_id: '', device_id: '' };
  for (;;) {
    const query = sql<SeenRow>`
      select d.tenant_id, d.device_id, d.status, s.last_seen_at
      from devices d
      left join device_states s on s.tenant_id = d.tenant_id and s.device_id = d.device_id
      where (d.tenant_id, d.device_id) > (${after.tenant_id}, ${after.device_id})
      order by d.tenant_id, d.device_id
      limit ${sql.lit(STEP)}`;
    const { rows } = await query.execute(queries.db as never);
    for (const row of rows) yield { isActive: row.status === 'active', lastSeenMs: row.last_seen_at };
    const last = rows.at(-1);
    if (rows.length < STEP || !last) return;
    after = last;
  }
}
