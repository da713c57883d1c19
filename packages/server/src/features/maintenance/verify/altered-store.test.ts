import type { DataRequest, Incident, Job, Policy, ScanResult, Token } from '@tps/contract';
import { registerTestDevice, type TestDevice } from '@tps/testing/device';
import { useReceivers } from '@tps/testing/receiver';
import { registerTestWebhook, useTestService, WEBHOOK_ENV } from '@tps/testing/service';
import { IS_SOAK } from '@tps/testing/soak';
import { waitUntil } from '@tps/testing/time';
import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Queries } from '../../../database/index.ts';
import { TABLE_NAMES, TABLES } from '../../../database/tables/index.ts';
import { coverageOf } from './describe-gaps.ts';
import { verifyStore } from './verify-store.ts';

type Row = Record<string, string | number | Uint8Array | null>;

const service = useTestService({ env: WEBHOOK_ENV });
const newReceiver = useReceivers();
const COMPARED = TABLE_NAMES.flatMap((table) =>
  Object.values(coverageOf(table).compared).flatMap((columns) =>
    columns.map((column) => [table, column] as const),
  ),
);
/** What is compared does not depend on the engine. On PostgreSQL, one column of each table shows that its statements work. */
const ALTERED =
  process.env.TEST_STORE === 'postgres' && !IS_SOAK
    ? COMPARED.filter(([table], at) => COMPARED[at - 1]?.[0] !== table)
    : COMPARED;
const NOTICED = TABLE_NAMES.filter((table) => TABLES[table].verify.missingRows === undefined);
/** A tenant without events, to which rows are moved. */
let otherTenantId: string;

beforeAll(async () => {
  otherTenantId = (await service.createTenant()).tenantId;
  const erased = await service.createTenant();
  await eraseEvents(await registerTestDevice(service, { tenant: erased }));
  // The last one: rows of it are altered.
  const tenant = await service.createTenant();
  const device = await registerTestDevice(service, { tenant });
  const receiver = await newReceiver();
  const webhook = await registerTestWebhook(service, { url: receiver.url, tenant });
  const url = 'https://parcel-desk.example/pay';
  await sendEvents(device, url);
  await sendEvents(device, url);
  await changeSettings(device);
  const secret = { secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', overlap_s: 3600 };
  await send(device, 'POST', `/webhooks/${webhook.webhookId}/rotate-secret`, secret);
  await changeIncidents(device);
  const scan = (await send(device, 'POST', '/scan', { type: 'url', content: url })) as ScanResult;
  const token = { name: 'reader', scopes: ['events:read'], expires_at: '2099-01-01T00:00:00Z' };
  for (const path of ['', '/roll'] as const) {
    const { token_id } = (await send(device, 'POST', '/tokens', token)) as Token;
    if (path === '/roll') await send(device, 'POST', `/tokens/${token_id}/roll`, { grace_s: 60 });
    else await service.client.send('DELETE', `/tokens/${token_id}`, { credential: tenant.credential });
  }
  const revoked = await registerTestDevice(service, { tenant });
  await send(revoked, 'PATCH', `/devices/${revoked.deviceId}`, { status: 'revoked' });
  const job = (await send(device, 'POST', '/jobs', {
    workflow_id: 'incident_triage_v1',
    input_refs: [scan.scan_id],
  })) as Job;
  const { credential } = tenant;
  await waitUntil(async () => {
    const { body } = await service.client.send('GET', `/jobs/${job.job_id}`, { credential });
    return (body as Job).status === 'waiting_review';
  });
  await waitUntil(async () => (await webhook.deliveries()).every(({ status }) => status === 'delivered'));
});

async function send(device: TestDevice, method: 'POST' | 'PATCH', path: string, body: object) {
  const { credential } = device.tenant;
  const answer = await service.client.send(method, path, { credential, body });
  expect(answer.status, path).toBeLessThan(300);
  return answer.body;
}

async function changeSettings(device: TestDevice): Promise<void> {
  const policy = { name: 'Block', threat_categories: ['phishing'], action: 'block' };
  const { policy_id: id } = (await send(device, 'POST', '/policies', policy)) as Policy;
  await send(device, 'PATCH', `/policies/${id}`, { confidence_threshold: 0.5 });
  const archived = (await send(device, 'POST', '/policies', policy)) as Policy;
  const { credential } = device.tenant;
  await service.client.send('DELETE', `/policies/${archived.policy_id}`, { credential });
}

/** Opens incidents about a broken event chain and of high severity; people change these. */
async function changeIncidents(device: TestDevice): Promise<void> {
  const other = await registerTestDevice(service, { tenant: device.tenant });
  for (const threat_category of ['deepfake', 'phone_scam'] as const)
    await other.post(other.event({ threat_category, indicators: [`sig:${threat_category}`] }));
  await other.post(
    other.event({ previous_event_hash: 'a'.repeat(64), action_taken: 'allow', severity: 'low' }),
  );
  const { credential } = device.tenant;
  const { body } = await service.client.send('GET', `/incidents?device_id=${other.deviceId}`, { credential });
  const incidents = (body as { data: Incident[] }).data;
  for (const { id } of incidents)
    await send(device, 'PATCH', `/incidents/${id}`, { assignee: 'ann', add_tags: ['seen'], comment: 'Mine' });
  const [{ id } = { id: '' }] = incidents.filter(({ category }) => category === 'deepfake');
  const end = { status: 'resolved', resolution: 'true_positive', severity: 'critical' };
  await send(device, 'PATCH', `/incidents/${id}`, end);
}

/** Leaves the place of an event in the feed. */
async function eraseEvents(device: TestDevice): Promise<void> {
  const { deviceId } = device;
  expect((await device.post(device.event())).status).toBe(201);
  const deletion = { kind: 'deletion', subject: { device_id: deviceId }, confirm: deviceId };
  const created = (await send(device, 'POST', '/data-requests', deletion)) as DataRequest;
  const { credential } = device.tenant;
  await waitUntil(async () => {
    const { body } = await service.client.send('GET', `/data-requests/${created.request_id}`, { credential });
    return (body as DataRequest).status === 'completed';
  });
}

async function sendEvents(device: TestDevice, url: string): Promise<void> {
  const blocked = device.event({ indicators: [url], severity: 'high', description: 'A parcel fee' });
  const mild = { severity: 'medium' as const, indicators: [url], confidence: 0.3 };
  const allowed = { action_taken: 'allow', severity: 'low', corrects_event_id: blocked.event_id } as const;
  const events = [
    blocked,
    device.event(mild),
    device.event({ ...mild, threat_category: 'deepfake' }),
    device.event(allowed),
    device.event({ action_taken: 'allow', severity: 'low' }),
  ];
  for (const event of events) expect((await device.post(event)).status).toBe(201);
}

function problems(): Promise<readonly string[]> {
  return verifyStore(service.store.url).then((verification) => verification.problems);
}

/** Picks a row with a value in the column, if there is one: the last, because others may refer to the first ones. */
async function pickRow(table: string, column: string): Promise<Row> {
  const { read } = service.service.database;
  const value = sql.ref(column);
  const { rows } = await sql<Row>`
    select * from ${sql.table(table)} order by (${value} is null), tenant_id desc limit 1`.execute(
    read.db as never,
  );
  const [row] = rows;
  if (!row) throw new Error(`${table} has no rows`);
  return row;
}

/** Values that the service could have stored, so that only a comparison finds them. */
const PLAUSIBLE: Readonly<Record<string, readonly string[]>> = {
  severity: ['critical', 'medium'],
  status: ['closed', 'resolved', 'active'],
  resolution: ['duplicate', 'test'],
  category: ['malicious_app', 'remote_control'],
  kind: ['threat', 'alert'],
  threat_categories: ['["deepfake"]'],
  severity_filter: ['["low"]'],
  tags: ['["altered"]'],
  artifact_refs: ['["art_altered"]'],
  url: ['https://altered.example/'],
};

function alter(column: string, value: Row[string] | undefined): Row[string] {
  const plausible = PLAUSIBLE[column]?.find((one) => one !== value);
  if (plausible !== undefined) return plausible;
  if (column === 'tenant_id') return otherTenantId;
  if (column === 'indicators' || column === 'event_ids') return '["altered"]';
  if (column === 'result') return '{}';
  if (column === 'position') return 1000;
  // Far enough that no other event has the time.
  if (typeof value === 'number') return value + (column.endsWith('_at') ? 3_600_000 : 1);
  if (value instanceof Uint8Array) return value.map((byte, index) => (index === 0 ? byte ^ 1 : byte));
  if (value === null && (/_(?:at|until)$/.test(column) || column === 'max_uses')) return 1;
  return value === 'altered' ? 'other' : 'altered';
}

/** Sets columns of the one row with these values. */
function setRow(tx: Queries, table: string, { from, to }: { from: Row; to: Row }): Promise<unknown> {
  const same = Object.entries(from).map(
    ([column, value]) => sql`${sql.ref(column)} is not distinct from ${value}`,
  );
  const changed = Object.entries(to).filter(([column, value]) => from[column] !== value);
  const changes = changed.map(([column, value]) => sql`${sql.ref(column)} = ${value}`);
  return sql`update ${sql.table(table)} set ${sql.join(changes)} where ${sql.join(same, sql` and `)}`.execute(
    tx.db,
  );
}

async function alterColumn(table: string, column: string): Promise<() => Promise<unknown>> {
  const { database } = service.service;
  const from = table === 'schema_migrations' ? await pickMigration() : await pickRow(table, column);
  const attempts = [alter(column, from[column]), 'tnt_altered'];
  for (const value of attempts) {
    const to = { ...from, [column]: value };
    try {
      await database.transaction((tx) => setRow(tx, table, { from, to }));
      return () => database.transaction((tx) => setRow(tx, table, { from: to, to: from }));
    } catch (error) {
      // The other tenant has a row with the same key.
      if (column !== 'tenant_id' || value === attempts[1]) throw error;
    }
  }
  throw new Error('unreachable');
}

/** Reads the rows of the tenant that has most. */
async function readRows(table: string): Promise<Row[]> {
  const { rows } = await sql<Row>`select * from ${sql.table(table)} order by tenant_id desc limit 40`.execute(
    service.service.database.read.db as never,
  );
  return rows.filter((row) => row.tenant_id === rows[0]?.tenant_id && row.device_id !== '');
}

function removeRow(tx: Queries, table: string, row: Row): Promise<unknown> {
  const same = Object.entries(row).map(
    ([column, value]) => sql`${sql.ref(column)} is not distinct from ${value}`,
  );
  return sql`delete from ${sql.table(table)} where ${sql.join(same, sql` and `)}`.execute(tx.db);
}

function insertRow(tx: Queries, table: string, row: Row): Promise<unknown> {
  const columns = Object.keys(row).map((column) => sql.ref(column));
  const values = Object.values(row).map((value) => sql`${value}`);
  return sql`insert into ${sql.table(table)} (${sql.join(columns)}) values (${sql.join(values)})`.execute(
    tx.db,
  );
}

async function pickMigration(): Promise<Row> {
  const { read } = service.service.database;
  return (await read.db
    .selectFrom('schema_migrations')
    .selectAll()
    .limit(1)
    .executeTakeFirstOrThrow()) as unknown as Row;
}

test('every column of every table is either compared or listed as a gap, once', () => {
  for (const table of TABLE_NAMES) {
    const { compared, notCompared } = coverageOf(table);
    const covered = [...Object.values(compared), ...Object.values(notCompared)].flat();
    expect(covered.sort(), table).toEqual(Object.keys(TABLES[table].columns).sort());
  }
});

describe('a missing row is found', () => {
  test.each(NOTICED)('%s', async (table) => {
    const { database } = service.service;
    const rows = await readRows(table);
    expect(rows.length).toBeGreaterThan(0);
    for (const row of rows) {
      await database.transaction((tx) => removeRow(tx, table, row));
      const found = await problems().finally(() => database.transaction((tx) => insertRow(tx, table, row)));
      expect(found.length, JSON.stringify(row)).toBeGreaterThan(0);
    }
    expect(await problems()).toEqual([]);
  });
});

describe('an altered column is found', () => {
  test('in a store that is sound before', async () => {
    expect(await problems()).toEqual([]);
  });

  test.each(ALTERED)('%s.%s', async (table, column) => {
    const undo = await alterColumn(table, column);
    const found = await problems().finally(undo);
    expect(found.length).toBeGreaterThan(0);
    expect(await problems()).toEqual([]);
  });
});
