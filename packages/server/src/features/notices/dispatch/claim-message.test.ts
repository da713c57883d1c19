import type { Severity } from '@tps/contract';
import { useTestDatabase } from '@tps/testing/store';
import { ManualClock } from '@tps/testing/time';
import { beforeEach, expect, test } from 'vitest';
import type { TenantId } from '../../../platform/tenant-id.ts';
import { LoginThrottle, NoticeMailLimit } from '../../accounts/index.ts';
import * as channelStore from '../channels/channel-store.ts';
import type { NoticeChannelRecord } from '../channels/notice-channel.ts';
import { enqueueNotices, type NewCause } from '../enqueue-notices.ts';
import { type NoticeRecord, newNotice } from '../notice.ts';
import * as noticeStore from '../notice-store.ts';
import { claimMessage } from './claim-message.ts';
import * as claimStore from './claim-store.ts';

const store = useTestDatabase();
const NOW_MS = Date.parse('2026-03-02T09:00:00Z');
const LEASE_MS = 60_000;
const ALL_FREE = { channelIds: [], tenantIds: [], mail: false };

let tenants = 0;
let tenantId = '' as TenantId;
let made = 0;
beforeEach(async () => {
  // Each test looks at all tenants.
  await store.database.transaction(async ({ db }) => {
    await db.deleteFrom('notices').execute();
    await db.deleteFrom('notice_channels').execute();
  });
  tenants += 1;
  tenantId = `tnt_${tenants}` as TenantId;
});

async function addChannel(channelId: string, members: Partial<NoticeChannelRecord> = {}): Promise<void> {
  const channel: NoticeChannelRecord = {
    ...{ channelId, name: 'c', kind: 'webhook', address: null, urlOrigin: null, target: null },
    ...{ topics: ['incidents'], minSeverity: 'low', quietHours: null, maxPerHour: 100, status: 'active' },
    ...{ version: 1, createdAtMs: NOW_MS, updatedAtMs: NOW_MS },
    ...members,
  };
  await store.database.transaction((tx) => channelStore.save(tx, tenantId, channel));
}

/** Stores a notice, later than the ones before. Returns its id. */
async function addNotice(channelId: string, members: Partial<NoticeRecord> = {}): Promise<string> {
  made += 1;
  const noticeId = `ntc_${String(made).padStart(4, '0')}`;
  const notice: NoticeRecord = {
    ...newNotice({
      ...{ noticeId, channelId, cause: 'incident_opened', causeKey: noticeId, severity: 'high' },
      ...{ resourceId: 'inc_1', message: 'm', happenedAtMs: NOW_MS, nowMs: NOW_MS },
    }),
    ...members,
  };
  await store.database.transaction((tx) => noticeStore.createMany(tx, tenantId, [notice]));
  return noticeId;
}

const claim = (channelId: string, nowMs = NOW_MS) => {
  const { database } = store;
  const clock = new ManualClock(nowMs);
  const mailLimit = new NoticeMailLimit(new LoginThrottle({ database, clock, key: Buffer.alloc(32) }));
  return database.transaction((tx) =>
    claimMessage(tx, { tenantId, channelId }, { nowMs, withMail: true, mailLimit }),
  );
};
const settle = (noticeId: string, attempts = 1) =>
  store.database.transaction((tx) =>
    claimStore.settle(tx, tenantId, {
      ...{ noticeId, attempts, state: 'sent', dueAtMs: null, lastError: null, sentAtMs: NOW_MS },
    }),
  );
const listDue = async (nowMs: number, without: claimStore.Unavailable = ALL_FREE, limit = 10) =>
  (await claimStore.listDueChannels(store.database.read, { nowMs, limit, without })).map(
    ({ channelId }) => channelId,
  );

test('notices are sent in order: tests, then the most severe, then the oldest', async () => {
  await addChannel('nch_1');
  const severities: Severity[] = ['low', 'high', 'critical', 'medium', 'high', 'critical'];
  const ids: string[] = [];
  for (const severity of severities) ids.push(await addNotice('nch_1', { severity }));
  ids.push(await addNotice('nch_1', { cause: 'test', severity: 'low', resourceId: null }));
  const order: number[] = [];
  for (const _ of ids) {
    const { notice } = (await claim('nch_1')) ?? {};
    order.push(ids.indexOf(notice?.noticeId ?? ''));
    await settle(notice?.noticeId ?? '');
  }
  expect(order).toEqual([6, 2, 5, 1, 4, 3, 0]);
});

test('a channel gets one message at a time, also from several processes', async () => {
  await addChannel('nch_1');
  const first = await addNotice('nch_1');
  const second = await addNotice('nch_1');
  const claims = await Promise.all([claim('nch_1'), claim('nch_1'), claim('nch_1')]);
  expect(claims.map((each) => each?.notice.noticeId).filter(Boolean)).toEqual([first]);
  expect(await listDue(NOW_MS)).toEqual([]);
  await settle(first);
  expect(await listDue(NOW_MS)).toEqual(['nch_1']);
  expect((await claim('nch_1'))?.notice.noticeId).toBe(second);
});

test('a message whose process was killed is sent again before all others', async () => {
  await addChannel('nch_1');
  const killed = await addNotice('nch_1', { severity: 'low' });
  await claim('nch_1');
  await addNotice('nch_1', { severity: 'critical' });
  expect(await claim('nch_1', NOW_MS + LEASE_MS - 1)).toBeUndefined();
  const again = await claim('nch_1', NOW_MS + LEASE_MS);
  expect(again?.notice).toMatchObject({ noticeId: killed, attempts: 2 });
  // The first process has not been killed after all: its outcome is not recorded.
  await settle(killed, 1);
  expect(await claim('nch_1', NOW_MS + LEASE_MS)).toBeUndefined();
});

test('the end of something waits until the messages before it have been repeated', async () => {
  await addChannel('nch_1');
  const retryAtMs = NOW_MS + 600_000;
  const opened = await addNotice('nch_1', { attempts: 1, startedAtMs: NOW_MS - 1000, dueAtMs: retryAtMs });
  const resolved = await addNotice('nch_1', { cause: 'incident_resolved', severity: 'critical' });
  const other = await addNotice('nch_1', { resourceId: 'inc_2', severity: 'low' });
  expect((await claim('nch_1'))?.notice.noticeId).toBe(other);
  await settle(other);
  expect(await listDue(retryAtMs - 1)).toEqual([]);
  expect((await claim('nch_1', retryAtMs))?.notice.noticeId).toBe(opened);
  await settle(opened, 2);
  expect((await claim('nch_1', retryAtMs))?.notice.noticeId).toBe(resolved);
});

test.each([
  ['while it is sent', true],
  ['before it is sent', false],
])('a message replaced %s by a later notice is not retried if it fails', async (_when, isUnderWay) => {
  await addChannel('nch_1');
  const resolved = await addNotice('nch_1', { cause: 'incident_resolved' });
  if (isUnderWay) await claim('nch_1');
  const reopened: NewCause = {
    ...{ cause: 'incident_opened', key: 'opened inc_1 2', isLaterNews: true, severity: 'high' },
    ...{ resourceId: 'inc_1', message: 'm (opened again)', happenedAtMs: NOW_MS },
  };
  const nowMs = NOW_MS + 1;
  await store.database.transaction((tx) => enqueueNotices(tx, tenantId, { causes: [reopened], nowMs }));
  if (!isUnderWay) expect((await claim('nch_1', nowMs))?.notice.noticeId).toBe(resolved);
  await store.database.transaction((tx) =>
    claimStore.settle(tx, tenantId, {
      ...{ noticeId: resolved, attempts: 1, state: 'waiting', dueAtMs: nowMs + 5_000 },
      ...{ lastError: 'The receiver responded with 503', sentAtMs: null },
    }),
  );
  const opened = await claim('nch_1', nowMs);
  expect(opened?.notice).toMatchObject({ cause: 'incident_opened', severity: 'high' });
  await settle(opened?.notice.noticeId ?? '');
  expect(await claim('nch_1', nowMs + 5_000)).toBeUndefined();
});

test('one digest has 500 notices at most', async () => {
  await addChannel('nch_1', { maxPerHour: 5 });
  for (let count = 0; count < 503; count += 1) await addNotice('nch_1');
  const digest = await claim('nch_1');
  expect(digest?.notice).toMatchObject({ cause: 'digest', message: expect.stringMatching(/^500 notices/) });
  await settle(digest?.notice.noticeId ?? '');
  expect((await claim('nch_1'))?.notice.cause).toBe('incident_opened');
});

test('a tenant with many channels delays no other, and mails can be left out', async () => {
  for (const channelId of ['nch_1', 'nch_2', 'nch_3']) {
    await addChannel(channelId, channelId === 'nch_3' ? { kind: 'email', address: 'kim@example.com' } : {});
    await addNotice(channelId);
  }
  const busy = tenantId;
  tenantId = 'tnt_other' as TenantId;
  await addChannel('nch_4');
  await addNotice('nch_4', { dueAtMs: NOW_MS + 10 });
  const nowMs = NOW_MS + 10;
  expect(new Set(await listDue(nowMs, ALL_FREE, 2))).toContain('nch_4');
  expect(await listDue(nowMs, { ...ALL_FREE, tenantIds: [busy] })).toEqual(['nch_4']);
  expect(await listDue(nowMs, { ...ALL_FREE, mail: true })).not.toContain('nch_3');
  expect(await listDue(nowMs, { ...ALL_FREE, channelIds: ['nch_4'] })).toHaveLength(3);
  expect(await listDue(NOW_MS - 1)).toEqual([]);
});

/** Creates a channel, sends a notice and removes the channel. Returns false, and keeps it, if the notice has to wait. */
async function sendTo(channelId: string, address: string, nowMs = NOW_MS): Promise<boolean> {
  await addChannel(channelId, { kind: 'email', maxPerHour: 100, address });
  await addNotice(channelId);
  const message = await claim(channelId, nowMs);
  if (!message) return false;
  await settle(message.notice.noticeId);
  await store.database.transaction(async (tx) => {
    await noticeStore.removeOfChannel(tx, tenantId, channelId);
    await channelStore.remove(tx, tenantId, channelId);
  });
  return true;
}

test('a tenant mails to 40 mailboxes a day, with any number of channels', async () => {
  const outcomes = [];
  for (let time = 0; time < 41; time += 1)
    outcomes.push(await sendTo(`nch_n${time}`, `person${time}@example.com`));
  expect(outcomes.indexOf(false)).toBe(40);
  // One that is counted already gets more.
  expect(await sendTo('nch_again', 'PERSON1+a@example.com')).toBe(true);
  expect(await claim('nch_n40', NOW_MS + 86_400_000)).toBeDefined();
  tenantId = 'tnt_beside' as TenantId;
  expect(await sendTo('nch_beside', 'person41@example.com')).toBe(true);
});

test('a tenant mails 100 messages an hour to one mailbox, with any number of channels', async () => {
  const spellings = ['kim@example.com', 'KIM+a@example.com', 'k.im@example.com'];
  const outcomes = [];
  for (let time = 0; time < 101; time += 1) {
    outcomes.push(await sendTo(`nch_m${time}`, spellings[time % 3] ?? ''));
  }
  expect(outcomes.indexOf(false)).toBe(100);
  expect(await listDue(NOW_MS)).toEqual([]);
  expect(await sendTo('nch_lee', 'lee@example.com')).toBe(true);
  expect(await claim('nch_m100', NOW_MS + 3_600_000)).toBeDefined();
  // The notices of another tenant count separately: no tenant can silence them.
  tenantId = 'tnt_elsewhere' as TenantId;
  expect(await sendTo('nch_else', 'kim@example.com')).toBe(true);
});
