import { useFixture } from '@tps/testing/fixture';
import { type TestAnswer, type TestTenant, useTestService } from '@tps/testing/service';
import { beforeAll, describe, expect, test } from 'vitest';

const service = useTestService();
const other = useFixture(() => service.createTenant());

beforeAll(async () => {
  for (const tenant of [service.tenant, other]) {
    for (const name of ['one', 'two', 'three']) await createToken(tenant, name);
  }
});

async function createToken({ credential }: TestTenant, name: string): Promise<void> {
  const body = { name, scopes: ['events:read'] };
  await service.client.send('POST', '/tokens', { credential, body });
}

const get = (path: string, { credential }: TestTenant = service.tenant) =>
  service.client.send('GET', path, { credential });

function expectRefusal(answer: TestAnswer, status: number, code: string): void {
  expect(answer.body).toMatchObject({ error: { status, code } });
  expect(answer.status).toBe(status);
}

async function nextCursor(path: string, tenant?: TestTenant): Promise<string> {
  const { next_cursor: cursor } = (await get(path, tenant)).body as { next_cursor: string | null };
  if (cursor === null) throw new Error(`${path} has one page only`);
  return cursor;
}

describe('limit', () => {
  test.each([
    '0',
    '501',
    '-1',
    '1e2',
    'abc',
    '5.0',
    '%205',
    '5%20',
    '0x5',
    '+5',
    '',
    '5&limit=6',
    '５',
    '9'.repeat(20),
    'null',
    '5,6',
  ])('%j is rejected by name', async (limit) => {
    const answer = await get(`/events?limit=${limit}`);
    expectRefusal(answer, 400, 'invalid_parameter');
    expect(answer.text).toContain('limit');
  });

  test('may be 1, and up to the maximum of the list', async () => {
    expect((await get('/events?limit=1')).status).toBe(200);
    expect((await get('/events?limit=500')).status).toBe(200);
    expect((await get('/tokens?limit=100')).status).toBe(200);
    expectRefusal(await get('/tokens?limit=101'), 400, 'invalid_parameter');
  });

  test('defaults to 20', async () => {
    const tenant = await service.createTenant();
    for (let count = 0; count < 21; count += 1) await createToken(tenant, `token ${count}`);
    const page = (await get('/tokens', tenant)).body as { data: unknown[]; has_more: boolean };
    expect(page).toMatchObject({ has_more: true });
    expect(page.data).toHaveLength(20);
  });
});

describe('a parameter', () => {
  test.each([
    'surprise=1',
    '__proto__=1',
    'constructor=1',
    'limit%00=1',
    'LIMIT=5',
    'limit[]=5',
    'limit.x=5',
  ])('that is unknown is rejected: %s', async (query) => {
    expectRefusal(await get(`/events?${query}`), 400, 'invalid_parameter');
  });

  test.each([
    'severity=extreme',
    'severity=low&severity=low',
    'since=yesterday',
    'since=2026-01-01',
    'since=2026-02-30T00:00:00Z',
    'device_id=thr_1',
    'device_id=dev_%00',
    `device_id=dev_${'x'.repeat(65)}`,
    'tenant_id=unknown',
  ])('with an invalid value is rejected: %s', async (query) => {
    expectRefusal(await get(`/events?${query}`), 400, 'invalid_parameter');
  });
});

describe('a cursor', () => {
  test('that was damaged is rejected', async () => {
    const cursor = await nextCursor('/tokens?limit=1');
    const middle = Math.floor(cursor.length / 2);
    const flipped = `${cursor.slice(0, middle)}${cursor[middle] === 'A' ? 'B' : 'A'}${cursor.slice(middle + 1)}`;
    for (const damaged of [
      flipped,
      cursor.slice(0, -1),
      `${cursor}A`,
      `${cursor}=`,
      `${cursor}%00`,
      'x',
      '!',
    ]) {
      expectRefusal(await get(`/tokens?cursor=${damaged}`), 400, 'invalid_cursor');
    }
  });

  test('that is empty or far too long is rejected', async () => {
    expectRefusal(await get('/tokens?cursor='), 400, 'invalid_cursor');
    expectRefusal(await get(`/tokens?cursor=${'A'.repeat(513)}`), 400, 'invalid_cursor');
    expectRefusal(await get(`/events?cursor=${'A'.repeat(7_000)}`), 400, 'invalid_cursor');
  });

  test('of another list is rejected', async () => {
    const cursor = await nextCursor('/tokens?limit=1');
    for (const list of [
      '/tokens/audit',
      '/events',
      '/devices',
      '/policies',
      '/threats',
      '/alerts',
      '/incidents',
    ]) {
      expectRefusal(await get(`${list}?cursor=${cursor}`), 400, 'invalid_cursor');
    }
  });

  test('of the same list of another tenant is rejected', async () => {
    const cursor = await nextCursor('/tokens?limit=1', other);
    expectRefusal(await get(`/tokens?cursor=${cursor}`), 400, 'invalid_cursor');
  });

  test("of one token's audit is rejected for another token's", async () => {
    const { data } = (await get('/tokens?limit=3')).body as { data: { token_id: string }[] };
    const [first, second] = data;
    const { credential } = service.tenant;
    await service.client.send('DELETE', `/tokens/${first?.token_id}`, { credential });
    const cursor = await nextCursor(`/tokens/${first?.token_id}/audit?limit=1`);
    expect((await get(`/tokens/${first?.token_id}/audit?cursor=${cursor}`)).status).toBe(200);
    expectRefusal(await get(`/tokens/${second?.token_id}/audit?cursor=${cursor}`), 400, 'invalid_cursor');
  });

  test('with other filters is rejected as such; another limit is accepted', async () => {
    const cursor = await nextCursor('/tokens/audit?limit=1&action=token.create');
    const refusal = await get(`/tokens/audit?cursor=${cursor}&action=token.revoke`);
    expectRefusal(refusal, 400, 'cursor_filter_mismatch');
    expectRefusal(await get(`/tokens/audit?cursor=${cursor}`), 400, 'cursor_filter_mismatch');
    expect((await get(`/tokens/audit?limit=7&cursor=${cursor}&action=token.create`)).status).toBe(200);
  });
});
