import { OWN_VIEW_LIMIT, ROLE_SCOPES, type Role, type SavedView } from '@tps/contract';
import { authorize, FormBrowser, signIn } from '@tps/testing/browser';
import { TestApplication } from '@tps/testing/oauth';
import { createPerson, listAudit, type TestAnswer, useTestService } from '@tps/testing/service';
import { beforeAll, describe, expect, test } from 'vitest';

const service = useTestService();
let application: TestApplication;

beforeAll(async () => {
  application = await TestApplication.register(service, { scopes: ROLE_SCOPES.analyst });
});

function send(credential: string, method: string, path: string, body?: object): Promise<TestAnswer> {
  return service.client.send(method, path, { credential, ...(body === undefined ? {} : { body }) });
}

/** A member of the first tenant, and an access token for what the role permits. */
async function join(role: Role) {
  const person = await createPerson(service, { role });
  const browser = new FormBrowser(service.baseUrl);
  await signIn(browser, person);
  const scope = ROLE_SCOPES[role].filter((each) => ROLE_SCOPES.analyst.includes(each)).join(' ');
  const { body } = await application.exchange(
    await authorize(browser, application.authorizationUrl({ scope })),
  );
  return { ...person, credential: String(body.access_token) };
}

const wanted = { name: 'Mine', page: 'incidents', query: 'severity=high,critical&status=open' };

async function save(credential: string, members: object = {}): Promise<SavedView> {
  const answer = await send(credential, 'POST', '/views', { ...wanted, ...members });
  expect(answer.status, answer.text).toBe(201);
  return answer.body as SavedView;
}

const list = async (credential: string, query = 'limit=100') =>
  ((await send(credential, 'GET', `/views?${query}`)).body as { data: SavedView[] }).data;

function expectRefusal(answer: TestAnswer, status: number, code: string): void {
  expect(answer.body).toMatchObject({ error: { status, code } });
}

describe("a person's own view", () => {
  test('is saved by a viewer and follows the person to another token', async () => {
    const viewer = await join('viewer');
    const view = await save(viewer.credential);
    expect(view).toMatchObject({
      ...wanted,
      shared: false,
      own: true,
      owner: { type: 'account', id: viewer.accountId },
    });
    const { status, headers } = await send(viewer.credential, 'POST', '/views', wanted);
    expect([status, headers.get('location')]).toEqual([201, expect.stringMatching(/^\/views\/vew_/)]);
    expect(await list(viewer.credential, 'page=incidents')).toHaveLength(2);
    expect(await list(viewer.credential, 'page=events')).toEqual([]);
    expect(await listAudit(service, view.view_id)).toEqual([]);
  });

  test('is not found by anyone else, not even an admin or a token', async () => {
    const owner = await join('viewer');
    const { view_id: id } = await save(owner.credential);
    for (const { credential } of [await join('admin'), service.tenant]) {
      expect((await list(credential)).map(({ view_id: each }) => each)).not.toContain(id);
      expectRefusal(await send(credential, 'GET', `/views/${id}`), 404, 'not_found');
      expectRefusal(await send(credential, 'PATCH', `/views/${id}`, { name: 'x' }), 404, 'not_found');
      expectRefusal(await send(credential, 'DELETE', `/views/${id}`), 404, 'not_found');
    }
    expect((await send(owner.credential, 'PATCH', `/views/${id}`, { name: 'y' })).status).toBe(200);
    expect((await send(owner.credential, 'DELETE', `/views/${id}`)).status).toBe(204);
    expectRefusal(await send(owner.credential, 'DELETE', `/views/${id}`), 404, 'not_found');
  });

  test('is removed with the member, whose shared views stay', async () => {
    await join('admin');
    const member = await join('analyst');
    const own = await save(member.credential);
    const shared = await save(member.credential, { shared: true });
    const { credential } = service.tenant;
    expect((await send(credential, 'DELETE', `/members/${member.accountId}`)).status).toBe(204);
    const rows = await service.service.database.read.db
      .selectFrom('saved_views')
      .select('view_id')
      .where('owner_id', '=', member.accountId)
      .execute();
    expect(rows).toEqual([{ view_id: shared.view_id }]);
    expect(own.view_id).not.toBe(shared.view_id);
  });
});

describe('a shared view', () => {
  test('is seen by all, and changed only with views:share', async () => {
    const analyst = await join('analyst');
    const viewer = await join('viewer');
    const { view_id: id } = await save(analyst.credential, { shared: true });
    expect((await send(viewer.credential, 'GET', `/views/${id}`)).body).toMatchObject({
      own: false,
      shared: true,
    });
    const path = `/views/${id}`;
    for (const refused of [
      await send(viewer.credential, 'PATCH', path, { name: 'x' }),
      await send(viewer.credential, 'DELETE', path),
      await send(viewer.credential, 'POST', '/views', { ...wanted, shared: true }),
      await send(viewer.credential, 'PATCH', `/views/${(await save(viewer.credential)).view_id}`, {
        shared: true,
      }),
    ]) {
      expectRefusal(refused, 403, 'insufficient_scope');
    }
    const other = await join('analyst');
    expect((await send(other.credential, 'PATCH', path, { name: 'Ours' })).body).toMatchObject({
      name: 'Ours',
      own: false,
    });
    expect((await send(other.credential, 'DELETE', path)).status).toBe(204);
    expect(await listAudit(service, id)).toEqual([
      'view.share success',
      'view.update success',
      'view.delete success',
    ]);
  });

  test('belongs to the person who stops sharing it', async () => {
    const first = await join('analyst');
    const second = await join('analyst');
    const { view_id: id } = await save(first.credential, { shared: true });
    const taken = await send(second.credential, 'PATCH', `/views/${id}`, { shared: false });
    expect(taken.body).toMatchObject({ own: true, shared: false, owner: { id: second.accountId } });
    expectRefusal(await send(first.credential, 'GET', `/views/${id}`), 404, 'not_found');
    expect(await listAudit(service, id)).toEqual(['view.share success', 'view.unshare success']);
  });

  test('of another tenant is not found', async () => {
    const other = await service.createTenant();
    const { view_id: id } = await save(other.credential, { shared: true });
    const { credential } = service.tenant;
    expectRefusal(await send(credential, 'GET', `/views/${id}`), 404, 'not_found');
    expectRefusal(await send(credential, 'DELETE', `/views/${id}`), 404, 'not_found');
    expect((await list(credential)).map(({ view_id: each }) => each)).not.toContain(id);
  });
});

test('an owner can have a bounded number of views, also when they are saved at once', async () => {
  const { tenantId, credential } = await service.createTenant();
  const other = await service.createCredential(tenantId, ['views:write', 'views:share']);
  for (let count = 1; count < OWN_VIEW_LIMIT; count += 1) await save(credential);
  const answers = await Promise.all([1, 2, 3].map(() => send(credential, 'POST', '/views', wanted)));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 422, 422]);
  const { view_id: id } = await save(other, { shared: true });
  expectRefusal(
    await send(credential, 'PATCH', `/views/${id}`, { shared: false }),
    422,
    'view_limit_reached',
  );
});

test.each([
  ['a page with a slash', { page: '/console' }],
  ['a query with a space', { query: 'a=b c' }],
  ['a query with an incomplete escape', { query: 'a=%2' }],
  ['a query with a fragment', { query: 'a=b#c' }],
  ['a query that is too long', { query: 'a'.repeat(4001) }],
  ['an empty name', { name: '' }],
  ['an owner', { owner: { type: 'token', id: 'x' } }],
])('a view with %s is rejected', async (_what, members) => {
  expectRefusal(
    await send(service.tenant.credential, 'POST', '/views', { ...wanted, ...members }),
    400,
    'invalid_field',
  );
});
