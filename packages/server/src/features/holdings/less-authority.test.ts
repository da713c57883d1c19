import type { Incident } from '@tps/contract';
import { useFixture } from '@tps/testing/fixture';
import { useTestService, WEBHOOK_ENV } from '@tps/testing/service';
import { countWaiting } from '@tps/testing/store';
import { waitUntil } from '@tps/testing/time';
import { expect, test } from 'vitest';
import type { TenantId } from '../../platform/tenant-id.ts';
import * as clientStore from '../oauth/clients/client-store.ts';
import { tokenRequest } from '../oauth/provider/testing/oauth-requests.ts';
import { startMockProvider } from '../sign-on/testing/mock-provider.ts';
import { setProvider } from '../sign-on/testing/sign-on-scene.ts';
import { HoldingScenes, PROGRAM, type Scene } from './testing/holding-scenes.ts';

const service = useTestService({ env: WEBHOOK_ENV });
const scenes = new HoldingScenes(service);
const provider = useFixture(startMockProvider, { close: (server) => server.close() });
const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code';

test('a secret that is replaced at once ends the access tokens that were issued for the old one', async () => {
  const scene = await scenes.open();
  const admin = await scenes.console(scene);
  const client = await scenes.create(admin, '/oauth-clients', PROGRAM);
  const path = `/oauth-clients/${client.client_id}/rotate-secret`;
  const kept = await scenes.tokenOf(scene.tenant, client);
  const { body: overlapping } = await scenes.send(admin, 'POST', path, {});
  expect(await scenes.isAccepted(kept)).toBe(true);
  const stolen = await scenes.tokenOf(scene.tenant, { ...client, ...overlapping });
  const { body: replaced } = await scenes.send(admin, 'POST', path, { overlap_s: 0 });
  expect((await scenes.send(stolen, 'POST', path, { overlap_s: 0 })).status).toBe(401);
  expect(await scenes.isAccepted(kept)).toBe(false);
  expect(await scenes.isAccepted(await scenes.tokenOf(scene.tenant, { ...client, ...replaced }))).toBe(true);
});

test.each([
  ['a replaced secret', 'POST', '/rotate-secret', { overlap_s: 0 }],
  ['a grant type that is taken away', 'PATCH', '', { grant_types: [DEVICE_GRANT] }],
])('a token request that began before %s gets no token', async (_what, method, suffix, body) => {
  const { database } = service.service;
  const scene = await scenes.open();
  const admin = await scenes.console(scene);
  const wanted = { ...PROGRAM, grant_types: ['client_credentials', DEVICE_GRANT] };
  const client = await scenes.create(admin, '/oauth-clients', wanted);
  const clientId = client.client_id ?? '';
  const { changing, asked } = await database.transaction(async (tx) => {
    await clientStore.findForUpdate(tx, scene.tenant.tenantId as TenantId, clientId);
    const changing = scenes.send(admin, method, `/oauth-clients/${clientId}${suffix}`, body);
    if (database.engine === 'postgres') await waitUntil(async () => (await countWaiting(tx)) === 1);
    const asked = scenes.tokenOf(scene.tenant, client);
    // It was authenticated before, and waits for the change.
    if (database.engine === 'postgres') await waitUntil(async () => (await countWaiting(tx)) === 2);
    return { changing, asked };
  });
  expect((await changing).status).toBe(200);
  // On SQLite, the order is open: the change may end the token.
  expect(await scenes.isAccepted(await asked)).toBe(false);
});

test('a scope can be taken from a client that has set single sign-on up', async () => {
  const scene = await scenes.open();
  const admin = await scenes.console(scene);
  const client = await scenes.create(admin, '/oauth-clients', PROGRAM);
  const access = await scenes.tokenOf(scene.tenant, client);
  const { issuer } = provider;
  await setProvider(service, { ...scene.tenant, credential: access }, { issuer });
  const path = `/oauth-clients/${client.client_id}`;
  expect((await scenes.send(admin, 'PATCH', path, { scopes: ['status:read'] })).status).toBe(200);
  expect(await scenes.isAccepted(access)).toBe(false);
  expect((await scenes.send(admin, 'GET', '/sign-on')).body.issuer).toBe(issuer);
  expect(await findReports(scene)).toEqual([expect.stringContaining('has no owner any more')]);
});

test('what a client has set up ends when the client loses a scope', async () => {
  const scene = await scenes.open();
  const admin = await scenes.console(scene);
  const client = await scenes.create(admin, '/oauth-clients', PROGRAM);
  const access = await scenes.tokenOf(scene.tenant, client);
  const second = await scenes.clientOf(access, scene.tenant);
  const plants = await scenes.plant(scene, access);
  const path = `/oauth-clients/${client.client_id}`;
  expect((await scenes.send(admin, 'PATCH', path, { name: 'renamed' })).status).toBe(200);
  expect(await scenes.acting(plants)).toEqual(plants.map(({ kind }) => kind));
  expect((await scenes.send(admin, 'PATCH', path, { scopes: ['status:read'] })).status).toBe(200);
  expect(await scenes.acting(plants)).toEqual([]);
  expect(await scenes.isAccepted(second)).toBe(false);
});

const findReports = async ({ tenant }: Scene) => {
  const { body } = await scenes.send(tenant.credential, 'GET', '/incidents?category=monitoring');
  return (body.data as unknown as Incident[]).map(({ message }) => message);
};

test.each([
  [true, 'an incident says that something was set up with it'],
  [false, 'nothing is reported if nothing was set up with it'],
])('after a second use of a refresh token (%s), %s', async (isPlanted) => {
  const scene = await scenes.addApplication(await scenes.open());
  const stolen = await scenes.grant(scene);
  const refresh = () =>
    tokenRequest(service, scene.application, { grant_type: 'refresh_token', refresh_token: stolen.refresh });
  const thief = String((await refresh()).body.access_token);
  if (isPlanted) await scenes.plant(scene, thief, ['webhook']);
  expect((await refresh()).body.error).toBe('invalid_grant');
  expect(await scenes.isAccepted(thief)).toBe(false);
  const { clientId } = scene.application;
  expect(await findReports(scene)).toEqual(
    isPlanted ? [expect.stringContaining(`tps holdings list --client-id ${clientId}`)] : [],
  );
});
