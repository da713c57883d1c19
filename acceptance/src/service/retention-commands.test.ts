import { type Database, openDatabase, TenantService } from '@tps/server/store';
import { runCommand, spawnProgram, spawnService } from '@tps/testing/process';
import { createTestStore, type Specimen, storeSpecimens } from '@tps/testing/store';
import { expect, onTestFinished, test } from 'vitest';

const DAY_MS = 86_400_000;

interface Run {
  readonly results: { tenant_id: string | null; data_class: string; rows: Record<string, number> }[];
  readonly deleted_tenants: { tenant_id: string; rows: Record<string, number> }[];
}

/** Opens a store while the program works on it. */
async function openBeside() {
  const store = await createTestStore('empty');
  const env = { SERVICE_DATABASE_URL: store.url };
  const database = await openDatabase(store.url, { exclusive: false });
  onTestFinished(async () => {
    await database.close();
    await store.drop();
  });
  const run = (...args: string[]) => runCommand(args, env);
  const runWell = async (...args: string[]) => {
    const { code, output } = await run(...args);
    if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}: ${output}`);
    return output.trim();
  };
  /** Long work also prints its progress. */
  const runJson = async <T>(...args: string[]) => {
    const output = await runWell(...args, '--json');
    return JSON.parse(output.slice(output.search(/^[[{]/m))) as T;
  };
  return { env, database, run, runWell, runJson };
}

/** Creates a tenant with data of these ages. */
async function createAged(database: Database, daysAgo: readonly number[]): Promise<string> {
  const clock = { now: () => Date.now() };
  const { tenantId } = await database.transaction((tx) =>
    new TenantService({ database, clock }).create(tx, { name: 'aged', environment: 'test' }),
  );
  const specimens = daysAgo.map((days): Specimen => {
    return { atMs: Date.now() - days * DAY_MS, incident: 'ended', jobStatus: 'completed' };
  });
  await storeSpecimens(database, tenantId, specimens);
  return tenantId;
}

async function countEvents({ read }: Database, tenantId: string): Promise<number> {
  const { total } = await read.db
    .selectFrom('events')
    .select((row) => row.fn.countAll<number>().as('total'))
    .where('tenant_id', '=', tenantId)
    .executeTakeFirstOrThrow();
  return Number(total);
}

const rowsOf = ({ results }: Run, tenantId: string) =>
  results
    .filter((result) => result.tenant_id === tenantId)
    .map(({ data_class, rows }) => [
      data_class,
      rows.events ?? rows.alerts ?? rows.scans ?? rows.audit_entries,
    ]);

test('a tenant has its own retention, which is shown, and a dry run counts each row', async () => {
  const { database, runWell, runJson } = await openBeside();
  const [strict, usual] = [
    await createAged(database, [400, 200, 20, 5]),
    await createAged(database, [400, 200, 20]),
  ];
  await runWell('retention', 'set', strict, 'events', '10');
  expect(await runWell('retention', 'show', '--tenant', strict)).toMatch(/^events +10 +tenant /m);
  expect(await runWell('retention', 'show', '--tenant', usual)).toMatch(/^events +180 +service /m);
  expect(await runWell('retention', 'show')).toMatch(/^deliveries +7 +fixed /m);

  const foreseen = await runJson<Run>('retention', 'run', '--dry-run');
  expect(await countEvents(database, strict)).toBe(4);
  const expected = [
    ['derived', 2],
    ['jobs', 1],
    ['audit', 1],
  ];
  expect(rowsOf(foreseen, strict)).toEqual([['events', 3], ...expected]);
  expect(rowsOf(foreseen, usual)).toEqual([['events', 2], ...expected]);
  expect(await runWell('retention', 'run', '--dry-run')).toContain('would be removed');

  const only = await runJson<Run>('retention', 'run', '--tenant', usual);
  expect(rowsOf(only, usual)).toEqual(rowsOf(foreseen, usual));
  expect(await countEvents(database, strict)).toBe(4);
  expect(rowsOf(await runJson<Run>('retention', 'run'), strict)).toEqual(rowsOf(foreseen, strict));
  expect(await countEvents(database, strict)).toBe(1);
  await runWell('retention', 'set', strict, 'events', 'default');
  expect(await runWell('retention', 'show', '--tenant', strict)).toMatch(/^events +180 +service /m);
});

test('the run after a killed one completes it, and the audit trail has every row once', async () => {
  const { env, database, runJson } = await openBeside();
  const tenantId = await createAged(
    database,
    Array.from({ length: 2500 }, () => 400),
  );
  const killed = spawnProgram({ args: ['retention', 'run'], env });
  while ((await countEvents(database, tenantId)) === 2500) await new Promise((next) => setTimeout(next, 2));
  await killed.kill();
  expect(killed.output()).not.toContain('looked at');
  const rest = await runJson<Run>('retention', 'run');
  expect(rest.results.some(({ rows }) => Object.keys(rows).length > 0)).toBe(true);
  const entries = await auditRows(database, tenantId);
  expect(entries).toMatchObject({
    events: 2500,
    deliveries: 2500,
    alerts: 2500,
    incidents: 2500,
    jobs: 2500,
  });
  expect(entries).toMatchObject({
    incident_members: 5000,
    trace_steps: 5000,
    scans: 2500,
    audit_entries: 2500,
  });
  const again = await runJson<Run>('retention', 'run');
  expect(again.results.every(({ rows }) => Object.keys(rows).length === 0)).toBe(true);
});

/** Adds up the removed rows in the audit trail. */
async function auditRows({ read }: Database, tenantId: string): Promise<Record<string, number>> {
  const entries = await read.db
    .selectFrom('audit_entries')
    .select('fields')
    .where('tenant_id', '=', tenantId)
    .where('action', '=', 'retention.run')
    .execute();
  const sums: Record<string, number> = {};
  for (const { fields } of entries) {
    const { rows } = JSON.parse(fields) as { rows: Record<string, number> };
    for (const [table, count] of Object.entries(rows)) sums[table] = (sums[table] ?? 0) + count;
  }
  return sums;
}

test('deleting a tenant requires its id; it can be restored, and is purged in the end', async () => {
  const { env, run, runWell, runJson } = await openBeside();
  const service = await spawnService({ env });
  const { tenantId, admin, operator } = service.credentials();
  const statusOf = async (credential: string, query = '') => {
    const headers = { authorization: `Bearer ${credential}` };
    return (await fetch(`${service.baseUrl}/status${query}`, { headers })).status;
  };
  const before = await runJson<object[]>('tenants', 'list');
  expect(before).toMatchObject([{ tenant_id: tenantId, state: 'active', delete_after: null }]);
  const refusals: [string[], RegExp][] = [
    [['tenants', 'delete', tenantId], /Nothing was changed.*--confirm tnt_/],
    [['tenants', 'delete', tenantId, '--confirm', 'tnt_other'], /Nothing was changed/],
    [['tenants', 'delete', tenantId, '--confirm', ''], /Nothing was changed/],
    [['tenants', 'delete', tenantId, '--confirm', tenantId.toUpperCase(), '--now'], /Nothing was changed/],
    [['tenants', 'delete', tenantId, '--confirm', tenantId, '--after-days', '0'], /1 to 90/],
    [['tenants', 'delete', 'tnt_unknown', '--confirm', 'tnt_unknown'], /No such tenant/],
    [['tenants', 'restore', tenantId], /not being deleted/],
    [['tenants', 'set-triage', tenantId, '21'], /whole number from 1 to 20, or "off"/],
    [['retention', 'set', tenantId, 'event', '5'], /Use one of events, derived, jobs, audit/],
    [['retention', 'set', tenantId, 'events', '3651'], /whole number from 1 to 3650/],
    [['retention', 'set', 'tnt_unknown', 'events', '5'], /No such tenant/],
    [['retention', 'run', '--tenant', 'tnt_unknown'], /No such tenant/],
  ];
  for (const [args, message] of refusals) {
    const { code, output } = await run(...args);
    expect(output, args.join(' ')).toMatch(message);
    expect(code, args.join(' ')).toBe(/No such tenant|not being deleted/.test(output) ? 1 : 2);
  }
  expect(await runJson<object[]>('tenants', 'list')).toEqual(before);
  expect(await statusOf(admin)).toBe(200);

  const said = await runWell('tenants', 'delete', tenantId, '--confirm', tenantId);
  expect(said).toMatch(/^tokens +1$/m);
  expect(await statusOf(admin)).toBe(401);
  expect(await statusOf(operator, `?tenant_id=${tenantId}`)).toBe(404);
  expect(await runWell('tenants', 'list')).toMatch(/deleted after \d{4}-/);
  await runWell('tenants', 'restore', tenantId);
  expect(await statusOf(admin)).toBe(200);

  await runWell('tenants', 'set-triage', tenantId, '3');
  expect(await runJson<object[]>('tenants', 'list')).toMatchObject([{ triage_at_once: 3 }]);
  await runWell('tenants', 'delete', tenantId, '--confirm', tenantId, '--now');
  const foreseen = await runJson<Run>('retention', 'run', '--dry-run');
  const removed = await runJson<Run>('retention', 'run');
  expect(removed.deleted_tenants).toMatchObject([{ tenant_id: tenantId, rows: { tenants: 1, tokens: 1 } }]);
  expect(removed.deleted_tenants).toEqual(foreseen.deleted_tenants);
  expect(await runJson<object[]>('tenants', 'list')).toEqual([]);
});
