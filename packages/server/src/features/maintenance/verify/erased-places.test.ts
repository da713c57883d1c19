import type { DataRequest } from '@tps/contract';
import { registerTestDevice, type TestDevice } from '@tps/testing/device';
import { useTestService } from '@tps/testing/service';
import { ManualClock, waitUntil } from '@tps/testing/time';
import { expect, test } from 'vitest';
import { COMMAND_LINE } from '../../audit/index.ts';
import { purgeExpiredData } from '../retention/purge-expired-data.ts';
import { RecordedErasures } from './verify-erased.ts';
import { verifyStore } from './verify-store.ts';

const DAY_MS = 86_400_000;
const clock = new ManualClock(Date.now());
const service = useTestService({ clock });

const verify = () => verifyStore(service.store.url, { clock });
const problems = async () => (await verify()).problems;

async function send(device: TestDevice, count: number): Promise<void> {
  for (let sent = 0; sent < count; sent += 1) {
    const event = device.event({ timestamp: new Date(clock.now()).toISOString() });
    expect((await device.post(event)).status).toBe(201);
  }
}

/** A tenant with two erased events at the beginning of its feed, and as many kept ones as wanted. */
async function eraseBeginning(kept: number) {
  const tenant = await service.createTenant();
  const subject = await registerTestDevice(service, { tenant });
  const other = await registerTestDevice(service, { tenant });
  await send(subject, 2);
  await send(other, kept);
  const { credential, tenantId } = tenant;
  const { deviceId } = subject;
  const body = { kind: 'deletion', subject: { device_id: deviceId }, confirm: deviceId };
  const created = await service.client.send('POST', '/data-requests', { credential, body });
  const { request_id: requestId } = created.body as DataRequest;
  await waitUntil(async () => {
    const answer = await service.client.send('GET', `/data-requests/${requestId}`, { credential });
    return (answer.body as DataRequest).status === 'completed';
  });
  expect(await problems()).toEqual([]);
  return { tenantId, requestId };
}

/** Changes the place of an erased event, and returns what undoes it. */
async function alterPlace(tenantId: string, position: number, hash: 'event_hash' | 'chain_hash') {
  const set = (value: Uint8Array) =>
    service.service.database.transaction(({ db }) =>
      db
        .updateTable('erased_events')
        .set({ [hash]: value })
        .where('tenant_id', '=', tenantId)
        .where('position', '=', position)
        .execute(),
    );
  const row = await service.service.database.read.db
    .selectFrom('erased_events')
    .select(hash)
    .where('tenant_id', '=', tenantId)
    .where('position', '=', position)
    .executeTakeFirstOrThrow();
  await set(new Uint8Array(32));
  return () => set(row[hash]);
}

test.each([
  [1, 'event_hash', 2],
  [2, 'chain_hash', 2],
  [2, 'event_hash', 0],
] as const)('erased event %i with another %s before %i events is found', async (position, hash, kept) => {
  const { tenantId } = await eraseBeginning(kept);
  const undo = await alterPlace(tenantId, position, hash);
  const problem = `feed of ${tenantId}: the chain hash of erased event`;
  expect(await problems()).toEqual([expect.stringContaining(problem)]);
  await undo();
  expect(await problems()).toEqual([]);
});

test('events of the last day that are missing after an erased one are found', async () => {
  const { tenantId } = await eraseBeginning(2);
  const { database } = service.service;
  const place = database.read.db.selectFrom('erased_events').selectAll().where('tenant_id', '=', tenantId);
  const row = await place.where('position', '=', 2).executeTakeFirstOrThrow();
  await database.transaction(({ db }) =>
    db.deleteFrom('erased_events').where('tenant_id', '=', tenantId).where('position', '=', 2).execute(),
  );
  const problem = `feed of ${tenantId}: events are missing after erased event 1`;
  expect(await problems()).toEqual([expect.stringContaining(problem)]);
  await database.transaction((tx) => tx.insertMany('erased_events', [row]));
});

test('an event that was removed and disguised as erased is found', async () => {
  const { tenantId, requestId } = await eraseBeginning(3);
  const { database } = service.service;
  const event = await database.read.db
    .selectFrom('events')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('position', '=', 4)
    .executeTakeFirstOrThrow();
  const { position, received_at, event_hash, chain_hash } = event;
  const place = { position, received_at, event_hash, chain_hash };
  await database.transaction(async (tx) => {
    const { db } = tx;
    await tx.insertMany('erased_events', [
      { tenant_id: tenantId, ...place, event_key: 'key', request_id: requestId },
    ]);
    await db.deleteFrom('events').where('tenant_id', '=', tenantId).where('position', '=', 4).execute();
  });
  const problem = `audit log of ${tenantId}: event 4 is stored as erased, but no data request erased it`;
  expect(await problems()).toContainEqual(expect.stringContaining(problem));
  await database.transaction(async (tx) => {
    await tx.insertMany('events', [event]);
    await tx.db.deleteFrom('erased_events').where('event_key', '=', 'key').execute();
  });
});

test.each<[string, number, object]>([
  ['proof', 2, { checked: 2, skipped: {}, problems: [] }],
  ['other', 2, { problems: [expect.stringContaining('event 1 is stored'), expect.anything()] }],
  ['other', 3, { checked: 0, skipped: { 'of a request without positions, in part past the retention': 2 } }],
])('a deletion with the %s of %i events but no positions is compared', async (proof, events, expected) => {
  const { tenantId, requestId } = await eraseBeginning(1);
  const { read } = service.service.database;
  const stored = read.db.selectFrom('data_requests').select('proof').where('request_id', '=', requestId);
  const request = await stored.executeTakeFirstOrThrow();
  const recorded = new RecordedErasures();
  const fields = { records: { event: events }, proof: proof === 'proof' ? request.proof : proof };
  recorded.add({
    action: 'data_request.complete',
    resource_id: requestId,
    fields: JSON.stringify(fields),
    occurred_at: 0,
  });
  const findings = { checked: 1, skipped: {}, problems: [] };
  const audit = { findings, end: undefined, isComplete: true };
  expect(await recorded.verify(read, tenantId, audit)).toMatchObject(expected);
});

// The last one: devices do not sign at that time.
test('places whose audit entry is past its retention are counted as not compared', async () => {
  await eraseBeginning(1);
  const before = (await verify()).checks['erased events'];
  expect(before).toMatchObject({ skipped: {} });
  clock.advance(40 * DAY_MS);
  const config = { eventDays: 90, derivedDays: 90, jobDays: 90, auditDays: 30 };
  const { database } = service.service;
  await purgeExpiredData({ database, clock, config, actor: COMMAND_LINE, dryRun: false });
  const after = await verify();
  expect(after.problems).toEqual([]);
  expect(after.checks['erased events']).toMatchObject({
    checked: 0,
    skipped: { 'from before the audit log': before?.checked },
  });
});
