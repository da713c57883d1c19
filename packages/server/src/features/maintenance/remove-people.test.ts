import { FormBrowser, signIn } from '@tps/testing/browser';
import { createPerson, useTestService } from '@tps/testing/service';
import { listTables } from '@tps/testing/store';
import { ManualClock } from '@tps/testing/time';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { loadConfig } from '../../platform/config/config.ts';
import { SERVICE } from '../audit/index.ts';
import { TenantDeletion } from '../tenants/index.ts';
import { purge } from './purge.ts';

const DAY_MS = 86_400_000;
const clock = new ManualClock(Date.now());
const service = useTestService({ clock });

/** The tables with rows about an account, without the audit trail. */
async function tablesAbout(accountId: string): Promise<string[]> {
  const { database } = service.service;
  const found: string[] = [];
  for (const table of await listTables(database)) {
    if (table === 'audit_entries') continue;
    const rows = await sql`select * from ${sql.table(table)}`.execute(database.read.db as never);
    if (JSON.stringify(rows.rows).includes(accountId)) found.push(table);
  }
  return found.toSorted();
}

test('the accounts of a deleted tenant are deleted unless they belong to another tenant', async () => {
  const { database } = service.service;
  const [doomed, other] = [await service.createTenant(), await service.createTenant()];
  const nowMs = clock.now();
  const only = await createPerson(service, { tenantId: doomed.tenantId, nowMs });
  const both = await createPerson(service, { tenantId: doomed.tenantId, nowMs });
  const left = await createPerson(service, { tenantId: null, nowMs });
  await signIn(new FormBrowser(service.baseUrl), only);
  const membership = { tenant_id: other.tenantId, account_id: both.accountId, role: 'viewer' };
  await database.transaction((tx) =>
    tx.insertMany('memberships', [{ ...membership, created_at: nowMs, created_by: 'test' }]),
  );
  expect(await tablesAbout(only.accountId)).toEqual(['account_sessions', 'accounts', 'memberships']);

  await new TenantDeletion({ database, clock }).begin(doomed.tenantId, 1);
  const run = { database, clock, actor: SERVICE, config: loadConfig({}).retention, dryRun: false };
  await purge(run);
  expect(await tablesAbout(only.accountId)).toContain('accounts');
  clock.advance(DAY_MS);
  await purge(run);
  expect(await tablesAbout(only.accountId)).toEqual([]);
  expect(await tablesAbout(both.accountId)).toEqual(['accounts', 'memberships']);
  expect(await tablesAbout(left.accountId)).toEqual(['accounts']);
  const page = await signIn(new FormBrowser(service.baseUrl), only);
  expect(page.status).toBe(401);
});
