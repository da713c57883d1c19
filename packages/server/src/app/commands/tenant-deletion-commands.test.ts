import { runCommand } from '@tps/testing/process';
import { openTestDatabase } from '@tps/testing/store';
import { ManualClock } from '@tps/testing/time';
import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { TenantDeletion } from '../../features/tenants/index.ts';
import { TenantService } from '../../features/tenants/tenant-service.ts';

test('the preview of a deletion counts up to a bound, and says "more than" beyond it', async () => {
  const { database, url, drop } = await openTestDatabase({ exclusive: false });
  onTestFinished(drop);
  const clock = new ManualClock();
  const { tenantId } = await database.transaction(async (tx) => {
    const tenant = await new TenantService({ database, clock }).create(tx, {
      name: 'x',
      environment: 'test',
    });
    const insert = (from: string) => sql`
      ${sql.raw(from)} insert into scans (tenant_id, scan_id, result, created_at)
      select ${tenant.tenantId}, 'scn_' || n, '{}', 1 from numbers`;
    const numbers =
      'with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < 100010)';
    await insert(numbers).execute(tx.db);
    return tenant;
  });
  const { rows } = await new TenantDeletion({ database, clock }).preview(tenantId);
  expect(rows).toEqual({ scans: 100_001, audit_entries: 1, audit_heads: 1, tenants: 1 });

  const { code, output } = await runCommand(['tenants', 'delete', tenantId, '--confirm', 'another'], {
    SERVICE_DATABASE_URL: url,
  });
  expect(code).toBe(2);
  expect(output).toContain('Nothing was changed');
  expect(output).toMatch(/^scans +more than 100000$/m);
  expect(output).toMatch(/^tenants +1$/m);
});
