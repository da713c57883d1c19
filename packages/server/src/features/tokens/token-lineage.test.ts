import type { AuditEntry, CreatedToken, Token } from '@tps/contract';
import { exchangeSession, startSession } from '@tps/testing/console';
import { createPerson, listAudit, sendHead, useTestService } from '@tps/testing/service';
import { ManualClock } from '@tps/testing/time';
import { describe, expect, test } from 'vitest';

const HOUR_MS = 3_600_000;

const clock = new ManualClock(Date.now());
const service = useTestService({ clock });
const inHours = (hours: number) => new Date(clock.now() + hours * HOUR_MS).toISOString();

type NewCredential = CreatedToken & { token: string };

function send(method: string, path: string, body?: object, credential = service.tenant.credential) {
  return service.client.send(method, path, { credential, ...(body === undefined ? {} : { body }) });
}

async function create(members: object = {}, credential?: string): Promise<NewCredential> {
  const body = { name: 't', scopes: ['tokens:write'], ...members };
  const answer = await send('POST', '/tokens', body, credential);
  expect(answer.status, answer.text).toBe(201);
  return answer.body as NewCredential;
}

async function roll(tokenId: string, credential?: string, body: object = {}): Promise<NewCredential> {
  const answer = await send('POST', `/tokens/${tokenId}/roll`, body, credential);
  expect(answer.status, answer.text).toBe(201);
  return answer.body as NewCredential;
}

describe('a token that a token with an expiry creates', () => {
  test('expires with it unless it is to expire earlier', async () => {
    const parent = await create({ expires_at: inHours(2) });
    expect(await create({}, parent.token)).toMatchObject({
      expires_at: parent.expires_at,
      created_by: parent.token_id,
    });
    for (const expires_at of [inHours(1), parent.expires_at]) {
      expect(await create({ expires_at }, parent.token)).toMatchObject({ expires_at });
    }
  });

  test('cannot expire after it, and the attempt is audited as denied', async () => {
    const parent = await create({ expires_at: inHours(2) });
    const body = { name: 't', scopes: ['tokens:write'], expires_at: inHours(3) };
    const answer = await send('POST', '/tokens', body, parent.token);
    expect(answer.status).toBe(403);
    expect(answer.body).toMatchObject({ error: { code: 'scope_escalation' } });
    expect(answer.text).toContain(String(parent.expires_at));
    const audit = await send('GET', `/tokens/${parent.token_id}/audit?action=token.denied`);
    const [entry] = (audit.body as { data: AuditEntry[] }).data;
    expect(entry).toMatchObject({
      outcome: 'denied',
      actor: { id: parent.token_id },
      fields: { expires_at: body.expires_at, latest: parent.expires_at },
    });
  });

  test('cannot expire after an expiry that a roll has set meanwhile', async () => {
    const parent = await create();
    const body = JSON.stringify({ name: 't', scopes: ['tokens:write'] });
    const request = { method: 'POST', path: '/tokens', credential: parent.token, body };
    const slow = await sendHead(service, request);
    await roll(parent.token_id, undefined, { grace_s: 3600 });
    const child = JSON.parse((await slow.finish()).text) as NewCredential;
    expect(child).toMatchObject({ expires_at: inHours(1) });
  });

  test('stays valid when the other is revoked', async () => {
    const parent = await create();
    const child = await create({}, parent.token);
    await send('DELETE', `/tokens/${parent.token_id}`);
    expect((await send('GET', `/tokens/${child.token_id}`)).body as Token).toMatchObject({
      status: 'active',
      created_by: parent.token_id,
    });
    await create({}, child.token);
  });
});

test('what a person creates does not end with the access token, and has their name', async () => {
  const nowMs = clock.now();
  const { accountId } = await createPerson(service, { role: 'admin', nowMs });
  const { body } = await exchangeSession(service, await startSession(service, { accountId, nowMs }));
  const unlimited = await create({}, body.access_token);
  expect(unlimited).toMatchObject({ expires_at: null, created_by: accountId });
  const limited = await create({ expires_at: inHours(2) }, body.access_token);
  expect(await roll(limited.token_id, body.access_token)).toMatchObject({ expires_at: limited.expires_at });
  expect(await roll(unlimited.token_id, body.access_token)).toMatchObject({ expires_at: null });
});

describe('what an admin has created', () => {
  const enterAsAdmin = async () => {
    const nowMs = clock.now();
    const { accountId } = await createPerson(service, { role: 'admin', nowMs });
    const { body } = await exchangeSession(service, await startSession(service, { accountId, nowMs }));
    return { accountId, credential: body.access_token };
  };
  const statusOf = async ({ token_id: id }: Pick<Token, 'token_id'>) =>
    (await send('GET', `/tokens/${id}`)).body;

  test.each([
    ['is removed', 'DELETE', undefined],
    ['loses the role', 'PATCH', { role: 'viewer' }],
  ])('ends when the admin %s, as do its own tokens', async (_case, method, body) => {
    const admin = await enterAsAdmin();
    const own = await create({ scopes: ['tokens:write', 'status:read'] }, admin.credential);
    const child = await create({}, own.token);
    const unrelated = await create({});
    const path = `/members/${admin.accountId}`;
    const changed = await send(method, path, body);
    expect(changed.status).toBeLessThan(300);
    expect(await statusOf(own)).toMatchObject({ status: 'revoked' });
    expect(await statusOf(child)).toMatchObject({ status: 'revoked' });
    expect(await statusOf(unrelated)).toMatchObject({ status: 'active' });
    expect((await send('GET', '/tokens', undefined, child.token)).status).toBe(401);
    expect(await listAudit(service, own.token_id)).toEqual(['token.create success', 'token.revoke success']);
  });
});

describe('a successor', () => {
  test('does not outlive the token that it replaces', async () => {
    const old = await create({ expires_at: inHours(2) });
    expect(await roll(old.token_id)).toMatchObject({ expires_at: old.expires_at });
  });

  test('does not outlive the token that rolls', async () => {
    const caller = await create({ expires_at: inHours(2) });
    const [unlimited, later, earlier] = [
      await create(),
      await create({ expires_at: inHours(3) }),
      await create({ expires_at: inHours(1) }),
    ];
    expect(await roll(unlimited.token_id, caller.token)).toMatchObject({ expires_at: caller.expires_at });
    expect(await roll(later.token_id, caller.token)).toMatchObject({ expires_at: caller.expires_at });
    expect(await roll(earlier.token_id, caller.token)).toMatchObject({ expires_at: earlier.expires_at });
  });
});
