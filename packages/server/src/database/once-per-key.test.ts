import type { CreatedToken } from '@tps/contract';
import { type TestTenant, useTestService } from '@tps/testing/service';
import { ManualClock } from '@tps/testing/time';
import { describe, expect, test } from 'vitest';

const clock = new ManualClock(Date.now());
const service = useTestService({ clock });

const wanted = { name: 'reader', scopes: ['status:read'] };

function create(key: string | undefined, options: { body?: object | string; credential?: string } = {}) {
  return service.client.send('POST', '/tokens', {
    credential: options.credential ?? service.tenant.credential,
    body: options.body ?? wanted,
    headers: key === undefined ? {} : { 'idempotency-key': key },
  });
}

async function countTokens({ credential }: TestTenant = service.tenant): Promise<number> {
  const { body } = await service.client.send('GET', '/tokens?limit=100', { credential });
  return (body as { data: unknown[] }).data.length;
}

describe('an Idempotency-Key that repeats', () => {
  test('gets the first response without the raw token, and creates nothing', async () => {
    const first = await create('repeat');
    const before = await countTokens();
    const second = await create('repeat');
    expect([first.status, second.status]).toEqual([201, 201]);
    const { token, ...metadata } = first.body as CreatedToken;
    expect(token).toBeDefined();
    expect(second.body).toEqual(metadata);
    expect(second.headers.get('location')).toBe(first.headers.get('location'));
    expect(await countTokens()).toBe(before);
  });

  test('is rejected with another body, even if only its bytes differ', async () => {
    await create('conflict');
    for (const body of [{ ...wanted, name: 'other' }, JSON.stringify(wanted, null, 1)]) {
      const answer = await create('conflict', { body });
      expect(answer.status).toBe(409);
      expect(answer.body).toMatchObject({ error: { code: 'idempotency_conflict' } });
    }
  });

  test('creates one token for concurrent requests, and shows it once', async () => {
    const before = await countTokens();
    const answers = await Promise.all(Array.from({ length: 6 }, () => create('at-once')));
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201, 201, 201]);
    expect(new Set(answers.map(({ body }) => (body as CreatedToken).token_id)).size).toBe(1);
    expect(answers.filter(({ body }) => (body as CreatedToken).token !== undefined)).toHaveLength(1);
    expect(await countTokens()).toBe(before + 1);
  });

  test('is a different key for another caller and another tenant', async () => {
    const other = await service.createTenant();
    const colleague = await service.createCredential(service.tenant.tenantId, [
      'tokens:write',
      'status:read',
    ]);
    const ids = new Set<string>();
    for (const credential of [service.tenant.credential, colleague, other.credential]) {
      const { body } = await create('shared', { credential });
      ids.add((body as CreatedToken).token_id);
      expect((body as CreatedToken).token).toBeDefined();
    }
    expect(ids.size).toBe(3);
  });

  test('is a new key after 24 hours and not before', async () => {
    const { body: first } = await create('daily');
    clock.advance(24 * 3_600_000 - 1);
    const { body: same } = await create('daily');
    expect((same as CreatedToken).token_id).toBe((first as CreatedToken).token_id);
    clock.advance(1);
    const { body: next } = await create('daily');
    expect((next as CreatedToken).token_id).not.toBe((first as CreatedToken).token_id);
  });
});

describe('a rejected request', () => {
  test('leaves its key free', async () => {
    const refused = await create('refused', { body: { ...wanted, expires_at: '2020-01-01T00:00:00Z' } });
    expect(refused.status).toBe(400);
    expect((await create('refused')).status).toBe(201);
  });
});

test.each(['a b', 'x'.repeat(256), ''])('the key %j is rejected', async (key) => {
  const answer = await create(key);
  expect(answer.status).toBe(400);
  expect(answer.body).toMatchObject({ error: { code: 'invalid_parameter' } });
});

test('without a key, each request creates a token', async () => {
  const [one, two] = [await create(undefined), await create(undefined)];
  expect((one.body as CreatedToken).token_id).not.toBe((two.body as CreatedToken).token_id);
});
