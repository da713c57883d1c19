import { type TestAnswer, useTestService } from '@tps/testing/service';
import { describe, expect, test } from 'vitest';
import { onlyIfChanged } from './only-if-changed.ts';

describe('onlyIfChanged', () => {
  const reply = { status: 200, json: '{"data":[]}', etag: '"a,b"' };
  const statusFor = (ifNoneMatch: string | undefined, etag = reply.etag) =>
    onlyIfChanged({ ...reply, etag }, ifNoneMatch).status;

  test.each(['"a,b"', 'W/"a,b"', '*', ' * ', '"other", "a,b"', 'W/"other" ,W/"a,b"', '"","a,b",'])(
    'matches its tag in %j',
    (given) => {
      expect(statusFor(given)).toBe(304);
    },
  );

  test.each([undefined, '', '"a"', 'a,b', '"A,B"', '"other", "another"', '"*"', '*, "other"', 'w/', '"a,b'])(
    'does not match %j',
    (given) => {
      expect(onlyIfChanged(reply, given)).toEqual(reply);
    },
  );

  test('compares weakly, whichever side is weak', () => {
    expect(statusFor('"v1"', 'W/"v1"')).toBe(304);
    expect(statusFor('W/"v1"', '"v1"')).toBe(304);
  });

  test('a 304 has the tag and no body', () => {
    expect(onlyIfChanged(reply, '*')).toEqual({ status: 304, etag: reply.etag });
  });

  test('a reply that is not a success is unchanged', () => {
    expect(onlyIfChanged({ status: 204 }, '*')).toEqual({ status: 204 });
  });

  test('reads a header with many or nearly valid tags in linear time', () => {
    const before = process.cpuUsage();
    expect(statusFor('"'.repeat(100_000))).toBe(200);
    expect(statusFor(`${'"x",'.repeat(25_000)}"a,b"`)).toBe(304);
    expect(process.cpuUsage(before).user / 1000).toBeLessThan(1000);
  });
});

describe('GET /policies', () => {
  const service = useTestService();

  const list = (credential: string, { path = '/policies', tag }: { path?: string; tag?: string } = {}) =>
    service.client.send('GET', path, {
      credential,
      ...(tag === undefined ? {} : { headers: { 'if-none-match': tag } }),
    });
  const tagOf = ({ headers }: TestAnswer) => headers.get('etag') ?? '';

  test('responds with 304 while nothing has changed, and with the new list afterwards', async () => {
    const { credential } = await service.createTenant();
    const body = { name: 'Block phishing', threat_categories: ['phishing'], action: 'block' };
    const made = await service.client.send('POST', '/policies', { credential, body });
    const first = await list(credential);
    expect(tagOf(first)).toMatch(/^"[\w-]{32}"$/);

    const again = await list(credential, { tag: tagOf(first) });
    expect({ status: again.status, text: again.text, tag: tagOf(again) }).toEqual({
      status: 304,
      text: '',
      tag: tagOf(first),
    });
    expect(again.headers.has('content-type')).toBe(false);

    const { policy_id: id } = made.body as { policy_id: string };
    await service.client.send('PATCH', `/policies/${id}`, { credential, body: { action: 'warn' } });
    const changed = await list(credential, { tag: tagOf(first) });
    expect(changed.status).toBe(200);
    expect(changed.body).toMatchObject({ data: [{ policy_id: id, action: 'warn' }] });
    expect(tagOf(changed)).not.toBe(tagOf(first));
  });

  test('each page has its own tag, the same on every request', async () => {
    const { credential } = await service.createTenant();
    for (const name of ['one', 'two', 'three']) {
      const body = { name, threat_categories: ['phishing'], action: 'block' };
      await service.client.send('POST', '/policies', { credential, body });
    }
    const first = await list(credential, { path: '/policies?limit=1' });
    const { next_cursor: cursor } = first.body as { next_cursor: string };
    const second = await list(credential, { path: `/policies?limit=1&cursor=${cursor}` });
    expect(tagOf(second)).not.toBe(tagOf(first));
    const again = await list(credential, { path: '/policies?limit=1', tag: tagOf(first) });
    expect(again.status).toBe(304);
  });

  test('a tag grants nothing: without a credential the request is rejected', async () => {
    const { credential } = await service.createTenant();
    const tag = tagOf(await list(credential));
    const headers = { 'if-none-match': tag };
    const answer = await service.client.send('GET', '/policies', { headers });
    expect(answer.status).toBe(401);
  });
});
