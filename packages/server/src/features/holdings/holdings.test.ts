import { ROLE_SCOPES } from '@tps/contract';
import { FormBrowser, signIn } from '@tps/testing/browser';
import { exchangeSession, startSession } from '@tps/testing/console';
import { useFixture } from '@tps/testing/fixture';
import { createPerson, listAudit, useTestService, WEBHOOK_ENV } from '@tps/testing/service';
import { describe, expect, test } from 'vitest';
import type { OauthTestClient } from '../oauth/provider/testing/oauth-requests.ts';
import { startIdentityProvider } from '../sign-on/testing/identity-provider.ts';
import { HoldingScenes, KINDS, PROGRAM, type Scene } from './testing/holding-scenes.ts';

const service = useTestService({ env: WEBHOOK_ENV });
const provider = useFixture(
  () =>
    startIdentityProvider({ redirectUri: `${service.baseUrl}/auth/sign-on/callback`, hasFullTokens: true }),
  { close: (server) => server.close() },
);

const scenes = new HoldingScenes(service);
const send: HoldingScenes['send'] = (...request) => scenes.send(...request);
const create: HoldingScenes['create'] = (...request) => scenes.create(...request);
const plant: HoldingScenes['plant'] = (...wanted) => scenes.plant(...wanted);
const acting: HoldingScenes['acting'] = (plants) => scenes.acting(plants);

const saveSignOn = (credential: string) =>
  send(credential, 'PUT', '/sign-on', {
    issuer: provider.issuer,
    client_id: 'tps',
    client_secret: 'secret-of-the-test-provider',
    allowed_domains: ['example.com'],
  });

async function setUpSignOn(credential: string): Promise<void> {
  const answer = await saveSignOn(credential);
  expect(answer, JSON.stringify(answer.body)).toMatchObject({ status: 200 });
}

async function withdraw(scene: Scene & { application: OauthTestClient }): Promise<void> {
  const browser = new FormBrowser(service.baseUrl);
  await signIn(browser, scene.person);
  const page = await browser.open('/auth/account/applications');
  expect(page.text).toContain('webhook to http://127.0.0.1:9 (disabled)');
  await browser.submit(page, {}, { button: 'Withdraw access' });
}

const remove = ({ tenant, person }: Scene) =>
  send(tenant.credential, 'DELETE', `/members/${person.accountId}`);
const demote = ({ tenant, person }: Scene) =>
  send(tenant.credential, 'PATCH', `/members/${person.accountId}`, { role: 'analyst' });

describe('what a member has set up', () => {
  test.each([
    ['at the console', (scene: Scene) => scenes.console(scene)],
    ['with a token of a token', (scene: Scene) => scenes.tokenOfToken(scene)],
    ['with a client of their own', (scene: Scene) => scenes.ownClient(scene)],
    ['through an application', (scene: Scene) => scenes.throughApplication(scene)],
  ])('%s ends when the member is removed', async (_, act) => {
    const scene = await scenes.addApplication(await scenes.open());
    const plants = await plant(scene, await act(scene));
    expect(await acting(plants)).toEqual(KINDS);
    expect(await remove(scene)).toMatchObject({ status: 204 });
    expect(await acting(plants)).toEqual([]);
    // Each end has its entry.
    for (const { id } of plants) {
      const entries = await listAudit({ ...service, tenant: scene.tenant }, id);
      expect(entries.at(-1), id).toMatch(/\.(revoke|delete|disable|update) success$/);
    }
  });

  test('ends when the member gets a role with fewer scopes, and not with more', async () => {
    const scene = await scenes.open();
    const plants = await plant(scene, await scenes.console(scene));
    expect(await demote(scene)).toMatchObject({ status: 200 });
    expect(await acting(plants)).toEqual([]);

    const analyst = await createPerson({ ...service, tenant: scene.tenant }, { role: 'analyst' });
    const { access_token: credential } = (
      await exchangeSession(service, await startSession(service, analyst), {
        body: { tenant_id: scene.tenant.tenantId },
      })
    ).body;
    const path = `/members/${analyst.accountId}`;
    expect(credential).not.toBe('');
    expect(await send(scene.tenant.credential, 'PATCH', path, { role: 'admin' })).toMatchObject({
      status: 200,
    });
    const later = await plant(scene, await scenes.console({ ...scene, person: analyst }));
    expect(await acting(later)).toEqual(KINDS);
  });

  test('includes what a program sets up while the member is removed', async () => {
    const scene = await scenes.open();
    const credential = await scenes.ownClient(scene);
    const path = `/members/${scene.person.accountId}`;
    const invite = () => send(credential, 'POST', '/invitations', { role: 'admin' });
    const [, ...invitations] = await Promise.all([
      send(scene.tenant.credential, 'DELETE', path),
      ...Array.from({ length: 8 }, invite),
    ]);
    for (const { body } of invitations.filter(({ status }) => status === 201)) {
      const stored = await send(scene.tenant.credential, 'GET', `/invitations/${body.invitation_id}`);
      expect(stored.body.status).toBe('revoked');
    }
    expect(await invite()).toMatchObject({ status: 401 });
  });

  test('is listed before, and stays if another admin adopts it', async () => {
    const scene = await scenes.open();
    const { credential } = scene.tenant;
    const plants = await plant(scene, await scenes.console(scene));
    const query = `?owner_id=${scene.person.accountId}`;
    const listed = (await send(credential, 'GET', `/holdings${query}`)).body;
    const data = listed.data as unknown as { kind: string; id: string; can_be_adopted: boolean }[];
    expect(data.map(({ kind }) => kind)).toEqual([...KINDS].sort());
    const adoptable = (list: typeof data) =>
      list.filter((one) => one.can_be_adopted).map(({ kind, id }) => ({ kind, id }));
    expect(adoptable(data).map(({ kind }) => kind)).toEqual(['notice_channel', 'webhook']);

    const other = await createPerson({ ...service, tenant: scene.tenant }, { role: 'admin' });
    const adopter = await scenes.console({ ...scene, person: other });
    const { id: clientId } = data.find(({ kind }) => kind === 'oauth_client') ?? {};
    const { body: rotated } = await send(adopter, 'POST', `/oauth-clients/${clientId}/rotate-secret`, {});
    const again = (await send(adopter, 'GET', `/holdings${query}`)).body;
    const items = adoptable(again.data as unknown as typeof data);
    expect(items.map(({ kind }) => kind)).toEqual(['notice_channel', 'oauth_client', 'webhook']);
    const adopted = await send(adopter, 'POST', '/holdings/adopt', { items });
    expect(adopted).toMatchObject({ status: 200 });
    expect(adopted.body.data).toMatchObject(items.map(() => ({ owner_id: other.accountId })));
    for (const { id } of items) {
      expect((await listAudit({ ...service, tenant: scene.tenant }, id)).at(-1)).toBe(
        'holding.adopt success',
      );
    }
    await remove(scene);
    // The client acts with its new secret only.
    plants.push(scenes.clientPlant(scene.tenant, rotated));
    expect(await acting(plants)).toEqual(['webhook', 'notice_channel', 'oauth_client']);
    await remove({ ...scene, person: other });
    expect(await acting(plants)).toEqual([]);
  });

  test('includes a client of another person whose secret the member has replaced', async () => {
    const scene = await scenes.open();
    const other = await createPerson({ ...service, tenant: scene.tenant }, { role: 'admin' });
    const settings = { name: 'shared', grant_types: ['client_credentials'], scopes: ['status:read'] };
    const client = await create(
      await scenes.console({ ...scene, person: other }),
      '/oauth-clients',
      settings,
    );
    const rotated = await send(
      await scenes.console(scene),
      'POST',
      `/oauth-clients/${client.client_id}/rotate-secret`,
      {},
    );
    const bearer = await scenes.tokenOf(scene.tenant, rotated.body);
    expect(await send(bearer, 'GET', '/status')).toMatchObject({ status: 200 });
    await remove(scene);
    expect(await send(bearer, 'GET', '/status')).toMatchObject({ status: 401 });
  });

  test('includes a webhook of another person that the member has pointed elsewhere', async () => {
    const scene = await scenes.open();
    const other = await createPerson({ ...service, tenant: scene.tenant }, { role: 'admin' });
    const [, , , , webhook] = await plant(scene, await scenes.console({ ...scene, person: other }));
    const path = `/webhooks/${webhook?.id}`;
    await send(await scenes.console(scene), 'PATCH', path, { url: 'http://127.0.0.1:10/' });
    await remove(scene);
    const stored = await send(scene.tenant.credential, 'GET', path);
    expect(stored.body).toMatchObject({ status: 'disabled', disabled_reason: 'owner_left' });

    await send(await scenes.console({ ...scene, person: other }), 'PATCH', path, { status: 'active' });
    const holdings = await send(scene.tenant.credential, 'GET', `/holdings?owner_id=${other.accountId}`);
    expect(JSON.stringify(holdings.body.data)).toContain(webhook?.id);
  });
});

describe('single sign-on', () => {
  test('keeps its owner from being removed until another admin adopts it', async () => {
    const scene = await scenes.open();
    const { tenantId, credential } = scene.tenant;
    await setUpSignOn(await scenes.console(scene));
    expect(await remove(scene)).toMatchObject({ status: 422 });
    expect(await demote(scene)).toMatchObject({ status: 422 });
    const items = [{ kind: 'sign_on', id: tenantId }];
    // Its owner has chosen the settings: another admin has to save them first.
    expect(await send(credential, 'POST', '/holdings/adopt', { items })).toMatchObject({ status: 422 });
    await setUpSignOn(credential);
    expect(await remove(scene)).toMatchObject({ status: 422 });
    expect(await send(credential, 'POST', '/holdings/adopt', { items })).toMatchObject({ status: 200 });
    expect(await remove(scene)).toMatchObject({ status: 204 });
    expect(await send(credential, 'GET', '/sign-on')).toMatchObject({ status: 200 });
  });

  test('ends with its owner if the removal asks for it, however often a program saves the settings', async () => {
    const scene = await scenes.open();
    const { credential } = scene.tenant;
    const program = await scenes.console(scene);
    await setUpSignOn(program);
    const saves = Array.from({ length: 6 }, () => saveSignOn(program));
    const path = `/members/${scene.person.accountId}?sign_on=delete`;
    expect(await send(credential, 'DELETE', path)).toMatchObject({ status: 204 });
    await Promise.all(saves);
    expect(await send(credential, 'GET', '/sign-on')).toMatchObject({ status: 404 });
    const { body } = await send(credential, 'GET', '/audit?action=sign_on.delete');
    // A save that was under way is ended in its turn.
    expect(body.data?.[0]).toMatchObject({ detail: expect.stringContaining('ended') });
  });

  test('is not ended by a caller without the scopes of an admin', async () => {
    const scene = await scenes.open();
    await setUpSignOn(scene.tenant.credential);
    const wanted = { name: 'limited', scopes: ['members:write', ...ROLE_SCOPES.viewer] };
    const { body } = await send(scene.tenant.credential, 'POST', '/tokens', wanted);
    const viewer = await createPerson(service, { tenantId: scene.tenant.tenantId, role: 'viewer' });
    const path = `/members/${viewer.accountId}?sign_on=delete`;
    expect(await send(body.token ?? '', 'DELETE', path)).toMatchObject({ status: 403 });
  });

  test('that an application has set up ends when the person withdraws access', async () => {
    const scene = await scenes.addApplication(await scenes.open());
    const credential = await scenes.throughApplication(scene);
    await plant(scene, credential);
    await setUpSignOn(credential);
    await withdraw(scene);
    expect(await send(scene.tenant.credential, 'GET', '/sign-on')).toMatchObject({ status: 404 });
  });
});

describe('what an application has set up', () => {
  test('ends when the person withdraws access, and nothing else does', async () => {
    const scene = await scenes.addApplication(await scenes.open());
    const own = await plant(scene, await scenes.console(scene));
    const plants = await plant(scene, await scenes.throughApplication(scene));
    await withdraw(scene);
    expect(await acting(plants)).toEqual([]);
    expect(await acting(own)).toEqual(KINDS);
  });

  test('ends when the client is deleted', async () => {
    const scene = await scenes.addApplication(await scenes.open());
    const plants = await plant(scene, await scenes.throughApplication(scene));
    const path = `/oauth-clients/${scene.application.clientId}`;
    expect(await send(scene.tenant.credential, 'DELETE', path)).toMatchObject({ status: 204 });
    expect(await acting(plants)).toEqual([]);
  });

  test('acting for itself ends when the client is deleted', async () => {
    const scene = await scenes.open();
    const client = await create(scene.tenant.credential, '/oauth-clients', PROGRAM);
    const plants = await plant(scene, await scenes.tokenOf(scene.tenant, client));
    await send(scene.tenant.credential, 'DELETE', `/oauth-clients/${client.client_id}`);
    expect(await acting(plants)).toEqual([]);
  });
});

describe('adopting', () => {
  test('a token is refused, because its owner has it', async () => {
    const scene = await scenes.open();
    const [token] = await plant(scene, await scenes.console(scene));
    const items = [{ kind: 'token', id: token?.id }];
    const answer = await send(scene.tenant.credential, 'POST', '/holdings/adopt', { items });
    expect(answer).toMatchObject({ status: 400, body: { error: { code: 'invalid_field' } } });
  });

  test('a client with scopes that the caller lacks is refused', async () => {
    const scene = await scenes.open();
    const [, , client] = await plant(scene, await scenes.console(scene));
    const held = ['members:write', 'tokens:write'];
    const caller = await create(scene.tenant.credential, '/tokens', { name: 'narrow', scopes: held });
    const items = [{ kind: 'oauth_client', id: client?.id }];
    const answer = await send(caller.token ?? '', 'POST', '/holdings/adopt', { items });
    expect(answer).toMatchObject({ status: 403, body: { error: { code: 'scope_escalation' } } });
  });

  test("another tenant's holdings are not found", async () => {
    const scene = await scenes.open();
    const [, , , , webhook] = await plant(scene, await scenes.console(scene));
    const foreign = await service.createTenant();
    const items = [{ kind: 'webhook', id: webhook?.id }];
    expect(await send(foreign.credential, 'POST', '/holdings/adopt', { items })).toMatchObject({
      status: 404,
    });
    const list = await send(foreign.credential, 'GET', `/holdings?owner_id=${scene.person.accountId}`);
    expect(list.body.data).toEqual([]);
  });
});

test('a list of holdings continues with its cursor', async () => {
  const scene = await scenes.open();
  await plant(scene, await scenes.console(scene));
  for (const path of [`/holdings?owner_id=${scene.person.accountId}&limit=4`, '/holdings?limit=4']) {
    const first = await send(scene.tenant.credential, 'GET', path);
    const second = await send(scene.tenant.credential, 'GET', `${path}&cursor=${first.body.next_cursor}`);
    const all = [...(first.body.data ?? []), ...(second.body.data ?? [])] as unknown as { kind: string }[];
    expect(all.map(({ kind }) => kind)).toEqual([...KINDS].sort());
    expect(second.body).toMatchObject({ has_more: false, next_cursor: null });
  }
});
