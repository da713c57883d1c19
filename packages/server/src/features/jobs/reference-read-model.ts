import { ID_PREFIXES, INPUT_NOUNS } from '@tps/contract';
import { sql } from 'kysely';
import type { ReadQueries } from '../../database/index.ts';
import type { TenantId } from '../../platform/tenant-id.ts';

type InputNoun = (typeof INPUT_NOUNS)[number];

const COLUMNS: Readonly<Record<InputNoun, { table: string; column: string }>> = {
  incident: { table: 'incidents', column: 'incident_id' },
  alert: { table: 'alerts', column: 'alert_id' },
  threat: { table: 'threats', column: 'threat_id' },
  event: { table: 'events', column: 'event_id' },
  scan: { table: 'scans', column: 'scan_id' },
};

/** A reference to something that does not exist or belongs to another tenant; the two cases look the same. */
export interface MissingReference {
  readonly noun: InputNoun;
  /** Its index among the references. */
  readonly index: number;
}

/** Finds the first missing reference, with one query for each noun among the references. */
export async function findMissing(
  queries: ReadQueries,
  tenantId: TenantId,
  inputRefs: readonly string[],
): Promise<MissingReference | undefined> {
  const missing: MissingReference[] = [];
  for (const noun of INPUT_NOUNS) {
    const ids = inputRefs.filter((ref) => ref.startsWith(`${ID_PREFIXES[noun]}_`));
    if (ids.length === 0) continue;
    const existing = await findExisting(queries, tenantId, { ids, ...COLUMNS[noun] });
    const absent = ids.find((id) => !existing.has(id));
    if (absent !== undefined) missing.push({ noun, index: inputRefs.indexOf(absent) });
  }
  return missing.sort((a, b) => a.index - b.index)[0];
}

async function findExisting(
  queries: ReadQueries,
  tenantId: TenantId,
  { table, column, ids }: { table: string; column: string; ids: readonly string[] },
): Promise<Set<string>> {
  const query = sql<{ id: string }>`
    select ${sql.ref(column)} as id from ${sql.table(table)}
    where tenant_id = ${tenantId} and ${queries.anyOf(sql.ref(column), ids)}`;
  const { rows } = await query.execute(queries.db as never);
  return new Set(rows.map(({ id }) => id));
}
