import type { AuditEntry, CreatedToken } from '@tps/contract';
import { useFixture } from '@tps/testing/fixture';
import { useTestService } from '@tps/testing/service';
import { ManualClock } from '@tps/testing/time';
import { beforeAll, expect, test } from 'vitest';

/** Entries of one millisecond have no defined order: each request gets its own. */
const clock = new ManualClock(Date.now());
const made: CreatedToken[] = [];

const service = useTestService({ clock });
const tenant = useFixture(() => service.createTenant());

beforeAll(async () => {
  for (const name of ['one', 'two', 'three']) {
    const answer = await send('POST', '/tokens', { name, scopes: ['tokens:read'] });
    made.push(answer.body as CreatedToken);
  }
  await send('POST', `/tokens/${made[0]?.token_id}/roll`, { grace_s: 60 });
  await send('DELETE', `/tokens/${made[1]?.token_id}`);
});

function send(method: string, path: string, body?: object) {
  clock.advance(1);
  return service.client.send(method, path, {
    credential: tenant.credential,
    ...(body === undefined ? {} : { body }),
  });
}

async function list(query: string): Promise<AuditEntry[]> {
  return ((await send('GET', `/tokens/audit?${query}`)).body as { data: AuditEntry[] }).data;
}

test('the audit of all tokens shows who did what, newest first, as text and fields', async () => {
  const entries = await list('');
  expect(entries.map(({ action }) => action)).toEqual([
    'token.revoke',
    'token.roll',
    ...['token.create', 'token.create', 'token.create'],
    // The tenant's own credential was made on the command line.
    'token.create',
  ]);
  expect(entries[0]).toMatchObject({
    tenant_id: tenant.tenantId,
    actor: { type: 'token', id: made[0]?.created_by },
    resource: { type: 'token', id: made[1]?.token_id },
    token_id: made[1]?.token_id,
    outcome: 'success',
    detail: expect.stringContaining('two'),
    fields: { name: 'two' },
  });
  expect(entries.at(-1)).toMatchObject({
    actor: { type: 'command_line', id: 'command_line' },
    request_id: null,
  });
});

test('an entry contains the id of the request that caused it', async () => {
  const answer = await send('POST', '/tokens', { name: 'traced', scopes: ['tokens:read'] });
  const { token_id: tokenId } = answer.body as CreatedToken;
  const [entry] = await list(`token_id=${tokenId}`);
  expect(entry?.request_id).toBe(answer.headers.get('x-request-id'));
});

test('the filters by action and by token narrow the list, alone and together', async () => {
  const [first, second] = made.map(({ token_id }) => token_id);
  expect((await list('action=token.revoke')).map(({ token_id }) => token_id)).toEqual([second]);
  expect((await list(`token_id=${first}`)).map(({ action }) => action)).toEqual([
    'token.roll',
    'token.create',
  ]);
  expect((await list(`token_id=${first}&action=token.roll`)).map(({ token_id }) => token_id)).toEqual([
    first,
  ]);
  expect(await list(`token_id=${first}&action=token.revoke`)).toEqual([]);
  expect(await list('token_id=tok_nobody')).toEqual([]);
  const unknown = await send('GET', '/tokens/audit?action=policy.create');
  expect(unknown.body).toMatchObject({ error: { code: 'invalid_parameter' } });
});

test('the audit of one token contains the same entries', async () => {
  const id = made[1]?.token_id ?? '';
  const { data } = (await send('GET', `/tokens/${id}/audit`)).body as { data: AuditEntry[] };
  expect(data).toEqual(await list(`token_id=${id}`));
});

test('changes of other nouns are not part of the token audit', async () => {
  await send('POST', '/policies', { name: 'p', threat_categories: ['phishing'], action: 'warn' });
  for (const entry of await list('limit=100')) expect(entry.action).toMatch(/^token\./);
});

test('walking the pages returns each entry once', async () => {
  const walked: string[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const query: string = cursor === '' ? 'limit=2' : `limit=2&cursor=${cursor}`;
    const page = (await send('GET', `/tokens/audit?${query}`)).body as {
      data: AuditEntry[];
      next_cursor: string | null;
    };
    walked.push(...page.data.map(({ audit_id }) => audit_id));
    cursor = page.next_cursor;
  }
  expect(walked).toEqual((await list('limit=100')).map(({ audit_id }) => audit_id));
});
