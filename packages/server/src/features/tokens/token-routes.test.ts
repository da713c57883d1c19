import { type AuditEntry, type CreatedToken, SCOPES, type Token } from '@tps/contract';
import { useFixture } from '@tps/testing/fixture';
import { type TestAnswer, useTestService } from '@tps/testing/service';
import { describe, expect, test } from 'vitest';

const service = useTestService();
const tenant = useFixture(() => service.createTenant());

function send(method: string, path: string, body?: object, credential = tenant.credential) {
  return service.client.send(method, path, { credential, ...(body === undefined ? {} : { body }) });
}

async function create(
  members: object = {},
  credential = tenant.credential,
): Promise<CreatedToken & { token: string }> {
  const answer = await send(
    'POST',
    '/tokens',
    { name: 'reader', scopes: ['status:read'], ...members },
    credential,
  );
  expect(answer.status, answer.text).toBe(201);
  return answer.body as CreatedToken & { token: string };
}

async function auditOf(tokenId: string, query = ''): Promise<AuditEntry[]> {
  const answer = await send('GET', `/tokens/${tokenId}/audit${query}`);
  return (answer.body as { data: AuditEntry[] }).data;
}

function expectRefusal(answer: TestAnswer, status: number, code: string): void {
  expect(answer.body).toMatchObject({ error: { status, code } });
  expect(answer.status).toBe(status);
}

const opens = async (credential: string) => (await send('GET', '/status', undefined, credential)).status;
const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1000).toISOString();

/** Repeats until the condition holds, or the time is up. */
async function until(isSo: () => Promise<boolean>, withinMs = 60_000): Promise<void> {
  const giveUpAt = Date.now() + withinMs;
  while (!(await isSo())) if (Date.now() > giveUpAt) throw new Error('the condition did not hold in time');
}

describe('POST /tokens', () => {
  test('creates a credential that works at once, and shows it once', async () => {
    const expires = inSeconds(3600);
    const answer = await send('POST', '/tokens', {
      name: 'SIEM',
      scopes: ['status:read'],
      expires_at: expires,
    });
    const made = answer.body as CreatedToken & { token: string };
    expect(answer.headers.get('location')).toBe(`/tokens/${made.token_id}`);
    expect(made.token).toMatch(/^svc_live_[0-9A-Za-z]{39}$/);
    expect(made).toMatchObject({
      tenant_id: tenant.tenantId,
      name: 'SIEM',
      scopes: ['status:read'],
      environment: 'live',
      hint: `svc_live_…${made.token.slice(-4)}`,
      expires_at: expires,
      last_used_at: null,
      revoked_at: null,
      status: 'active',
    });
    expect(await opens(made.token)).toBe(200);
    const { token: _raw, ...metadata } = made;
    const read = (await send('GET', `/tokens/${made.token_id}`)).body as Token;
    expect({ ...read, last_used_at: null }).toEqual(metadata);
  });

  test('gives credentials of a test tenant another prefix', async () => {
    const trial = await service.createTenant('test');
    const made = await create({}, trial.credential);
    expect(made.token).toMatch(/^svc_test_/);
    expect(made.environment).toBe('test');
  });

  test('never creates two equal ones', async () => {
    const made = await Promise.all(Array.from({ length: 20 }, () => create()));
    expect(new Set(made.map(({ token }) => token)).size).toBe(20);
    expect(new Set(made.map(({ token_id }) => token_id)).size).toBe(20);
  });

  test.each([
    ['no scope', { scopes: [] }, 'invalid_field'],
    ['an unknown scope', { scopes: ['everything'] }, 'invalid_field'],
    ['a scope twice', { scopes: ['status:read', 'status:read'] }, 'invalid_field'],
    ['an empty name', { name: '' }, 'invalid_field'],
    ['no name', { name: undefined }, 'missing_field'],
    ['an end in the past', { expires_at: '2020-01-01T00:00:00Z' }, 'invalid_field'],
    ['an end that is not a time', { expires_at: 'tomorrow' }, 'invalid_field'],
    ['an end that UTC cannot express', { expires_at: '9999-12-31T23:59:59-01:00' }, 'invalid_field'],
    ['a given token', { token: 'x' }, 'invalid_field'],
  ])('refuses %s', async (_what, members, code) => {
    const body = { name: 'reader', scopes: ['status:read'], ...members };
    expectRefusal(await send('POST', '/tokens', body), 400, code);
  });
});

describe('a scope that the caller does not hold', () => {
  test('cannot be granted, and the attempt is audited as denied', async () => {
    const caller = await create({ scopes: ['tokens:write', 'jobs:write'] });
    for (const scopes of [['events:read'], ['tokens:write', 'tokens:read'], ['jobs:review'], SCOPES]) {
      expectRefusal(
        await send('POST', '/tokens', { name: 'more', scopes }, caller.token),
        403,
        'scope_escalation',
      );
    }
    const denied = await auditOf(caller.token_id, '?action=token.denied');
    expect(denied).toHaveLength(4);
    const review = denied.find(({ fields }) => String(fields.missing) === 'jobs:review');
    expect(review).toMatchObject({
      action: 'token.denied',
      outcome: 'denied',
      actor: { type: 'token', id: caller.token_id },
      resource: { type: 'token', id: caller.token_id },
      token_id: caller.token_id,
      fields: { scopes: ['jobs:review'], missing: ['jobs:review'] },
    });
    expect(review?.detail).toContain('jobs:review');
  });

  test('cannot be obtained by rolling a token that holds it', async () => {
    const strong = await create({ scopes: ['tokens:write', 'events:read'] });
    const weak = await create({ scopes: ['tokens:write'] });
    const answer = await send('POST', `/tokens/${strong.token_id}/roll`, {}, weak.token);
    expectRefusal(answer, 403, 'scope_escalation');
    expect((await auditOf(strong.token_id, '?action=token.denied'))[0]).toMatchObject({
      action: 'token.denied',
      actor: { id: weak.token_id },
      resource: { id: strong.token_id },
    });
    expect(await opens(strong.token)).toBe(403);
  });
});

describe('DELETE /tokens/{id}', () => {
  test('takes effect as soon as it has responded, also for concurrent requests', async () => {
    for (let round = 0; round < 10; round += 1) {
      const made = await create();
      expect(await opens(made.token)).toBe(200);
      expect((await send('DELETE', `/tokens/${made.token_id}`)).status).toBe(204);
      const after = await Promise.all(Array.from({ length: 8 }, () => opens(made.token)));
      expect(new Set(after)).toEqual(new Set([401]));
    }
  });

  test('responds to repeats in the same way, and is audited once', async () => {
    const made = await create();
    const path = `/tokens/${made.token_id}`;
    const answers = await Promise.all([send('DELETE', path), send('DELETE', path), send('DELETE', path)]);
    expect(answers.map(({ status }) => status)).toEqual([204, 204, 204]);
    const revocations = await auditOf(made.token_id, '?action=token.revoke');
    expect(revocations).toHaveLength(1);
    expect(await auditOf(made.token_id)).toHaveLength(2);
    const read = (await send('GET', path)).body as Token;
    expect(read).toMatchObject({ status: 'revoked', revoked_at: revocations[0]?.occurred_at });
  });

  test('lets a token revoke itself', async () => {
    const made = await create({ scopes: ['tokens:write'] });
    expect((await send('DELETE', `/tokens/${made.token_id}`, undefined, made.token)).status).toBe(204);
    expectRefusal(await send('GET', '/status', undefined, made.token), 401, 'invalid_credentials');
  });
});

test('a token ends at its expiry', async () => {
  const made = await create({ expires_at: inSeconds(1) });
  expect(await opens(made.token)).toBe(200);
  await until(async () => (await opens(made.token)) === 401);
  expect((await send('GET', `/tokens/${made.token_id}`)).body).toMatchObject({
    status: 'expired',
    revoked_at: null,
  });
});

describe('POST /tokens/{id}/roll', () => {
  const rollOf = (tokenId: string, body?: object) => send('POST', `/tokens/${tokenId}/roll`, body);

  test('returns a successor with the same scopes; the old token ends at once', async () => {
    const expires = inSeconds(3600);
    const old = await create({ expires_at: expires });
    const answer = await rollOf(old.token_id);
    expect(answer.status, answer.text).toBe(201);
    const next = answer.body as CreatedToken & { token: string };
    expect(next).toMatchObject({ name: old.name, scopes: old.scopes, expires_at: expires, status: 'active' });
    expect(next.token_id).not.toBe(old.token_id);
    expect(await opens(next.token)).toBe(200);
    expect(await opens(old.token)).toBe(401);
    expect((await auditOf(old.token_id, '?action=token.roll'))[0]).toMatchObject({
      action: 'token.roll',
      fields: { successor: next.token_id, grace_s: 0 },
    });
  });

  test('keeps the old token for the grace period, and no longer', async () => {
    const old = await create();
    const next = (await rollOf(old.token_id, { grace_s: 1 })).body as CreatedToken & { token: string };
    expect(await opens(old.token)).toBe(200);
    await until(async () => (await opens(old.token)) === 401);
    expect(await opens(next.token)).toBe(200);
  });

  test('never extends the expiry of the old token', async () => {
    const expires = inSeconds(60);
    const old = await create({ expires_at: expires });
    await rollOf(old.token_id, { grace_s: 604_800 });
    expect((await send('GET', `/tokens/${old.token_id}`)).body).toMatchObject({ expires_at: expires });
  });

  test.each([-1, 604_801, 1.5, '60', null])('rejects a grace period of %j', async (graceS) => {
    const old = await create();
    expectRefusal(await rollOf(old.token_id, { grace_s: graceS }), 400, 'invalid_field');
    expect(await opens(old.token)).toBe(200);
  });

  test('rejects a revoked or expired token', async () => {
    const revoked = await create();
    await send('DELETE', `/tokens/${revoked.token_id}`);
    expectRefusal(await rollOf(revoked.token_id), 422, 'invalid_state_transition');
    const rolled = await create();
    await rollOf(rolled.token_id);
    expectRefusal(await rollOf(rolled.token_id), 422, 'invalid_state_transition');
  });

  test('creates one successor for concurrent requests', async () => {
    const old = await create();
    const answers = await Promise.all(Array.from({ length: 6 }, () => rollOf(old.token_id)));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 422, 422, 422, 422, 422]);
  });

  test('during a revocation creates nothing, or happens before it', async () => {
    for (let round = 0; round < 8; round += 1) {
      const old = await create();
      const [rolled] = await Promise.all([rollOf(old.token_id), send('DELETE', `/tokens/${old.token_id}`)]);
      expect(await opens(old.token)).toBe(401);
      const [roll] = await auditOf(old.token_id, '?action=token.roll');
      const [revocation] = await auditOf(old.token_id, '?action=token.revoke');
      // Rejected when the revocation came first; otherwise the token was still valid.
      expect(roll !== undefined).toBe(rolled.status === 201);
      expect(String(revocation?.occurred_at) >= String(roll?.occurred_at ?? '')).toBe(true);
    }
  });
});

describe('the list of tokens', () => {
  test('shows metadata, newest first', async () => {
    const { tenantId, credential } = await service.createTenant();
    for (const name of ['one', 'two', 'three']) await create({ name }, credential);
    const { data } = (await send('GET', '/tokens', undefined, credential)).body as { data: Token[] };
    expect(
      data
        .map(({ name }) => name)
        .slice(0, 3)
        .sort(),
    ).toEqual(['one', 'three', 'two']);
    expect(data.map(({ tenant_id: of }) => of)).toEqual(data.map(() => tenantId));
    const times = data.map(({ created_at: at }) => at);
    expect(times).toEqual([...times].sort().reverse());
  });
});
