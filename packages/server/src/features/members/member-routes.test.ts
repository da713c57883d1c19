import { type Member, ROLE_SCOPES, type Role } from '@tps/contract';
import { useFixture } from '@tps/testing/fixture';
import {
  createPerson,
  listAudit,
  type TestAnswer,
  type TestTenant,
  useTestService,
} from '@tps/testing/service';
import { describe, expect, test } from 'vitest';

const service = useTestService();
const tenant = useFixture(() => service.createTenant());

function send(method: string, path: string, body?: object, credential = tenant.credential) {
  return service.client.send(method, path, { credential, ...(body === undefined ? {} : { body }) });
}

const addMember = async (role: Role, { tenantId }: TestTenant = tenant): Promise<string> =>
  (await createPerson(service, { tenantId, role })).accountId;

function expectRefusal(answer: TestAnswer, status: number, code: string): void {
  expect(answer.body).toMatchObject({ error: { status, code } });
}

const list = async (credential = tenant.credential) =>
  ((await send('GET', '/members?limit=100', undefined, credential)).body as { data: Member[] }).data;

describe('members', () => {
  test('are listed with their role, and page by page', async () => {
    const other = await service.createTenant();
    const ids = [await addMember('admin', other), await addMember('viewer', other)];
    const members = await list(other.credential);
    expect(members.map(({ account_id: id }) => id).toSorted()).toEqual(ids.toSorted());
    expect(members.find(({ account_id: id }) => id === ids[1])).toMatchObject({
      tenant_id: other.tenantId,
      role: 'viewer',
      name: expect.stringMatching(/^Person \d+$/),
      created_by: 'test',
      last_seen_at: null,
      has_second_factor: false,
      email_verified: true,
    });
    const first = await send('GET', '/members?limit=1', undefined, other.credential);
    const { next_cursor: cursor } = first.body as { next_cursor: string };
    const rest = await send('GET', `/members?limit=1&cursor=${cursor}`, undefined, other.credential);
    expect(rest.body).toMatchObject({ has_more: false, data: [members[1]] });
  });

  test('can be given another role and removed, with audit entries', async () => {
    await addMember('admin');
    const id = await addMember('viewer');
    const changed = await send('PATCH', `/members/${id}`, { role: 'analyst' });
    expect(changed.body).toMatchObject({ account_id: id, role: 'analyst' });
    expect((await send('PATCH', `/members/${id}`, { role: 'analyst' })).status).toBe(200);
    expect((await send('DELETE', `/members/${id}`)).status).toBe(204);
    expectRefusal(await send('GET', `/members/${id}`), 404, 'not_found');
    expectRefusal(await send('DELETE', `/members/${id}`), 404, 'not_found');
    expect(await listAudit(service, id)).toEqual(['member.update success', 'member.remove success']);
  });

  test('of another tenant are not found', async () => {
    const other = await service.createTenant();
    await addMember('admin', other);
    const id = await addMember('viewer', other);
    expectRefusal(await send('GET', `/members/${id}`), 404, 'not_found');
    expectRefusal(await send('PATCH', `/members/${id}`, { role: 'admin' }), 404, 'not_found');
    expectRefusal(await send('DELETE', `/members/${id}`), 404, 'not_found');
    expect(await list(other.credential)).toHaveLength(2);
  });

  test('get no role with scopes that the caller lacks, and the attempt is recorded', async () => {
    const id = await addMember('viewer');
    const scopes = [...ROLE_SCOPES.analyst, 'members:write'] as const;
    const credential = await service.createCredential(tenant.tenantId, scopes);
    expectRefusal(
      await send('PATCH', `/members/${id}`, { role: 'admin' }, credential),
      403,
      'scope_escalation',
    );
    expect(await listAudit(service, id)).toEqual(['member.denied denied']);
    expect((await send('PATCH', `/members/${id}`, { role: 'analyst' }, credential)).status).toBe(200);
  });
});

describe('a caller that lacks scopes of a member', () => {
  const MANAGER = ['members:read', 'members:write'] as const;

  test('can neither remove the member nor change the role, and each attempt is recorded', async () => {
    await addMember('admin');
    const id = await addMember('admin');
    const credential = await service.createCredential(tenant.tenantId, MANAGER);
    for (const answer of [
      await send('DELETE', `/members/${id}`, undefined, credential),
      await send('PATCH', `/members/${id}`, { role: 'viewer' }, credential),
    ]) {
      expectRefusal(answer, 403, 'scope_escalation');
    }
    expect(await listAudit(service, id)).toEqual(['member.denied denied', 'member.denied denied']);
    expect((await send('GET', `/members/${id}`)).body).toMatchObject({ role: 'admin' });
  });

  test('changes and removes members whose scopes it holds', async () => {
    const id = await addMember('viewer');
    const scopes = [...new Set([...ROLE_SCOPES.analyst, ...MANAGER])];
    const credential = await service.createCredential(tenant.tenantId, scopes);
    expect((await send('PATCH', `/members/${id}`, { role: 'analyst' }, credential)).status).toBe(200);
    expect((await send('PATCH', `/members/${id}`, { role: 'viewer' }, credential)).status).toBe(200);
    expect((await send('DELETE', `/members/${id}`, undefined, credential)).status).toBe(204);
  });

  test('can revoke an invitation to that role, which is a secret that may have leaked', async () => {
    const made = await send('POST', '/invitations', { role: 'admin' });
    const { invitation_id: id } = made.body as { invitation_id: string };
    const credential = await service.createCredential(tenant.tenantId, MANAGER);
    expect((await send('DELETE', `/invitations/${id}`, undefined, credential)).status).toBe(204);
  });
});

describe('the last admin', () => {
  test('can be neither removed nor given another role', async () => {
    const other = await service.createTenant();
    const id = await addMember('admin', other);
    await addMember('analyst', other);
    const { credential } = other;
    for (const answer of [
      await send('DELETE', `/members/${id}`, undefined, credential),
      await send('PATCH', `/members/${id}`, { role: 'viewer' }, credential),
    ]) {
      expectRefusal(answer, 422, 'invalid_state_transition');
    }
    expect((await send('PATCH', `/members/${id}`, { role: 'admin' }, credential)).status).toBe(200);
  });

  test('is the last one who can sign in: a disabled account does not count', async () => {
    const other = await service.createTenant();
    const id = await addMember('admin', other);
    const disabled = await addMember('admin', other);
    await service.service.database.transaction((tx) =>
      tx.updateMany('accounts', ['account_id'], [{ account_id: disabled, disabled_at: 1 }]),
    );
    const { credential } = other;
    const refused = await send('DELETE', `/members/${id}`, undefined, credential);
    expectRefusal(refused, 422, 'invalid_state_transition');
    expect((await send('DELETE', `/members/${disabled}`, undefined, credential)).status).toBe(204);
  });

  test('remains when all admins are removed at once', async () => {
    const other = await service.createTenant();
    const ids = await Promise.all(Array.from({ length: 5 }, () => addMember('admin', other)));
    const answers = await Promise.all(
      ids.map((id, index) =>
        index % 2 === 0
          ? send('DELETE', `/members/${id}`, undefined, other.credential)
          : send('PATCH', `/members/${id}`, { role: 'viewer' }, other.credential),
      ),
    );
    expect(answers.filter(({ status }) => status === 422)).toHaveLength(1);
    const admins = (await list(other.credential)).filter(({ role }) => role === 'admin');
    expect(admins).toHaveLength(1);
  });
});
