import { type AuditEntry, type Policy, THREAT_CATEGORIES } from '@tps/contract';
import { useFixture } from '@tps/testing/fixture';
import { type TestAnswer, useTestService } from '@tps/testing/service';
import { describe, expect, test } from 'vitest';
import { auditStore } from '../audit/index.ts';

const service = useTestService();
const tenant = useFixture(() => service.createTenant());

const wanted = { name: 'Block phishing', threat_categories: ['phishing'], action: 'block' };

function send(
  method: string,
  path: string,
  body?: object,
  credential = tenant.credential,
): Promise<TestAnswer> {
  return service.client.send(method, path, { credential, ...(body === undefined ? {} : { body }) });
}

async function create(members: object = {}): Promise<Policy> {
  const answer = await send('POST', '/policies', { ...wanted, ...members });
  expect(answer.status, answer.text).toBe(201);
  return answer.body as Policy;
}

const read = async (id: string) => (await send('GET', `/policies/${id}`)).body as Policy;
const change = (id: string, members: object) => send('PATCH', `/policies/${id}`, members);

function expectRefusal(answer: TestAnswer, status: number, code: string): void {
  expect(answer.body).toMatchObject({ error: { status, code } });
  expect(answer.status).toBe(status);
}

async function auditOf(policyId: string): Promise<AuditEntry[]> {
  const { database } = service.service;
  const filter = { actionPrefix: 'policy.', resourceId: policyId };
  return auditStore.list(database.read, tenant.tenantId, filter, { after: undefined, limit: 50 });
}

describe('a policy', () => {
  test('is created at version 1, enabled by default, and readable at its Location', async () => {
    const answer = await send('POST', '/policies', wanted);
    const made = answer.body as Policy;
    expect(made).toMatchObject({
      ...wanted,
      tenant_id: tenant.tenantId,
      enabled: true,
      version: 1,
      archived_at: null,
    });
    expect(made).not.toHaveProperty('confidence_threshold');
    expect(made.policy_id).toMatch(/^pol_[0-9a-z]{26}$/);
    expect(answer.headers.get('location')).toBe(`/policies/${made.policy_id}`);
    expect(await read(made.policy_id)).toEqual(made);
  });

  test('keeps all given members', async () => {
    const given = {
      policy_id: 'pol_given-by_Client',
      name: 'Ärger — 詐欺 🎣',
      threat_categories: [...THREAT_CATEGORIES],
      action: 'warn',
      confidence_threshold: 0.123456789,
      enabled: false,
    };
    expect(await create(given)).toMatchObject(given);
    expect(await read('pol_given-by_Client')).toMatchObject(given);
  });

  test('keeps its id permanently: it cannot be created twice, even once archived', async () => {
    await create({ policy_id: 'pol_taken' });
    expectRefusal(
      await send('POST', '/policies', { ...wanted, policy_id: 'pol_taken' }),
      409,
      'policy_id_conflict',
    );
    await send('DELETE', '/policies/pol_taken');
    expectRefusal(
      await send('POST', '/policies', { ...wanted, policy_id: 'pol_taken' }),
      409,
      'policy_id_conflict',
    );
    expect((await read('pol_taken')).version).toBe(2);
  });

  test('may have the same id in several tenants', async () => {
    const other = await service.createTenant();
    await create({ policy_id: 'pol_both', name: 'ours' });
    const theirs = { ...wanted, policy_id: 'pol_both', name: 'theirs' };
    expect((await send('POST', '/policies', theirs, other.credential)).status).toBe(201);
    await send('DELETE', '/policies/pol_both', undefined, other.credential);
    expect(await read('pol_both')).toMatchObject({ name: 'ours', version: 1, archived_at: null });
  });

  test('is created once by two concurrent requests', async () => {
    const body = { ...wanted, policy_id: 'pol_race' };
    const answers = await Promise.all(Array.from({ length: 5 }, () => send('POST', '/policies', body)));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409]);
  });

  test.each([
    ['no categories', { threat_categories: [] }],
    ['a category twice', { threat_categories: ['phishing', 'phishing'] }],
    ['an unknown category', { threat_categories: ['spam'] }],
    ['an unknown action', { action: 'delete' }],
    ['a threshold above 1', { confidence_threshold: 1.01 }],
    ['a threshold below 0', { confidence_threshold: -0.01 }],
    ['a name that is too long', { name: 'x'.repeat(201) }],
    ['an id of another noun', { policy_id: 'dev_1' }],
    ['a given version', { version: 5 }],
  ])('is rejected with %s', async (_what, members) => {
    expectRefusal(await send('POST', '/policies', { ...wanted, ...members }), 400, 'invalid_field');
  });
});

describe('a change', () => {
  test('changes what it names, keeps the rest, and increments the version', async () => {
    const made = await create({ confidence_threshold: 0.5 });
    const answer = await change(made.policy_id, { action: 'allow' });
    const { updated_at: updatedAt, ...changed } = answer.body as Policy;
    const { updated_at: _before, ...before } = made;
    expect(changed).toEqual({ ...before, action: 'allow', version: 2 });
    expect(updatedAt >= made.updated_at).toBe(true);
    expect(await read(made.policy_id)).toEqual(answer.body);
  });

  test('removes the threshold with null', async () => {
    const { policy_id: id } = await create({ confidence_threshold: 0 });
    expect((await read(id)).confidence_threshold).toBe(0);
    expect((await change(id, { confidence_threshold: null })).body).not.toHaveProperty(
      'confidence_threshold',
    );
  });

  test('counts each of many concurrent changes', async () => {
    const { policy_id: id } = await create();
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, at) => change(id, { name: `name ${at}` })),
    );
    const versions = answers.map(({ body }) => (body as Policy).version).sort();
    expect(versions).toEqual([2, 3, 4, 5, 6, 7, 8, 9]);
    expect((await read(id)).version).toBe(9);
    expect(await auditOf(id)).toHaveLength(9);
  });

  test('must change something, and only known members', async () => {
    const { policy_id: id } = await create();
    expectRefusal(await change(id, {}), 400, 'invalid_field');
    expectRefusal(await change(id, { tenant_id: tenant.tenantId }), 400, 'invalid_field');
    expectRefusal(await change(id, { version: 7 }), 400, 'invalid_field');
    expectRefusal(await change('pol_unknown', { enabled: false }), 404, 'not_found');
    expect((await read(id)).version).toBe(1);
  });
});

describe('DELETE', () => {
  test('archives: disabled, removed from the list, readable by id, closed to changes', async () => {
    const { policy_id: id } = await create();
    expect((await send('DELETE', `/policies/${id}`)).status).toBe(204);
    const archived = await read(id);
    expect(archived).toMatchObject({ enabled: false, version: 2 });
    expect(archived.archived_at).toBe(archived.updated_at);
    const { data } = (await send('GET', '/policies?limit=100')).body as { data: Policy[] };
    expect(data.map(({ policy_id }) => policy_id)).not.toContain(id);
    expectRefusal(await change(id, { enabled: true }), 404, 'not_found');
  });

  test('responds to repeats in the same way and counts once', async () => {
    const { policy_id: id } = await create();
    const path = `/policies/${id}`;
    const answers = await Promise.all([send('DELETE', path), send('DELETE', path), send('DELETE', path)]);
    expect(answers.map(({ status }) => status)).toEqual([204, 204, 204]);
    expect((await read(id)).version).toBe(2);
    expect((await auditOf(id)).map(({ action }) => action).sort()).toEqual([
      'policy.archive',
      'policy.create',
    ]);
  });
});

test('each change is in the audit trail, with its author and request', async () => {
  const answer = await send('POST', '/policies', wanted);
  const { policy_id: id } = answer.body as Policy;
  await change(id, { confidence_threshold: 0.7 });
  const entries = await auditOf(id);
  expect(entries.map(({ action }) => action).sort()).toEqual(['policy.create', 'policy.update']);
  const creation = entries.find(({ action }) => action === 'policy.create');
  expect(creation).toMatchObject({
    tenant_id: tenant.tenantId,
    actor: { type: 'token' },
    resource: { type: 'policy', id },
    outcome: 'success',
    request_id: answer.headers.get('x-request-id'),
  });
  const update = entries.find(({ action }) => action === 'policy.update');
  expect(update?.fields).toMatchObject({ version: 2, confidence_threshold: 0.7 });
});
