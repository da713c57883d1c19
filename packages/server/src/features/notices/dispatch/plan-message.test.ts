import type { Severity } from '@tps/contract';
import { expect, test } from 'vitest';
import { type NoticeRecord, newNotice } from '../notice.ts';
import { HOUR_MS, type MessagePlan, planMessage } from './plan-message.ts';

// 03:00 on a Monday in Berlin.
const NIGHT_MS = Date.parse('2026-03-02T02:00:00Z');
const MORNING_MS = Date.parse('2026-03-02T06:00:00Z');
const NOON_MS = Date.parse('2026-03-02T11:00:00Z');
const CHANNEL = {
  quietHours: {
    timeZone: 'Europe/Berlin',
    days: ['sun', 'mon'],
    from: 22 * 60,
    until: 7 * 60,
    breakThrough: 'critical',
  },
  maxPerHour: 3,
} as const;

let made = 0;
function notice(members: Partial<NoticeRecord> & { severity?: Severity } = {}): NoticeRecord {
  made += 1;
  const noticeId = `ntc_${made}`;
  const about = { severity: 'high', resourceId: null, message: 'm', happenedAtMs: NIGHT_MS } as const;
  const key = { channelId: 'nch_1', cause: 'incident_opened', causeKey: noticeId } as const;
  return { ...newNotice({ noticeId, ...key, ...about, nowMs: NIGHT_MS }), ...members };
}

const plan = (
  due: readonly NoticeRecord[],
  nowMs: number,
  startedAtMs: readonly number[] = [],
  retryAtMs?: number,
): MessagePlan => planMessage(CHANNEL, { due, nowMs, startedAtMs, retryAtMs });

test('a notice outside quiet hours is sent by itself', () => {
  const one = notice();
  expect(plan([one], NOON_MS)).toMatchObject({ next: { kind: 'single', notice: one }, postponed: [] });
});

test('quiet hours delay all notices but those that break through them', () => {
  const [high, critical] = [notice(), notice({ severity: 'critical' })];
  expect(plan([high, critical], NIGHT_MS)).toEqual({
    next: { kind: 'single', notice: critical },
    postponed: [high],
    untilMs: MORNING_MS,
  });
});

test('after quiet hours, several notices are one digest, a single one is itself', () => {
  const waited = () => notice({ dueAtMs: MORNING_MS });
  const two = [waited(), waited()];
  expect(plan(two, MORNING_MS).next).toEqual({ kind: 'digest', notices: two });
  expect(plan([waited()], MORNING_MS).next).toMatchObject({ kind: 'single' });
});

test('more notices than the limit allows are one digest at once', () => {
  const four = [notice(), notice(), notice(), notice()];
  expect(plan(four.slice(1), NOON_MS).next).toMatchObject({ kind: 'single' });
  expect(plan(four, NOON_MS).next).toEqual({ kind: 'digest', notices: four });
});

test('when the limit is reached, notices wait until it allows a message', () => {
  const started = [NOON_MS - 50 * 60_000, NOON_MS - 1000, NOON_MS - 10];
  const one = notice();
  expect(plan([one], NOON_MS, started)).toEqual({
    next: { kind: 'none' },
    postponed: [one],
    untilMs: NOON_MS - 50 * 60_000 + HOUR_MS,
  });
  // The limit was higher before.
  expect(plan([one], NOON_MS, [NOON_MS - 55 * 60_000, ...started]).untilMs).toBe(NOON_MS + 10 * 60_000);
});

test('a critical notice does not exceed the limit either', () => {
  const started = [NOON_MS - 3, NOON_MS - 2, NOON_MS - 1];
  expect(plan([notice({ severity: 'critical' })], NOON_MS, started).next).toEqual({ kind: 'none' });
});

test('an attempt without an outcome and a test are sent at once, at night and above the limit', () => {
  const started = [NIGHT_MS - 3, NIGHT_MS - 2, NIGHT_MS - 1];
  for (const urgent of [notice({ attempts: 1, state: 'sending' }), notice({ cause: 'test' })]) {
    const { next, postponed } = plan([notice(), urgent], NIGHT_MS, started);
    expect(next).toEqual({ kind: 'single', notice: urgent });
    expect(postponed).toEqual([]);
  }
});

test('a retry waits for the end of quiet hours, unless it breaks through them', () => {
  const retry = notice({ attempts: 1, startedAtMs: NIGHT_MS - 5000 });
  expect(plan([retry], NIGHT_MS)).toEqual({
    next: { kind: 'none' },
    postponed: [retry],
    untilMs: MORNING_MS,
  });
  const critical = { ...retry, severity: 'critical' } as const;
  expect(plan([critical], NIGHT_MS).next).toEqual({ kind: 'single', notice: critical });
});

test('a retry keeps its place in the limit for an hour, and is not part of a digest', () => {
  const started = [NOON_MS - 3, NOON_MS - 2, NOON_MS - 1];
  const retry = (startedAtMs: number) => notice({ attempts: 2, startedAtMs });
  const recent = retry(NOON_MS - 3);
  expect(plan([notice(), recent], NOON_MS, started).next).toEqual({ kind: 'single', notice: recent });
  expect(plan([retry(NOON_MS - HOUR_MS)], NOON_MS, started).next).toEqual({ kind: 'none' });
  expect(plan([recent], NOON_MS, [NOON_MS - 4, ...started]).next).toEqual({ kind: 'none' });
});

test('the end of something waits for the retry of what may be its beginning', () => {
  const resolved = notice({ cause: 'incident_resolved' });
  const retryAtMs = NOON_MS + 600_000;
  const waits = { next: { kind: 'none' }, postponed: [resolved], untilMs: retryAtMs };
  expect(plan([resolved], NOON_MS, [], retryAtMs)).toEqual(waits);
  const opened = notice();
  expect(plan([resolved, opened], NOON_MS, [], retryAtMs)).toEqual({
    ...waits,
    next: { kind: 'single', notice: opened },
  });
  // Its own retry waits for no other one.
  const retry = { ...resolved, attempts: 1, startedAtMs: NOON_MS - 5000 };
  expect(plan([retry], NOON_MS, [], retryAtMs).next).toEqual({ kind: 'single', notice: retry });
});
