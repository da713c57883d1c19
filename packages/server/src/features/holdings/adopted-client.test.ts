import { generateKeyPairSync } from 'node:crypto';
import { useFixture } from '@tps/testing/fixture';
import { useTestService, WEBHOOK_ENV } from '@tps/testing/service';
import { describe, expect, test } from 'vitest';
import { startMockProvider } from '../sign-on/testing/mock-provider.ts';
import { setProvider } from '../sign-on/testing/sign-on-scene.ts';
import { type Body, HoldingScenes, PROGRAM, type Scene } from './testing/holding-scenes.ts';

const service = useTestService({ env: WEBHOOK_ENV });
const provider = useFixture(startMockProvider, { close: (server) => server.close() });
const scenes = new HoldingScenes(service);

describe('what a client has set up', () => {
  test('ends with its earlier owner after another admin has adopted the client', async () => {
    const { scene, byOwner, byOther } = await scenes.openPair();
    const client = await scenes.create(byOwner, '/oauth-clients', PROGRAM);
    const access = await scenes.tokenOf(scene.tenant, client);
    const plants = await scenes.plant(scene, access);
    const path = `/oauth-clients/${client.client_id}/rotate-secret`;
    const { body: rotated } = await scenes.send(byOther, 'POST', path, {});
    // With the earlier secret, until the client is adopted.
    plants.push(...(await scenes.plant(scene, await scenes.tokenOf(scene.tenant, client))));
    expect((await scenes.adopt(byOther, client)).status).toBe(200);
    await scenes.remove(scene);
    expect(await scenes.acting(plants)).toEqual([]);
    expect(await scenes.clientPlant(scene.tenant, { ...client, ...rotated }).acts()).toBe(true);
  });

  test.each([
    ['an access token', (access: string) => access],
    ['an API token', (access: string) => scenes.createToken(access)],
  ])('with %s while it is adopted ends with its earlier owner too', async (_what, toCredential) => {
    const { scene, byOwner, byOther } = await scenes.openPair();
    const client = await scenes.create(byOwner, '/oauth-clients', PROGRAM);
    const credential = await toCredential(await scenes.tokenOf(scene.tenant, client));
    await scenes.send(byOther, 'POST', `/oauth-clients/${client.client_id}/rotate-secret`, {});
    const wanted = { name: 'planted', scopes: ['status:read'] };
    const made: Promise<{ status: number; body: Body }>[] = [];
    const plant = () => made.push(scenes.send(credential, 'POST', '/tokens', wanted));
    for (let at = 0; at < 8; at += 1) plant();
    const adopting = scenes.adopt(byOther, client);
    for (let at = 0; at < 8; at += 1) plant();
    expect((await adopting).status).toBe(200);
    const answers = await Promise.all(made);
    await scenes.remove(scene);
    for (const { status, body } of answers)
      if (status === 201) expect(await scenes.isAccepted(body.token ?? '')).toBe(false);
  });

  test('in the name of another person ends with its earlier owner too', async () => {
    const { scene, other, byOther } = await scenes.openPair();
    const byOwner = await scenes.console(scene);
    const { made, access } = await scenes.actForOther(scene, byOwner);
    const plants = await scenes.plant(scene, access);
    await scenes.takeOver(byOther, made);
    await scenes.remove(scene);
    expect(await scenes.acting(plants)).toEqual([]);
    expect(await scenes.ownersOf(scene, made.client_id ?? '')).toEqual([other.person.accountId]);
  });

  test('ends with the client, also after another admin has adopted it', async () => {
    const { scene, byOwner, byOther } = await scenes.openPair();
    const client = await scenes.create(byOwner, '/oauth-clients', PROGRAM);
    const plants = await scenes.plant(scene, await scenes.tokenOf(scene.tenant, client));
    await scenes.takeOver(byOther, client);
    await scenes.send(byOther, 'DELETE', `/oauth-clients/${client.client_id}`);
    expect(await scenes.acting(plants)).toEqual([]);
  });

  test('does not change the secret of an adopted client for its earlier owner', async () => {
    const { scene, byOwner, byOther } = await scenes.openPair();
    const client = await scenes.create(byOwner, '/oauth-clients', PROGRAM);
    const second = await scenes.create(await scenes.tokenOf(scene.tenant, client), '/oauth-clients', PROGRAM);
    const adopted = await scenes.takeOver(byOther, client);
    const path = `/oauth-clients/${client.client_id}/rotate-secret`;
    const { body: rotated } = await scenes.send(await scenes.tokenOf(scene.tenant, second), 'POST', path, {});
    await scenes.remove(scene);
    expect(await scenes.clientPlant(scene.tenant, { ...adopted, ...rotated }).acts()).toBe(false);
  });
});

describe('a client still ends with its owner', () => {
  /** Each tries to make the client belong to itself, or to what it has set up. */
  const ATTEMPTS: Readonly<Record<string, (client: Body, scene: Scene) => Promise<number>>> = {
    'adopts itself': async (client, { tenant }) =>
      (await scenes.adopt(await scenes.tokenOf(tenant, client), client)).status,
    'is adopted by its token': async (client, { tenant }) =>
      (await scenes.adopt(await scenes.createToken(await scenes.tokenOf(tenant, client)), client)).status,
    'adopts a client, which adopts it': async (client, { tenant }) => {
      const credential = await scenes.tokenOf(tenant, client);
      const second = await scenes.create(credential, '/oauth-clients', PROGRAM);
      await scenes.adopt(credential, second);
      return (await scenes.adopt(await scenes.tokenOf(tenant, second), client)).status;
    },
  };

  test('through which its owner acts in the name of another person', async () => {
    const { scene, byOwner } = await scenes.openPair();
    const { made, access } = await scenes.actForOther(scene, byOwner);
    const path = `/oauth-clients/${made.client_id}/rotate-secret`;
    const { body: rotated } = await scenes.send(access, 'POST', path, {});
    expect((await scenes.adopt(access, made)).status).toBe(400);
    await scenes.remove(scene);
    expect(await scenes.clientPlant(scene.tenant, { ...made, ...rotated }).acts()).toBe(false);
  });

  test.each(Object.entries(ATTEMPTS))('that %s', async (_, attempt) => {
    const { scene, byOwner } = await scenes.openPair();
    const client = await scenes.create(byOwner, '/oauth-clients', PROGRAM);
    expect(await attempt(client, scene)).toBe(400);
    await scenes.remove(scene);
    expect(await scenes.clientPlant(scene.tenant, client).acts()).toBe(false);
  });

  test('that replaces its own secret', async () => {
    const { scene, byOwner } = await scenes.openPair();
    const client = await scenes.create(byOwner, '/oauth-clients', PROGRAM);
    const path = `/oauth-clients/${client.client_id}/rotate-secret`;
    const { body: rotated } = await scenes.send(await scenes.tokenOf(scene.tenant, client), 'POST', path, {});
    await scenes.remove(scene);
    expect(await scenes.clientPlant(scene.tenant, { ...client, ...rotated }).acts()).toBe(false);
  });

  test('of which another admin makes a key open to everyone', async () => {
    const { scene, byOwner, byOther } = await scenes.openPair();
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
    expect(await scenes.ownersOf(scene, client.client_id ?? '')).not.toEqual([scene.person.accountId]);
  });
});

describe('the owners of a client are few', () => {
  test('because a person counts once, however many tokens replace its secret', async () => {
    const { scene, byOwner, byOther } = await scenes.openPair();
    const client = await scenes.create(byOther, '/oauth-clients', PROGRAM);
    const path = `/oauth-clients/${client.client_id}/rotate-secret`;
    for (let time = 0; time < 25; time += 1) {
      const rotated = await scenes.send(await scenes.createToken(byOwner), 'POST', path, {});
      expect(rotated.status).toBe(200);
    }
    expect(await scenes.ownersOf(scene, client.client_id ?? '')).toEqual([scene.person.accountId]);
    await scenes.remove(scene);
    expect(await scenes.clientPlant(scene.tenant, client).acts()).toBe(false);
  });

  test('because a change by one more than 20 is refused', async () => {
    const { scene, byOwner } = await scenes.openPair();
    const client = await scenes.create(byOwner, '/oauth-clients', PROGRAM);
    const path = `/oauth-clients/${client.client_id}/rotate-secret`;
    const statuses = [];
    for (let time = 0; time < 21; time += 1) {
      statuses.push((await scenes.send(await scenes.ownClient(scene), 'POST', path, {})).status);
    }
    expect(statuses.lastIndexOf(200)).toBe(18);
    expect(statuses.slice(19)).toEqual([422, 422]);
    await scenes.remove(scene);
    expect(await scenes.clientPlant(scene.tenant, client).acts()).toBe(false);
  });
});

test('a token of an adopted client does not change single sign-on for its adopter alone', async () => {
  const { scene, byOwner, byOther } = await scenes.openPair();
  const client = await scenes.create(byOwner, '/oauth-clients', PROGRAM);
  const token = await scenes.createToken(await scenes.tokenOf(scene.tenant, client));
  await scenes.takeOver(byOther, client);
  await setProvider(service, { ...scene.tenant, credential: byOther }, { issuer: provider.issuer });
  await setProvider(service, { ...scene.tenant, credential: token }, { issuer: provider.issuer });
  const path = `/members/${scene.person.accountId}`;
  expect((await scenes.send(scene.tenant.credential, 'DELETE', path)).status).toBe(422);
});
