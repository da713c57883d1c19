import type { Incident, Notice, NoticeChannel } from '@tps/contract';
import { ID_PREFIXES } from '@tps/contract/vocabulary';
import { registerTestDevice } from '@tps/testing/device';
import { useReceivers } from '@tps/testing/receiver';
import { useTestService, WEBHOOK_ENV } from '@tps/testing/service';
import { waitUntil } from '@tps/testing/time';
import { expect, test } from 'vitest';
import { createId } from '../../platform/identifiers.ts';
import type { TenantId } from '../../platform/tenant-id.ts';
import { incidentStore, upsertMonitoringIncident } from '../incidents/index.ts';
import * as claimStore from '../notices/dispatch/claim-store.ts';
import { newDigest, newNotice } from '../notices/notice.ts';
import * as noticeStore from '../notices/notice-store.ts';
import { stepThrough, storeDeletion } from './testing/step-through.ts';

const service = useTestService({ env: WEBHOOK_ENV });
const newReceiver = useReceivers();
const KEY = 'silent_devices';

/** An incident about two devices of one tenant, as the service opens it, with a comment and a tag about the first. */
async function openShared() {
  const tenant = await service.createTenant();
  const [one, two] = [
    await registerTestDevice(service, { tenant }),
    await registerTestDevice(service, { tenant }),
  ];
  const { tenantId, credential } = tenant;
  const { database } = service.service;
  await database.transaction((tx) =>
    upsertMonitoringIncident(tx, tenantId, {
      correlationKey: KEY,
      message: `2 devices have not reported: ${one.deviceId} (since noon), ${two.deviceId} (since noon)`,
      members: [one, two].map(({ deviceId }) => ({ kind: 'device', memberId: deviceId })),
      nowMs: Date.now(),
    }),
  );
  const find = async () => {
    const keys = { correlationKeys: [KEY], fromMs: 0 };
    const [incident] = await incidentStore.findAbout(database.read, tenantId, keys);
    if (!incident) return undefined;
    const answer = await service.client.send('GET', `/incidents/${incident.incidentId}`, { credential });
    return answer.body as Incident;
  };
  const remove = async (deviceId: string) => {
    const subject = { type: 'device_id', value: deviceId } as const;
    return stepThrough(database, await storeDeletion(database, tenantId, subject));
  };
  return { tenant, one, two, find, remove };
}

test('an incident that mentions a deleted device stays for the others, without its name', async () => {
  const { tenant, one, two, find, remove } = await openShared();
  const opened = await find();
  const change = {
    comment: `Called about ${one.deviceId}`,
    tags: [one.deviceId, 'field'],
    assignee: `owner of ${one.deviceId}`,
  };
  const path = `/incidents/${opened?.id}`;
  const changed = await service.client.send('PATCH', path, { credential: tenant.credential, body: change });
  expect(changed.status, changed.text).toBe(200);
  const before = await find();

  const done = await remove(one.deviceId);
  expect(done.counts).toMatchObject({ incident: 1, incident_member: 1 });
  const incident = await find();
  const message = `2 devices have not reported: [erased] (since noon), ${two.deviceId} (since noon)`;
  expect(incident).toMatchObject({
    message,
    device_ids: [two.deviceId],
    tags: ['[erased]', 'field'],
    assignee: 'owner of [erased]',
    version: (before?.version ?? 0) + 1,
  });
  expect(incident?.timeline.map((entry) => entry.message)).toContain(message);
  expect(JSON.stringify(incident)).not.toContain(one.deviceId);

  await remove(two.deviceId);
  expect(await find()).toBeUndefined();
});

/** Stores notices that wait in a digest for an hour: one about each incident. */
async function storeDigest(tenantId: TenantId, { channelId, incidentIds }: DigestPlace): Promise<void> {
  const nowMs = Date.now();
  const [first, ...others] = incidentIds.map((resourceId, at) => ({
    ...newNotice({
      noticeId: createId(ID_PREFIXES.notice, nowMs),
      channelId,
      cause: 'incident_opened',
      causeKey: `opened ${resourceId}`,
      severity: 'high',
      resourceId,
      message: `Incident ${at + 1}`,
      happenedAtMs: nowMs,
      nowMs,
    }),
    dueAtMs: nowMs + 3_600_000,
  }));
  if (!first) throw new Error('there are no incidents');
  const notices = [first, ...others] as const;
  const noticeId = createId(ID_PREFIXES.notice, nowMs);
  const digest = { ...newDigest(notices, { noticeId, nowMs }), dueAtMs: nowMs + 3_600_000 };
  await service.service.database.transaction(async (tx) => {
    await noticeStore.createMany(tx, tenantId, notices);
    await claimStore.saveDigest(tx, tenantId, { digest, noticeIds: notices.map((each) => each.noticeId) });
  });
}

interface DigestPlace {
  readonly channelId: string;
  readonly incidentIds: readonly string[];
}

test('the other notices of an unsent digest are sent when one of them is deleted', async () => {
  const { tenant, one, two, remove } = await openShared();
  const { tenantId, credential } = tenant;
  for (const device of [one, two])
    expect((await device.post(device.event({ severity: 'high' }))).status).toBe(201);
  const incidentOf = async (deviceId: string) => {
    const path = `/incidents?category=!monitoring&device_id=${deviceId}`;
    const list = await service.client.send('GET', path, { credential });
    return (list.body as { data: Incident[] }).data[0]?.id ?? '';
  };
  const receiver = await newReceiver();
  const body = { name: 'Notices', kind: 'slack', url: receiver.url, min_severity: 'critical' };
  const created = await service.client.send('POST', '/notice-channels', { credential, body });
  const { channel_id: channelId } = created.body as NoticeChannel;
  const incidentIds = [await incidentOf(one.deviceId), await incidentOf(two.deviceId)];
  await storeDigest(tenantId, { channelId, incidentIds });

  const done = await remove(one.deviceId);
  expect(done.counts).toMatchObject({ notice: 2 });
  await waitUntil(async () => {
    const { body } = await service.client.send('GET', '/notices', { credential });
    const { data } = body as { data: Notice[] };
    return data.every(({ state }) => state === 'sent');
  });
  const { body: left } = await service.client.send('GET', '/notices', { credential });
  const kept = { message: 'Incident 2', resource_id: incidentIds[1], state: 'sent', digest_id: null };
  expect((left as { data: Notice[] }).data).toMatchObject([kept]);
  expect(receiver.requests.map(({ body }) => body)).toEqual([expect.stringContaining('Incident 2')]);
});
