import type { Counts, Event } from '@tps/contract';
import { codeOf, testEvent } from '@tps/testing/device';
import { useFixture } from '@tps/testing/fixture';
import { type TestTenant, useTestService } from '@tps/testing/service';
import { describe, expect, test } from 'vitest';
import { HOUR_MS, NOW_MS, storeEvents } from '../feed/testing/stored-events.ts';
import { MAX_SCANNED } from './feed-page.ts';

const START_MS = Math.floor(NOW_MS / HOUR_MS) * HOUR_MS - 20 * HOUR_MS;
const at = (hour: number) => new Date(START_MS + hour * HOUR_MS).toISOString();

/** Further members are allowed, at any depth. */
const DEEP: object = { note: 'sig:a', deep: { device_platform: 'ios', policy_id: 'pol_own' } };

/** One event per hour, each named by its number. */
const MEMBERS: readonly Partial<Event>[] = [
  { severity: 'low', action_taken: 'allow', metadata: { device_platform: 'android' } },
  { severity: 'high', action_taken: 'warn', indicators: ['sig:a', 'sig:b,c'] },
  { severity: 'critical', action_taken: 'block', policy_id: 'pol_own', metadata: { device_platform: 'ios' } },
  // Texts that look like the members of others.
  {
    severity: 'high',
    description: '"policy_id":"pol_own" "action_taken":"warn" sig:a',
    indicators: ['sig:ab'],
  },
  { severity: 'medium', metadata: DEEP },
  { severity: 'medium', device_id: 'dev_b', indicators: ['quote"\\'] },
];

const service = useTestService();
const tenant = useFixture(async () => {
  const made = await service.createTenant();
  const events = MEMBERS.map((members, index) => ({
    receivedAtMs: START_MS + index * HOUR_MS,
    event: testEvent({
      tenant_id: made.tenantId,
      device_id: 'dev_a',
      event_id: `evt_${index}`,
      action_taken: 'block',
      policy_id: 'pol_test',
      timestamp: at(index - 1),
      ...members,
    }),
  }));
  await storeEvents(service.service.database, made.tenantId, events);
  return made;
});

async function get<Body>(path: string, { credential }: TestTenant = tenant): Promise<Body> {
  const answer = await service.client.send('GET', path, { credential });
  expect(answer.status, answer.text).toBe(200);
  return answer.body as Body;
}

interface FeedPage {
  readonly data: Event[];
  readonly has_more: boolean;
  readonly next_cursor: string | null;
}

async function readAll(query: string): Promise<string> {
  let found = '';
  for (let cursor: string | null = ''; ; ) {
    const path = `/events?limit=2&${query}${cursor === '' ? '' : `&cursor=${cursor}`}`;
    const page: FeedPage = await get<FeedPage>(path);
    found += page.data.map(({ event_id }) => event_id.slice(4)).join('');
    if (!page.has_more || page.next_cursor === null) return found;
    cursor = page.next_cursor;
  }
}

describe('events are filtered', () => {
  test.each([
    ['', '012345'],
    ['severity=high,critical', '123'],
    ['severity=!high,critical', '045'],
    ['action_taken=warn', '1'],
    ['action_taken=!block', '01'],
    ['device_id=dev_b,dev_c', '5'],
    ['device_id=!dev_b', '01234'],
    ['device_platform=ios', '2'],
    ['device_platform=!ios,android', '1345'],
    ['policy_id=pol_own', '2'],
    ['policy_id=!pol_own', '01345'],
    ['indicator=sig:a', '1'],
    ['indicator=sig:b\\,c,sig:ab', '13'],
    ['indicator=!sig:a', '02345'],
    ['indicator=quote"\\\\', '5'],
    [`received_since=${at(1)}&received_until=${at(4)}`, '123'],
    [`since=${at(1)}&until=${at(3)}`, '23'],
    [`received_until=${at(-1)}`, ''],
    [`received_since=${at(2)}&severity=!medium&action_taken=block`, '23'],
  ])('by %s, oldest and newest first, and counted', async (filter, expected) => {
    const query = new URLSearchParams(filter).toString();
    expect(await readAll(query)).toBe(expected);
    expect(await readAll(`order=oldest&${query}`)).toBe(expected);
    expect(await readAll(`order=newest&${query}`)).toBe([...expected].reverse().join(''));
    const counts = await get<Counts>(`/events/counts?interval=hour&${query}`);
    expect(counts).toMatchObject({ total: expected.length, complete: true, interval: 'hour' });
    expect(counts.buckets).toEqual([...expected].map((hour) => ({ start: at(Number(hour)), count: 1 })));
  });

  test.each(['indicator=a,b,c,d,e,f', 'action_taken=report', 'order=severity', 'device_platform=!'])(
    'not by %s',
    async (query) => {
      const { credential } = tenant;
      const answer = await service.client.send('GET', `/events?${query}`, { credential });
      expect([answer.status, codeOf(answer)]).toEqual([400, 'invalid_parameter']);
    },
  );
});

test('newest first, pages of a long feed end at its beginning, each with a bounded scan', async () => {
  const long = await service.createTenant();
  const make = (severity: Event['severity']) =>
    testEvent({ tenant_id: long.tenantId, device_id: 'dev_a', severity });
  const events = Array.from({ length: MAX_SCANNED + 5 }, (_, index) => make(index === 1 ? 'low' : 'high'));
  await storeEvents(
    service.service.database,
    long.tenantId,
    events.map((event) => ({ event, receivedAtMs: NOW_MS })),
  );
  const query = '/events?order=newest&severity=low';
  const first = await get<FeedPage>(query, long);
  expect([first.data, first.has_more]).toEqual([[], true]);
  const second = await get<FeedPage>(`${query}&cursor=${first.next_cursor}`, long);
  expect(second).toEqual({ data: [events[1]], has_more: false, next_cursor: null });
  const counts = await get<Counts>('/events/counts?severity=high', long);
  expect(counts).toMatchObject({ total: MAX_SCANNED + 4, complete: true });
});
