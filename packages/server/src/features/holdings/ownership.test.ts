import { useFixture } from '@tps/testing/fixture';
import { useTestService, WEBHOOK_ENV } from '@tps/testing/service';
import { describe, expect, test } from 'vitest';
import { REDIRECT_URI } from '../oauth/provider/testing/code-grant.ts';
import { startMockProvider } from '../sign-on/testing/mock-provider.ts';
import { setProvider } from '../sign-on/testing/sign-on-scene.ts';
import { HoldingScenes, PROGRAM, type Scene } from './testing/holding-scenes.ts';

const service = useTestService({ env: WEBHOOK_ENV });
const provider = useFixture(startMockProvider, { close: (server) => server.close() });
const scenes = new HoldingScenes(service);

/** The person of the scene, and another admin at the console. */
async function openScene() {
  const scene = await scenes.open();
  const other = { ...scene, person: await scenes.addAdmin(scene.tenant) };
  return { scene, other, byOwner: await scenes.console(scene), byOther: await scenes.console(other) };
}

async function remove({ tenant, person }: Scene): Promise<void> {
  const { status } = await scenes.send(tenant.credential, 'DELETE', `/members/${person.accountId}`);
  expect(status).toBe(204);
}

const ownersOf = async ({ tenant }: Scene, id: string) => {
  const { body } = await scenes.send(tenant.credential, 'GET', '/holdings');
  const all = body.data as unknown as { id: string; owner_id: string }[];
  return all.filter((one) => one.id === id).map(({ owner_id: owner }) => owner);
};

describe('a client that another admin changes', () => {
  const CLIENT = { ...PROGRAM, scopes: ['status:read', 'events:read'] };

  test.each([{ name: 'renamed' }, { scopes: ['status:read'] }, { uri: 'https://app.example.com' }])(
    'still ends with its owner, who has the secret: %j',
    async (change) => {
      const { scene, byOwner, byOther } = await openScene();
      const client = await scenes.create(byOwner, '/oauth-clients', CLIENT);
      const path = `/oauth-clients/${client.client_id}`;
      expect((await scenes.send(byOther, 'PATCH', path, change)).status).toBe(200);
      const plant = scenes.clientPlant(scene.tenant, client);
      expect(await plant.acts()).toBe(true);
      await remove(scene);
      expect(await plant.acts()).toBe(false);
    },
  );

  test.each([
    { scopes: [...CLIENT.scopes, 'alerts:read'] },
    { grant_types: ['client_credentials', 'authorization_code'], redirect_uris: [REDIRECT_URI] },
  ])('ends with the other one if it can do more afterwards: %j', async (change) => {
    const { scene, other, byOwner, byOther } = await openScene();
    const client = await scenes.create(byOwner, '/oauth-clients', CLIENT);
    await scenes.send(byOther, 'PATCH', `/oauth-clients/${client.client_id}`, change);
    expect(await ownersOf(scene, client.client_id ?? '')).toEqual([other.person.accountId]);
    await remove(other);
    expect(await scenes.clientPlant(scene.tenant, client).acts()).toBe(false);
  });
});

describe('a webhook whose secret is lost', () => {
  async function addLost(credential: string): Promise<string> {
    const wanted = { url: 'http://127.0.0.1:9/', secret: 'a-secret-of-thirty-two-characters' };
    const { webhook_id: id = '' } = await scenes.create(credential, '/webhooks', wanted);
    await service.service.database.transaction((tx) =>
      tx.db
        .updateTable('webhooks')
        .set({ status: 'disabled', disabled_reason: 'secret_lost', secret: Buffer.alloc(40) })
        .where('webhook_id', '=', id)
        .execute(),
    );
    return id;
  }

  test('ends with its owner, and so does not return with its secret', async () => {
    const { scene, byOwner } = await openScene();
    const id = await addLost(byOwner);
    await remove(scene);
    const { body } = await scenes.send(scene.tenant.credential, 'GET', `/webhooks/${id}`);
    expect(body).toMatchObject({ status: 'disabled', disabled_reason: 'owner_left' });
  });

  test('belongs to the one who enables it with a new secret', async () => {
    const { scene, other, byOwner, byOther } = await openScene();
    const id = await addLost(byOwner);
    const secret = 'another-secret-of-32-characters-x';
    const { body } = await scenes.send(byOther, 'POST', `/webhooks/${id}/rotate-secret`, { secret });
    expect(body).toMatchObject({ status: 'active' });
    expect(await ownersOf(scene, id)).toEqual([other.person.accountId]);
  });
});

test('a notice channel that gets another secret still ends with the one who chose its address', async () => {
  const { scene, byOwner, byOther } = await openScene();
  const [url, secret] = ['http://127.0.0.1:9/', 'a-secret-of-thirty-two-characters'];
  const wanted = { name: 'pager', kind: 'webhook', url, secret };
  const path = `/notice-channels/${(await scenes.create(byOwner, '/notice-channels', wanted)).channel_id}`;
  const changed = await scenes.send(byOther, 'PATCH', path, { secret: 'another-secret-of-32-characters-x' });
  expect(changed).toMatchObject({ status: 200 });
  await remove(scene);
  const { body } = await scenes.send(scene.tenant.credential, 'GET', path);
  expect(body).toMatchObject({ status: 'paused' });
});

test('a caller without the scopes of an admin does not end single sign-on with its client', async () => {
  const { tenant } = await scenes.open();
  const client = await scenes.create(tenant.credential, '/oauth-clients', PROGRAM);
  const credential = await scenes.tokenOf(tenant, client);
  await setProvider(service, { ...tenant, credential }, { issuer: provider.issuer });
  const narrow = await service.createCredential(tenant.tenantId, ['tokens:write']);
  const path = `/oauth-clients/${client.client_id}`;
  expect(await scenes.send(narrow, 'DELETE', path)).toMatchObject({
    status: 422,
    body: { error: { code: 'invalid_state_transition' } },
  });
  expect((await scenes.send(tenant.credential, 'GET', '/sign-on')).status).toBe(200);
  expect((await scenes.send(tenant.credential, 'DELETE', path)).status).toBe(204);
  expect((await scenes.send(tenant.credential, 'GET', '/sign-on')).status).toBe(404);
});
