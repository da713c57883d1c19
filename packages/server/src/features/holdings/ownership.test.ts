import { generateKeyPairSync } from 'node:crypto';
import { createTestEnrolment, enrolTestDevice } from '@tps/testing/device';
import { useFixture } from '@tps/testing/fixture';
import { useMailServer } from '@tps/testing/mail';
import { useTestService, WEBHOOK_ENV } from '@tps/testing/service';
import { describe, expect, test } from 'vitest';
import { REDIRECT_URI } from '../oauth/provider/testing/code-grant.ts';
import { startMockProvider } from '../sign-on/testing/mock-provider.ts';
import { setProvider } from '../sign-on/testing/sign-on-scene.ts';
import { type Body, HoldingScenes, PROGRAM, type Scene, WEBHOOK } from './testing/holding-scenes.ts';

const mailServer = useMailServer();
const service = useTestService(() => ({
  env: { ...WEBHOOK_ENV, SERVICE_SMTP_URL: mailServer.url, SERVICE_SMTP_FROM: 'tps@example.com' },
}));
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

const adopt = (credential: string, { client_id: id }: Body) =>
  scenes.send(credential, 'POST', '/holdings/adopt', { items: [{ kind: 'oauth_client', id }] });

/** Replaces the secret of a client, and then adopts the client. Returns it with the new secret. */
async function takeOver(credential: string, client: Body): Promise<Body> {
  const path = `/oauth-clients/${client.client_id}/rotate-secret`;
  const { body: rotated } = await scenes.send(credential, 'POST', path, {});
  expect(await adopt(credential, client)).toMatchObject({ status: 200 });
  return { ...client, ...rotated };
}

/** Makes an application, and gets the access token of a third admin who lets it act. */
async function actForOther(scene: Scene, byOwner: string) {
  const grants = { grant_types: ['authorization_code', 'client_credentials'], redirect_uris: [REDIRECT_URI] };
  const made = await scenes.create(byOwner, '/oauth-clients', { ...PROGRAM, ...grants });
  const application = {
    tenantId: scene.tenant.tenantId,
    clientId: made.client_id ?? '',
    secret: made.client_secret ?? '',
    authMethod: made.token_endpoint_auth_method ?? '',
  };
  const third = { ...scene, person: await scenes.addAdmin(scene.tenant), application };
  return { made, application, access: await scenes.throughApplication(third) };
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
  ])('ends with each of them if it can do more afterwards: %j', async (change) => {
    for (const leaving of ['scene', 'other'] as const) {
      const { byOwner, byOther, ...people } = await openScene();
      const client = await scenes.create(byOwner, '/oauth-clients', CLIENT);
      await scenes.send(byOther, 'PATCH', `/oauth-clients/${client.client_id}`, change);
      await remove(people[leaving]);
      expect(await scenes.clientPlant(people.scene.tenant, client).acts()).toBe(false);
    }
  });

  test('ends with its owner too if it gets another secret, until the other admin adopts it', async () => {
    const { scene, byOwner, byOther } = await openScene();
    const [kept, lost] = [
      await scenes.create(byOwner, '/oauth-clients', PROGRAM),
      await scenes.create(byOwner, '/oauth-clients', PROGRAM),
    ];
    const adopted = await takeOver(byOther, kept);
    const path = `/oauth-clients/${lost.client_id}/rotate-secret`;
    const { body: rotated } = await scenes.send(byOther, 'POST', path, { overlap_s: 0 });
    await remove(scene);
    expect(await scenes.clientPlant(scene.tenant, adopted).acts()).toBe(true);
    expect(await scenes.clientPlant(scene.tenant, { ...lost, ...rotated }).acts()).toBe(false);
  });

  test('is adopted only by the one who has replaced its secret', async () => {
    const { byOwner, byOther } = await openScene();
    const client = await scenes.create(byOwner, '/oauth-clients', PROGRAM);
    const refused = { status: 422, body: { error: { code: 'invalid_state_transition' } } };
    expect(await adopt(byOther, client)).toMatchObject(refused);
    await takeOver(byOther, client);
    expect(await adopt(byOwner, client)).toMatchObject(refused);
  });

  test('is not adopted while another owner has changed it since', async () => {
    const { byOwner, byOther } = await openScene();
    const client = await scenes.create(byOther, '/oauth-clients', { ...CLIENT, scopes: ['status:read'] });
    const widened = await scenes.send(byOwner, 'PATCH', `/oauth-clients/${client.client_id}`, CLIENT);
    expect(widened.status).toBe(200);
    expect((await adopt(byOther, client)).status).toBe(422);
    await takeOver(byOther, client);
  });

  test('is not adopted by the person in whose name an application has replaced its secret', async () => {
    const { scene, byOwner, byOther, other } = await openScene();
    const { application } = await actForOther(scene, byOwner);
    const client = await scenes.create(byOther, '/oauth-clients', PROGRAM);
    const access = await scenes.throughApplication({ ...other, application });
    await scenes.send(access, 'POST', `/oauth-clients/${client.client_id}/rotate-secret`, {});
    expect((await adopt(byOther, client)).status).toBe(422);
    await takeOver(byOther, client);
  });

  test('is not adopted without a secret', async () => {
    const { byOwner, byOther } = await openScene();
    const wanted = { grant_types: ['authorization_code'], token_endpoint_auth_method: 'none' };
    const redirects = { redirect_uris: [REDIRECT_URI] };
    const client = await scenes.create(byOwner, '/oauth-clients', { ...CLIENT, ...wanted, ...redirects });
    expect((await adopt(byOther, client)).status).toBe(422);
  });

  test('accepts neither earlier secrets nor earlier access tokens once it is adopted', async () => {
    const { scene, byOwner, byOther } = await openScene();
    const client = await scenes.create(byOwner, '/oauth-clients', PROGRAM);
    const access = await scenes.tokenOf(scene.tenant, client);
    await takeOver(byOther, client);
    expect(await scenes.isAccepted(access)).toBe(false);
    expect(await scenes.clientPlant(scene.tenant, client).acts()).toBe(false);
  });

  test('is adopted with an audit entry that names all of its owners', async () => {
    const { scene, other, byOwner, byOther } = await openScene();
    const { client_id: id = '' } = await scenes.create(byOwner, '/oauth-clients', PROGRAM);
    await scenes.send(byOther, 'POST', `/oauth-clients/${id}/rotate-secret`, {});
    expect((await adopt(byOther, { client_id: id })).status).toBe(200);
    const { body } = await scenes.send(scene.tenant.credential, 'GET', `/audit?resource_id=${id}&limit=1`);
    const owners = [other, scene].map(({ person }) => person.accountId);
    expect(body.data).toMatchObject([
      { action: 'holding.adopt', detail: `"${PROGRAM.name}" adopted from ${owners.join(', ')}` },
    ]);
  });
});

describe('what a client has set up', () => {
  test('ends with its earlier owner after another admin has adopted the client', async () => {
    const { scene, byOwner, byOther } = await openScene();
    const client = await scenes.create(byOwner, '/oauth-clients', PROGRAM);
    const access = await scenes.tokenOf(scene.tenant, client);
    const plants = await scenes.plant(scene, access);
    const path = `/oauth-clients/${client.client_id}/rotate-secret`;
    const { body: rotated } = await scenes.send(byOther, 'POST', path, {});
    // With the earlier secret, until the client is adopted.
    plants.push(...(await scenes.plant(scene, await scenes.tokenOf(scene.tenant, client))));
    expect((await adopt(byOther, client)).status).toBe(200);
    await remove(scene);
    expect(await scenes.acting(plants)).toEqual([]);
    expect(await scenes.clientPlant(scene.tenant, { ...client, ...rotated }).acts()).toBe(true);
  });

  test('while it is adopted ends with its earlier owner too', async () => {
    const { scene, byOwner, byOther } = await openScene();
    const client = await scenes.create(byOwner, '/oauth-clients', PROGRAM);
    const access = await scenes.tokenOf(scene.tenant, client);
    await scenes.send(byOther, 'POST', `/oauth-clients/${client.client_id}/rotate-secret`, {});
    const wanted = { name: 'planted', scopes: ['status:read'] };
    const plants = Array.from({ length: 8 }, () => scenes.send(access, 'POST', '/tokens', wanted));
    const [adopted, ...answers] = await Promise.all([adopt(byOther, client), ...plants]);
    expect(adopted.status).toBe(200);
    await remove(scene);
    for (const { status, body } of answers)
      if (status === 201) expect(await scenes.isAccepted(body.token ?? '')).toBe(false);
  });

  test('in the name of another person ends with its earlier owner too', async () => {
    const { scene, other, byOther } = await openScene();
    const byOwner = await scenes.console(scene);
    const { made, access } = await actForOther(scene, byOwner);
    const plants = await scenes.plant(scene, access);
    await takeOver(byOther, made);
    await remove(scene);
    expect(await scenes.acting(plants)).toEqual([]);
    expect(await ownersOf(scene, made.client_id ?? '')).toEqual([other.person.accountId]);
  });

  test('ends with the client, also after another admin has adopted it', async () => {
    const { scene, byOwner, byOther } = await openScene();
    const client = await scenes.create(byOwner, '/oauth-clients', PROGRAM);
    const plants = await scenes.plant(scene, await scenes.tokenOf(scene.tenant, client));
    await takeOver(byOther, client);
    await scenes.send(byOther, 'DELETE', `/oauth-clients/${client.client_id}`);
    expect(await scenes.acting(plants)).toEqual([]);
  });

  test('does not change the secret of an adopted client for its earlier owner', async () => {
    const { scene, byOwner, byOther } = await openScene();
    const client = await scenes.create(byOwner, '/oauth-clients', PROGRAM);
    const second = await scenes.create(await scenes.tokenOf(scene.tenant, client), '/oauth-clients', PROGRAM);
    const adopted = await takeOver(byOther, client);
    const path = `/oauth-clients/${client.client_id}/rotate-secret`;
    const { body: rotated } = await scenes.send(await scenes.tokenOf(scene.tenant, second), 'POST', path, {});
    await remove(scene);
    expect(await scenes.clientPlant(scene.tenant, { ...adopted, ...rotated }).acts()).toBe(false);
  });
});

describe('a client still ends with its owner', () => {
  /** Each tries to make the client belong to itself, or to what it has set up. */
  const ATTEMPTS: Readonly<Record<string, (client: Body, scene: Scene) => Promise<number>>> = {
    'adopts itself': async (client, { tenant }) =>
      (await adopt(await scenes.tokenOf(tenant, client), client)).status,
    'is adopted by its token': async (client, { tenant }) =>
      (await adopt(await scenes.createToken(await scenes.tokenOf(tenant, client)), client)).status,
    'adopts a client, which adopts it': async (client, { tenant }) => {
      const credential = await scenes.tokenOf(tenant, client);
      const second = await scenes.create(credential, '/oauth-clients', PROGRAM);
      await adopt(credential, second);
      return (await adopt(await scenes.tokenOf(tenant, second), client)).status;
    },
  };

  test('through which its owner acts in the name of another person', async () => {
    const { scene, byOwner } = await openScene();
    const { made, access } = await actForOther(scene, byOwner);
    const path = `/oauth-clients/${made.client_id}/rotate-secret`;
    const { body: rotated } = await scenes.send(access, 'POST', path, {});
    expect((await adopt(access, made)).status).toBe(400);
    await remove(scene);
    expect(await scenes.clientPlant(scene.tenant, { ...made, ...rotated }).acts()).toBe(false);
  });

  test.each(Object.entries(ATTEMPTS))('that %s', async (_, attempt) => {
    const { scene, byOwner } = await openScene();
    const client = await scenes.create(byOwner, '/oauth-clients', PROGRAM);
    expect(await attempt(client, scene)).toBe(400);
    await remove(scene);
    expect(await scenes.clientPlant(scene.tenant, client).acts()).toBe(false);
  });

  test('that replaces its own secret', async () => {
    const { scene, byOwner } = await openScene();
    const client = await scenes.create(byOwner, '/oauth-clients', PROGRAM);
    const path = `/oauth-clients/${client.client_id}/rotate-secret`;
    const { body: rotated } = await scenes.send(await scenes.tokenOf(scene.tenant, client), 'POST', path, {});
    await remove(scene);
    expect(await scenes.clientPlant(scene.tenant, { ...client, ...rotated }).acts()).toBe(false);
  });

  test('of which another admin makes a key open to everyone', async () => {
    const { scene, byOwner, byOther } = await openScene();
    const { n, e, kty } = generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey.export({
      format: 'jwk',
    });
    const wanted = {
      ...PROGRAM,
      token_endpoint_auth_method: 'private_key_jwt',
      jwks: { keys: [{ kty, n, e }] },
    };
    const client = await scenes.create(byOwner, '/oauth-clients', wanted);
    const path = `/oauth-clients/${client.client_id}`;
    const forged = await scenes.send(byOther, 'PATCH', path, { jwks: { keys: [{ kty, n, e: 'AQ' }] } });
    expect(forged).toMatchObject({ status: 400, body: { error: { code: 'invalid_field' } } });
    // Another exponent is another key: it replaces the one of the owner.
    const other = await scenes.send(byOther, 'PATCH', path, { jwks: { keys: [{ kty, n, e: 'AQAD' }] } });
    expect(other.status).toBe(200);
    expect(await ownersOf(scene, client.client_id ?? '')).not.toEqual([scene.person.accountId]);
  });
});

test('a webhook that another admin enables again still ends with the one who chose its address', async () => {
  const { scene, byOwner, byOther } = await openScene();
  const webhook = await scenes.create(byOwner, '/webhooks', WEBHOOK);
  const path = `/webhooks/${webhook.webhook_id}`;
  for (const status of ['disabled', 'active']) await scenes.send(byOther, 'PATCH', path, { status });
  await remove(scene);
  expect(await scenes.webhookPlant(scene.tenant, webhook).acts()).toBe(false);
  await scenes.send(byOther, 'PATCH', path, { status: 'active' });
  expect(await ownersOf(scene, webhook.webhook_id ?? '')).toHaveLength(1);
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

test('a notice channel ends with the one who chose its address, until another admin chooses it', async () => {
  const { scene, other, byOwner, byOther } = await openScene();
  const wanted = { name: 'mails', kind: 'email', address: 'one@example.com' };
  const { channel_id: id = '' } = await scenes.create(byOwner, '/notice-channels', wanted);
  const path = `/notice-channels/${id}`;
  for (const status of ['paused', 'active']) await scenes.send(byOther, 'PATCH', path, { status });
  await scenes.send(byOther, 'PATCH', path, { address: 'two@example.com' });
  await remove(scene);
  const { body } = await scenes.send(scene.tenant.credential, 'GET', path);
  expect(body).toMatchObject({ status: 'active' });
  expect(await ownersOf(scene, id)).toEqual([other.person.accountId]);
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

test('a token of an adopted client does not change single sign-on for its adopter alone', async () => {
  const { scene, byOwner, byOther } = await openScene();
  const client = await scenes.create(byOwner, '/oauth-clients', PROGRAM);
  const token = await scenes.createToken(await scenes.tokenOf(scene.tenant, client));
  await takeOver(byOther, client);
  await setProvider(service, { ...scene.tenant, credential: byOther }, { issuer: provider.issuer });
  await setProvider(service, { ...scene.tenant, credential: token }, { issuer: provider.issuer });
  const path = `/members/${scene.person.accountId}`;
  expect((await scenes.send(scene.tenant.credential, 'DELETE', path)).status).toBe(422);
});

test('a credential of a device that a person has replaced ends with the person', async () => {
  const { tenant } = service;
  await scenes.addAdmin(tenant);
  const scene = { tenant, person: await scenes.addAdmin(tenant) };
  const { secret } = await createTestEnrolment(service);
  const { deviceId } = await enrolTestDevice(service, secret);
  const byPerson = await scenes.console(scene);
  const listed = await scenes.send(byPerson, 'GET', `/tokens?device_id=${deviceId}`);
  const [{ token_id: id } = { token_id: '' }] = listed.body.data as unknown as { token_id: string }[];
  const { body } = await scenes.send(byPerson, 'POST', `/tokens/${id}/roll`, { grace_s: 0 });
  const path = `/devices/${deviceId}`;
  expect((await scenes.send(body.token ?? '', 'GET', path)).status).toBe(200);
  await remove(scene);
  expect((await scenes.send(body.token ?? '', 'GET', path)).status).toBe(401);
});

describe('the owners of a client are few', () => {
  test('because a person counts once, however many tokens replace its secret', async () => {
    const { scene, byOwner, byOther } = await openScene();
    const client = await scenes.create(byOther, '/oauth-clients', PROGRAM);
    const path = `/oauth-clients/${client.client_id}/rotate-secret`;
    for (let time = 0; time < 25; time += 1) {
      const rotated = await scenes.send(await scenes.createToken(byOwner), 'POST', path, {});
      expect(rotated.status).toBe(200);
    }
    expect(await ownersOf(scene, client.client_id ?? '')).toEqual([scene.person.accountId]);
    await remove(scene);
    expect(await scenes.clientPlant(scene.tenant, client).acts()).toBe(false);
  });

  test('because a change by one more than 20 is refused', async () => {
    const { scene, byOwner } = await openScene();
    const client = await scenes.create(byOwner, '/oauth-clients', PROGRAM);
    const path = `/oauth-clients/${client.client_id}/rotate-secret`;
    const statuses = [];
    for (let time = 0; time < 21; time += 1) {
      statuses.push((await scenes.send(await scenes.ownClient(scene), 'POST', path, {})).status);
    }
    expect(statuses.lastIndexOf(200)).toBe(18);
    expect(statuses.slice(19)).toEqual([422, 422]);
    await remove(scene);
    expect(await scenes.clientPlant(scene.tenant, client).acts()).toBe(false);
  });
});
