import { storeSpecimens, useTestDatabase } from '@tps/testing/store';
import { ManualClock } from '@tps/testing/time';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import type { TenantId } from '../../../platform/tenant-id.ts';
import { TenantService } from '../../tenants/tenant-service.ts';
import { listPurgeTasks } from './purge-plan-read-model.ts';

const clock = new ManualClock();
const store = useTestDatabase();

async function createTenant(): Promise<TenantId> {
  const tenants = new TenantService({ database: store.database, clock });
  const { tenantId } = await store.database.transaction((tx) =>
    tenants.create(tx, { name: 'crowded', environment: 'test' }),
  );
  const crowded = { atMs: 1, incident: 'unresolved', jobStatus: 'completed', crowd: 3 } as const;
  await storeSpecimens(...([store.database, tenantId, Array.from({ length: 2000 }, () => crowded)] as const));
  return tenantId;
}

/** Returns the engine's plan for reading the expired rows of a window. */
async function planOf(table: string, tenantId: TenantId): Promise<string> {
  const { read } = store.database;
  const scope = { owner: tenantId, cutoffMs: clock.now() };
  const task = (await listPurgeTasks(read, 'derived', scope)).find((each) => each.table === table);
  const explain = sql.raw(read.engine === 'sqlite' ? 'explain query plan' : 'explain');
  const { rows } = await sql<Record<string, unknown>>`
    ${explain} select count(*) from ${sql.table(table)} as t
    where t.tenant_id = ${tenantId} and ${task?.expired}`.execute(read.db as never);
  return rows.map((row) => row.detail ?? row['QUERY PLAN']).join('\n');
}

test('the membership check of a row uses the member index, however many members exist', async () => {
  const tenantId = await createTenant();
  if (store.database.engine === 'postgres') await sql`analyze`.execute(store.database.read.db as never);
  for (const table of ['alerts', 'threats', 'sightings']) {
    const plan = await planOf(table, tenantId);
    // A join or a list of all members would be built once per window.
    expect(plan).toContain('incident_members_by_member');
    expect(plan).not.toMatch(/Materialize|Hash|Merge|Seq Scan on incident|LIST SUBQUERY|SCAN m|SCAN i\b/);
    expect(plan).toMatch(/member_id=\?|member_id = t\.(alert|threat)_id/);
  }
});
