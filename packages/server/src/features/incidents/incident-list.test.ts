import type { Counts, Event, Incident, IncidentChange } from '@tps/contract';
import { codeOf, registerTestDevice, type TestDevice } from '@tps/testing/device';
import { useTestService } from '@tps/testing/service';
import { beforeEach, describe, expect, test } from 'vitest';

let device: TestDevice;

const service = useTestService();

beforeEach(async () => {
  device = await registerTestDevice(service, { tenant: await service.createTenant() });
});

function get(path: string) {
  return service.client.send('GET', path, { credential: device.tenant.credential });
}

async function find(query: string): Promise<string[]> {
  const answer = await get(`/incidents?${query}`);
  expect(answer.status, answer.text).toBe(200);
  return (answer.body as { data: Incident[] }).data.map(({ message }) => message.slice(-1));
}

interface ListedIncident extends Partial<Event> {
  readonly change?: IncidentChange;
}

/** Opens one incident per entry, in this order. Their messages end with the digit of their device. */
async function openIncidents(...changes: readonly ListedIncident[]): Promise<void> {
  for (const [index, { change, ...members }] of changes.entries()) {
    const { tenant } = device;
    const own = await registerTestDevice(service, { tenant, deviceId: `dev_list-${index}` });
    await own.post(own.event({ indicators: [`sig:${index}`], ...members }));
    if (!change) continue;
    const { data } = (await get('/incidents?limit=1')).body as { data: Incident[] };
    const options = { credential: tenant.credential, body: change };
    expect((await service.client.send('PATCH', `/incidents/${data[0]?.id}`, options)).status).toBe(200);
  }
}

describe('GET /incidents', () => {
  const OPEN: readonly ListedIncident[] = [
    { severity: 'high' },
    { severity: 'critical', change: { tags: ['vip', 'x,"y'], assignee: 'Kim' } },
    { change: { severity: 'medium', status: 'in_progress', tags: ['a\\b'], assignee: 'Jo, Lee' } },
    { severity: 'high', change: { status: 'closed', resolution: 'test', assignee: '!none' } },
  ];

  test.each([
    ['severity=high,critical', '310'],
    ['severity=!high', '21'],
    ['severity=high,high', '30'],
    ['severity=!low,medium&status=!closed', '10'],
    ['status=in_progress,closed', '32'],
    ['category=!campaign,monitoring', '3210'],
    ['assignee=none', '0'],
    ['assignee=!none', '321'],
    ['assignee=Kim,none', '10'],
    ['assignee=!Kim,none', '32'],
    ['assignee=Jo\\, Lee', '2'],
    ['assignee=\\!none,Kim', '31'],
    ['assignee=!\\!none', '210'],
    ['tag=vip', '1'],
    ['tag=y,a\\\\b', '2'],
    ['tag=x\\,"y', '1'],
    ['tag=!vip', '320'],
    ['severity=low', ''],
  ])('filters by %s', async (query, expected) => {
    await openIncidents(...OPEN);
    expect((await find(new URLSearchParams(query.replaceAll('+', '%2B')).toString())).join('')).toBe(
      expected,
    );
    const counts = (await get(`/incidents/counts?${new URLSearchParams(query)}`)).body as Counts;
    expect(counts).toMatchObject({ total: expected.length, complete: true });
    expect(counts.buckets.reduce((sum, { count }) => sum + count, 0)).toBe(expected.length);
  });

  test.each([
    'severity=extreme',
    'severity=high,',
    'severity=!',
    'severity=!!low',
    'severity=high,!low',
    `severity=${Array.from({ length: 51 }, () => 'low').join(',')}`,
    'assignee=',
    'assignee=!',
    'assignee=a\\b',
    'tag=a,,b',
    'sort=created_at',
    'since=today',
    'interval=minute',
  ])('rejects %s and names the parameter', async (query) => {
    const answer = await get(`/incidents?${new URLSearchParams(query)}`);
    expect([answer.status, codeOf(answer)]).toEqual([400, 'invalid_parameter']);
    expect(answer.text).toContain(`"message":"${query.split('=')[0]} `);
  });

  test('lists the values that a filter can have', async () => {
    const { text } = await get('/incidents?severity=extreme');
    expect(text).toContain(
      'severity must be at most 50 values separated by commas, with ! before the first for none of them: low, medium, high, critical',
    );
  });

  test('takes incidents from since until before until', async () => {
    await openIncidents({}, {}, {});
    const { data } = (await get('/incidents')).body as { data: Incident[] };
    const [last, middle, first] = data.map(({ created_at }) => created_at);
    expect(await find(`since=${middle}`)).toEqual(['2', '1']);
    expect(await find(`until=${middle}`)).toEqual(['0']);
    expect(await find(`since=${first}&until=${last}`)).toEqual(['1', '0']);
    expect(await find('since=0000-01-01T00:00:00Z&until=9999-12-31T00:00:00Z')).toHaveLength(3);
    expect(await find('until=0001-01-01T00:00:00Z')).toEqual([]);
  });

  test('sorts by severity or by the last change, with pages that continue', async () => {
    await openIncidents(...OPEN, { severity: 'critical' });
    const { data } = (await get('/incidents')).body as { data: Incident[] };
    const oldest = `/incidents/${data.at(-1)?.id}`;
    const options = { credential: device.tenant.credential, body: { tags: ['new'] } };
    await service.client.send('PATCH', oldest, options);
    for (const [sort, expected] of [
      ['severity', '41302'],
      ['updated_at', '04321'],
    ]) {
      let found = '';
      for (let cursor: string | null = ''; cursor !== null; ) {
        const path = `/incidents?sort=${sort}&limit=2${cursor === '' ? '' : `&cursor=${cursor}`}`;
        const page = (await get(path)).body as { data: Incident[]; next_cursor: string | null };
        found += page.data.map(({ message }) => message.slice(-1)).join('');
        cursor = page.next_cursor;
      }
      expect(found, sort).toBe(expected);
    }
  });

  test('continues only with the same filters', async () => {
    await openIncidents({}, {});
    const page = (await get('/incidents?limit=1&severity=!low')).body as { next_cursor: string };
    expect((await get(`/incidents?limit=1&severity=!low&cursor=${page.next_cursor}`)).status).toBe(200);
    const other = await get(`/incidents?limit=1&severity=low&cursor=${page.next_cursor}`);
    expect(codeOf(other)).toBe('cursor_filter_mismatch');
  });
});
