import { generateKeyPairSync } from 'node:crypto';
import { createTestEnrolment, enrolTestDevice } from '@tps/testing/device';
import { useFixture } from '@tps/testing/fixture';
import { useMailServer } from '@tps/testing/mail';
import { useTestService, WEBHOOK_ENV } from '@tps/testing/service';
import { describe, expect, test } from 'vitest';
import { REDIRECT_URI } from '../oauth/provider/testing/code-grant.ts';
import { startMockProvider } from '../sign-on/testing/mock-provider.ts';
import { setProvider } from '../sign-on/testing/sign-on-scene.ts';
import { HoldingScenes, PROGRAM, WEBHOOK } from './testing/holding-scenes.ts';

const mailServer = useMailServer();
const service = useTestService(() => ({
  env: { ...WEBHOOK_ENV, SERVICE_SMTP_URL: mailServer.url, SERVICE_SMTP_FROM: 'tps@example.com' },
}));
const provider = useFixture(startMockProvider, { close: (server) => server.close() });
const scenes = new HoldingScenes(service);

describe('a client that another admin changes', () => {
  const CLIENT = { ...PROGRAM, scopes: ['status:read', 'events:read'] };

  test.each([{ name: 'renamed' }, { scopes: ['status:read'] }, { uri: 'https://app.example.com' }])(
    'still ends with its owner, who has the secret: %j',
    async (change) => {
      const { scene, byOwner, byOther } = await scenes.openPair();
      const client = await scenes.create(byOwner, '/oauth-clients', CLIENT);
      const path = `/oauth-clients/${client.client_id}`;
      expect((await scenes.send(byOther, 'PATCH', path, change)).status).toBe(200);
      const plant = scenes.clientPlant(scene.tenant, client);
      expect(await plant.acts()).toBe(true);
      await scenes.remove(scene);
      expect(await plant.acts()).toBe(false);
    },
  );

  test.each([
    { scopes: [...CLIENT.scopes, 'alerts:read'] },
    { grant_types: ['client_credentials', 'authorization_code'], redirect_uris: [REDIRECT_URI] },
  ])('ends with each of them if it can do more afterwards: %j', async (change) => {
    for (const leaving of ['scene', 'other'] as const) {
      const { byOwner, byOther, ...people } = await scenes.openPair();
      const client = await scenes.create(byOwner, '/oauth-clients', CLIENT);
      await scenes.send(byOther, 'PATCH', `/oauth-clients/${client.client_id}`, change);
      await scenes.remove(people[leaving]);
      expect(await scenes.clientPlant(people.scene.tenant, client).acts()).toBe(false);
    }
  });

  test('ends with its owner too if it gets another secret, until the other admin adopts it', async () => {
    const { scene, byOwner, byOther } = await scenes.openPair();
    const [kept, lost] = [
      await scenes.create(byOwner, '/oauth-clients', PROGRAM),
      await scenes.create(byOwner, '/oauth-clients', PROGRAM),
    ];
    const adopted = await scenes.takeOver(byOther, kept);
    const path = `/oauth-clients/${lost.client_id}/rotate-secret`;
    const { body: rotated } = await scenes.send(byOther, 'POST', path, { overlap_s: 0 });
    await scenes.remove(scene);
    expect(await scenes.clientPlant(scene.tenant, adopted).acts()).toBe(true);
    expect(await scenes.clientPlant(scene.tenant, { ...lost, ...rotated }).acts()).toBe(false);
  });

  test('is adopted only by the one who has replaced its secret', async () => {
    const { byOwner, byOther } = await scenes.openPair();
    const client = await scenes.create(byOwner, '/oauth-clients', PROGRAM);
    const refused = { status: 422, body: { error: { code: 'invalid_state_transition' } } };
    expect(await scenes.adopt(byOther, client)).toMatchObject(refused);
    await scenes.takeOver(byOther, client);
    expect(await scenes.adopt(byOwner, client)).toMatchObject(refused);
  });

  test('is adopted after its keys were replaced at once, and not one after the other', async () => {
    const { byOwner, byOther } = await scenes.openPair();
    const [first, second, third] = Array.from({ length: 3 }, () =>
      generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({ format: 'jwk' }),
    );
    const method = { token_endpoint_auth_method: 'private_key_jwt' };
    const wanted = { ...PROGRAM, ...method, jwks: { keys: [first] } };
    const client = await scenes.create(byOwner, '/oauth-clients', wanted);
    const replace = (...keys: unknown[]) =>
      scenes.send(byOther, 'PATCH', `/oauth-clients/${client.client_id}`, { jwks: { keys } });
    for (const keys of [[first, second], [second]]) expect((await replace(...keys)).status).toBe(200);
    expect((await scenes.adopt(byOther, client)).status).toBe(422);
    await replace(third);
    expect((await scenes.adopt(byOther, client)).status).toBe(200);
  });

  test('is not adopted while another owner has changed it since', async () => {
    const { byOwner, byOther } = await scenes.openPair();
    const client = await scenes.create(byOther, '/oauth-clients', { ...CLIENT, scopes: ['status:read'] });
    const widened = await scenes.send(byOwner, 'PATCH', `/oauth-clients/${client.client_id}`, CLIENT);
    expect(widened.status).toBe(200);
    expect((await scenes.adopt(byOther, client)).status).toBe(422);
    await scenes.takeOver(byOther, client);
  });

  test('is not adopted by the person in whose name an application has replaced its secret', async () => {
    const { scene, byOwner, byOther, other } = await scenes.openPair();
    const { application } = await scenes.actForOther(scene, byOwner);
    const client = await scenes.create(byOther, '/oauth-clients', PROGRAM);
    const access = await scenes.throughApplication({ ...other, application });
    await scenes.send(access, 'POST', `/oauth-clients/${client.client_id}/rotate-secret`, {});
    expect((await scenes.adopt(byOther, client)).status).toBe(422);
    await scenes.takeOver(byOther, client);
  });

  test('is not adopted without a secret', async () => {
    const { byOwner, byOther } = await scenes.openPair();
    const wanted = { grant_types: ['authorization_code'], token_endpoint_auth_method: 'none' };
    const redirects = { redirect_uris: [REDIRECT_URI] };
    const client = await scenes.create(byOwner, '/oauth-clients', { ...CLIENT, ...wanted, ...redirects });
    expect((await scenes.adopt(byOther, client)).status).toBe(422);
  });

  test('accepts neither earlier secrets nor earlier access tokens once it is adopted', async () => {
    const { scene, byOwner, byOther } = await scenes.openPair();
    const client = await scenes.create(byOwner, '/oauth-clients', PROGRAM);
    const access = await scenes.tokenOf(scene.tenant, client);
    await scenes.takeOver(byOther, client);
    expect(await scenes.isAccepted(access)).toBe(false);
    expect(await scenes.clientPlant(scene.tenant, client).acts()).toBe(false);
  });

  test('is adopted with an audit entry that names all of its owners', async () => {
    const { scene, other, byOwner, byOther } = await scenes.openPair();
    const { client_id: id = '' } = await scenes.create(byOwner, '/oauth-clients', PROGRAM);
    await scenes.send(byOther, 'POST', `/oauth-clients/${id}/rotate-secret`, {});
    expect((await scenes.adopt(byOther, { client_id: id })).status).toBe(200);
    const { body } = await scenes.send(scene.tenant.credential, 'GET', `/audit?resource_id=${id}&limit=2`);
    const owners = [other, scene].map(({ person }) => person.accountId);
    expect(body.data).toMatchObject([
      { action: 'holding.adopt', detail: `"${PROGRAM.name}" adopted from ${owners.join(', ')}` },
      {
        action: 'holding.secure',
        actor: { type: 'account', id: other.person.accountId },
        detail: `"${PROGRAM.name}" prepared for adoption: earlier secrets, access tokens and grants ended`,
      },
    ]);
  });
});

test('a client that changes itself loses its tokens, and the change stays', async () => {
  const { scene, byOwner } = await scenes.openPair();
  const client = await scenes.create(byOwner, '/oauth-clients', PROGRAM);
  const credential = await scenes.tokenOf(scene.tenant, client);
  const redirect_uris = ['https://app.example.com/callback'];
  const change = {
    ...{ grant_types: ['client_credentials', 'authorization_code'], redirect_uris },
    scopes: ['status:read', 'tokens:write'],
  };
  const path = `/oauth-clients/${client.client_id}`;
  expect(await scenes.send(credential, 'PATCH', path, change)).toMatchObject({ status: 200, body: change });
  expect(await scenes.isAccepted(credential)).toBe(false);
});

test('the list of holdings has all owners of each, with and without a root', async () => {
  const { scene, other, byOwner, byOther } = await scenes.openPair();
  const { client_id: id = '' } = await scenes.create(byOwner, '/oauth-clients', PROGRAM);
  await scenes.send(byOther, 'POST', `/oauth-clients/${id}/rotate-secret`, {});
  const [first, second] = [other.person.accountId, scene.person.accountId];
  for (const query of ['', `?owner_id=${first}`, `?owner_id=${second}`]) {
    const { body } = await scenes.send(scene.tenant.credential, 'GET', `/holdings${query}`);
    const [listed] = body.data as unknown as { owner_id: string; other_owner_ids: string[] }[];
    const ids = [listed?.owner_id, ...(listed?.other_owner_ids ?? [])];
    expect(ids.sort()).toEqual([first, second].sort());
  }
  const adopted = await scenes.adopt(byOther, { client_id: id });
  expect(adopted.body.data).toMatchObject([{ owner_id: first, other_owner_ids: [] }]);
});

test('a webhook that another admin enables again still ends with the one who chose its address', async () => {
  const { scene, byOwner, byOther } = await scenes.openPair();
  const webhook = await scenes.create(byOwner, '/webhooks', WEBHOOK);
  const path = `/webhooks/${webhook.webhook_id}`;
  for (const status of ['disabled', 'active']) await scenes.send(byOther, 'PATCH', path, { status });
  await scenes.remove(scene);
  expect(await scenes.webhookPlant(scene.tenant, webhook).acts()).toBe(false);
  await scenes.send(byOther, 'PATCH', path, { status: 'active' });
  expect(await scenes.ownersOf(scene, webhook.webhook_id ?? '')).toHaveLength(1);
});

test('a webhook that was disabled before is marked when its owner leaves, without an incident', async () => {
  const { scene, other, byOwner, byOther } = await scenes.openPair();
  const { webhook_id: id = '' } = await scenes.create(byOwner, '/webhooks', WEBHOOK);
  const path = `/webhooks/${id}`;
  await scenes.send(byOwner, 'PATCH', path, { status: 'disabled' });
  await scenes.remove(scene);
  const { credential } = scene.tenant;
  const { body } = await scenes.send(credential, 'GET', path);
  expect(body).toMatchObject({ status: 'disabled', disabled_reason: 'owner_left' });
  expect((await scenes.send(credential, 'GET', '/incidents')).body.data).toEqual([]);
  await scenes.send(byOther, 'PATCH', path, { status: 'active' });
  expect(await scenes.ownersOf(scene, id)).toEqual([other.person.accountId]);
  const query = `?owner_id=${scene.person.accountId}`;
  expect((await scenes.send(credential, 'GET', `/holdings${query}`)).body.data).toEqual([]);
});

test('a notice channel that was paused before has an audit entry when its owner leaves', async () => {
  const { scene, byOwner, byOther } = await scenes.openPair();
  const wanted = { name: 'mails', kind: 'email', address: 'one@example.com' };
  const { channel_id: id = '' } = await scenes.create(byOwner, '/notice-channels', wanted);
  const path = `/notice-channels/${id}`;
  await scenes.send(byOwner, 'PATCH', path, { status: 'paused' });
  await scenes.remove(scene);
  const { credential } = scene.tenant;
  const audit = await scenes.send(credential, 'GET', `/audit?resource_id=${id}&limit=1`);
  expect(audit.body.data).toMatchObject([
    { detail: expect.stringContaining('"mails" stays paused: the member on whose authority it acts') },
  ]);
  await scenes.send(byOther, 'PATCH', path, { status: 'active' });
  const query = `?owner_id=${scene.person.accountId}`;
  expect((await scenes.send(credential, 'GET', `/holdings${query}`)).body.data).toEqual([]);
});

test('an active webhook that gets another secret belongs only to the one who chose its address', async () => {
  const { scene, other, byOwner, byOther } = await scenes.openPair();
  const webhook = await scenes.create(byOwner, '/webhooks', WEBHOOK);
  const secret = 'another-secret-of-32-characters-x';
  await scenes.send(byOther, 'POST', `/webhooks/${webhook.webhook_id}/rotate-secret`, { secret });
  expect(await scenes.ownersOf(scene, webhook.webhook_id ?? '')).toEqual([scene.person.accountId]);
  const plant = scenes.webhookPlant(scene.tenant, webhook);
  await scenes.remove(other);
  expect(await plant.acts()).toBe(true);
  await scenes.remove(scene);
  expect(await plant.acts()).toBe(false);
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
    const { scene, byOwner } = await scenes.openPair();
    const id = await addLost(byOwner);
    await scenes.remove(scene);
    const { body } = await scenes.send(scene.tenant.credential, 'GET', `/webhooks/${id}`);
    expect(body).toMatchObject({ status: 'disabled', disabled_reason: 'owner_left' });
  });

  test('belongs to the one who enables it with a new secret', async () => {
    const { scene, other, byOwner, byOther } = await scenes.openPair();
    const id = await addLost(byOwner);
    const secret = 'another-secret-of-32-characters-x';
    const { body } = await scenes.send(byOther, 'POST', `/webhooks/${id}/rotate-secret`, { secret });
    expect(body).toMatchObject({ status: 'active' });
    expect(await scenes.ownersOf(scene, id)).toEqual([other.person.accountId]);
  });
});

test('a notice channel that gets another secret still ends with the one who chose its address', async () => {
  const { scene, byOwner, byOther } = await scenes.openPair();
  const [url, secret] = ['http://127.0.0.1:9/', 'a-secret-of-thirty-two-characters'];
  const wanted = { name: 'pager', kind: 'webhook', url, secret };
  const path = `/notice-channels/${(await scenes.create(byOwner, '/notice-channels', wanted)).channel_id}`;
  const changed = await scenes.send(byOther, 'PATCH', path, { secret: 'another-secret-of-32-characters-x' });
  expect(changed).toMatchObject({ status: 200 });
  await scenes.remove(scene);
  const { body } = await scenes.send(scene.tenant.credential, 'GET', path);
  expect(body).toMatchObject({ status: 'paused' });
});

test('a notice channel ends with the one who chose its address, until another admin chooses it', async () => {
  const { scene, other, byOwner, byOther } = await scenes.openPair();
  const wanted = { name: 'mails', kind: 'email', address: 'one@example.com' };
  const { channel_id: id = '' } = await scenes.create(byOwner, '/notice-channels', wanted);
  const path = `/notice-channels/${id}`;
  for (const status of ['paused', 'active']) await scenes.send(byOther, 'PATCH', path, { status });
  await scenes.send(byOther, 'PATCH', path, { address: 'two@example.com' });
  await scenes.remove(scene);
  const { body } = await scenes.send(scene.tenant.credential, 'GET', path);
  expect(body).toMatchObject({ status: 'active' });
  expect(await scenes.ownersOf(scene, id)).toEqual([other.person.accountId]);
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
  await scenes.remove(scene);
  expect((await scenes.send(body.token ?? '', 'GET', path)).status).toBe(401);
});
