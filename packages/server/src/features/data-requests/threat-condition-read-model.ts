import { type RawBuilder, type SqlBool, sql } from 'kysely';

/** Whether the threat of a row, aliased as `t`, meets a condition, which names it `h`. */
export function isOfThreatWith(condition: RawBuilder<SqlBool>): RawBuilder<SqlBool> {
  return sql<SqlBool>`exists (select 1 from threats as h
    where h.tenant_id = t.tenant_id and h.threat_id = t.threat_id and ${condition})`;
}
