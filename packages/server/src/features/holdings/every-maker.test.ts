import { operations, SCOPES } from '@tps/contract';
import { approveDevice, FormBrowser, signIn } from '@tps/testing/browser';
import { useFixture } from '@tps/testing/fixture';
import { runCommand } from '@tps/testing/process';
import { createPerson, testFetch, useTestService, WEBHOOK_ENV } from '@tps/testing/service';
import { describe, expect, test } from 'vitest';
import { type OauthTestClient, tokenRequest } from '../oauth/provider/testing/oauth-requests.ts';
import { startMockProvider } from '../sign-on/testing/mock-provider.ts';
import { newVisitor, roleOf, setProvider, signOn } from '../sign-on/testing/sign-on-scene.ts';
import { HoldingScenes, KINDS, type Plant, PROGRAM, type Scene, WEBHOOK } from './testing/holding-scenes.ts';

const service = useTestService({ env: WEBHOOK_ENV });
const provider = useFixture(startMockProvider, { close: (server) => server.close() });
const scenes = new HoldingScenes(service);

/** A credential that acts on the authority of a person. */
interface Maker {
  readonly credential: string;
  /** Exchanges what the program keeps for the next credential; returns the status. */
  readonly renew?: () => Promise<number>;
  /** Whether it expires and cannot be had again: it creates nothing that has no end, such as a client. */
  readonly expires?: boolean;
}

type MakerRecipe = (scene: Scene) => Promise<Maker>;

const maker =
  (credentialOf: (scene: Scene) => Promise<string>): MakerRecipe =>
  async (scene) => ({ credential: await credentialOf(scene) });

/** Every way to act on the authority of a person. */
const MAKERS: Readonly<Record<string, MakerRecipe>> = {
  'a session at the console': maker((scene) => scenes.console(scene)),
  'an API token': maker(async (scene) => scenes.createToken(await scenes.console(scene))),
  'a token of a token': maker((scene) => scenes.tokenOfToken(scene)),
  'a token of others that the person has rolled': maker(rollOther),
  'a client of the person': maker((scene) => scenes.ownClient(scene)),
  'a client of others whose secret the person has replaced': maker(rotateOther),
  'a client of a client': maker(async (scene) =>
    scenes.clientOf(await scenes.ownClient(scene), scene.tenant),
  ),
  'a token of a client': async (scene) => ({
    credential: await scenes.createToken(await scenes.ownClient(scene)),
    expires: true,
  }),
  'an application': async (scene) => {
    const { access, refresh } = await scenes.grant(scene);
    const form = { grant_type: 'refresh_token', refresh_token: refresh };
    const renew = async () =>
      (await tokenRequest(service, scene.application as OauthTestClient, form)).status;
    return { credential: access, renew };
  },
  'a token of an application': async (scene) => ({
    credential: await scenes.createToken(await scenes.throughApplication(scene)),
    expires: true,
  }),
  'the command line': signInAtCommandLine,
};

async function rollOther(scene: Scene): Promise<string> {
  const wanted = { name: 'of others', scopes: SCOPES };
  const { token_id: id } = await scenes.create(scene.tenant.credential, '/tokens', wanted);
  return (await scenes.create(await scenes.console(scene), `/tokens/${id}/roll`, {})).token ?? '';
}

async function rotateOther(scene: Scene): Promise<string> {
  const { client_id: id } = await scenes.create(scene.tenant.credential, '/oauth-clients', PROGRAM);
  const path = `/oauth-clients/${id}/rotate-secret`;
  const { body } = await scenes.send(await scenes.console(scene), 'POST', path, {});
  return scenes.tokenOf(scene.tenant, body);
}

async function signInAtCommandLine({ person }: Scene): Promise<Maker> {
  const post = async (path: string, form: Record<string, string>) => {
    const body = new URLSearchParams({ client_id: 'tps-cli', ...form });
    const response = await testFetch(`${service.baseUrl}/auth${path}`, { method: 'POST', body });
    return { status: response.status, body: (await response.json()) as Record<string, string> };
  };
  const { body: asked } = await post('/device/code', { scope: SCOPES.join(' ') });
  const browser = new FormBrowser(service.baseUrl);
  await signIn(browser, person);
  await approveDevice(browser, asked.user_code ?? '');
  const grant_type = 'urn:ietf:params:oauth:grant-type:device_code';
  const { body } = await post('/token', { grant_type, device_code: asked.device_code ?? '' });
  const { access_token: credential = '', refresh_token = '' } = body;
  const renew = async () => (await post('/token', { grant_type: 'refresh_token', refresh_token })).status;
  return { credential, renew };
}

/** Makes a webhook of others lead to another address. */
async function takeOver({ tenant }: Scene, credential: string): Promise<Plant> {
  const webhook = await scenes.create(tenant.credential, '/webhooks', WEBHOOK);
  const change = { url: 'http://127.0.0.1:10/' };
  await scenes.send(credential, 'PATCH', `/webhooks/${webhook.webhook_id}`, change);
  return scenes.webhookPlant(tenant, webhook);
}

/** Every way in which the authority of a person ends in a tenant. */
const ENDINGS: Readonly<Record<string, (scene: Scene) => Promise<void>>> = {
  'is removed': async ({ tenant, person }) => {
    const path = `/members/${person.accountId}`;
    expect((await scenes.send(tenant.credential, 'DELETE', path)).status).toBe(204);
  },
  'gets a role with fewer scopes': async ({ tenant, person }) => {
    const path = `/members/${person.accountId}`;
    expect((await scenes.send(tenant.credential, 'PATCH', path, { role: 'analyst' })).status).toBe(200);
  },
  'is disabled': async ({ person }) => {
    const { output } = await runCommand(['accounts', 'disable', person.email], {
      SERVICE_DATABASE_URL: service.store.url,
      SERVICE_BASE_URL: service.baseUrl,
    });
    expect(output).toContain('is disabled');
  },
  'deletes the account': async ({ person }) => {
    const browser = new FormBrowser(service.baseUrl);
    await signIn(browser, person);
    const { email } = person;
    expect((await browser.submit(await browser.open('/auth/account/delete'), { email })).title).toContain(
      'Account deleted',
    );
  },
  'loses the role at the provider': async (scene) => {
    const { tenant, person } = scene;
    const role_map = [{ value: 'heads', role: 'admin' } as const];
    await setProvider(service, tenant, { issuer: provider.issuer, role_claim: 'groups', role_map });
    const { accountId: sub, email } = person;
    provider.say({ idToken: { sub, email, email_verified: true, groups: [] } });
    const visitor = newVisitor(service, provider.issuer);
    await signIn(visitor.here, person);
    await signOn(visitor, tenant);
    expect(await roleOf(service, scene.tenant.tenantId, scene.person.email)).toBeUndefined();
  },
};

async function openScene(): Promise<Scene> {
  const { tenant } = await scenes.open();
  const wanted = { role: 'admin', isEmailVerified: false } as const;
  return scenes.addApplication({ tenant, person: await createPerson({ ...service, tenant }, wanted) });
}

describe('nothing acts on the authority of a person', () => {
  test.each(Object.entries(ENDINGS))('who %s, however it was made', async (_what, end) => {
    const scene = await openScene();
    const made: (Maker & { what: string; plants: Plant[] })[] = [];
    for (const [what, make] of Object.entries(MAKERS)) {
      const by = await make(scene);
      const kinds = KINDS.filter((kind) => !by.expires || kind !== 'oauth_client');
      const plants = [
        ...(await scenes.plant(scene, by.credential, kinds)),
        await takeOver(scene, by.credential),
      ];
      expect([what, await scenes.acting(plants)]).toEqual([what, [...kinds, 'webhook']]);
      made.push({ ...by, what, plants });
    }
    await end(scene);
    for (const { what, credential, renew, plants } of made) {
      const after = [await scenes.acting(plants), await scenes.isAccepted(credential), await renew?.()];
      expect([what, ...after]).toEqual([what, [], false, renew && 400]);
    }
  });
});

/** What the operations of the API that change something leave behind. */
const LEAVES: Readonly<Record<string, readonly string[]>> = {
  'what ends with its owner': [
    ...['createToken', 'rollToken', 'createEnrolment', 'createInvitation', 'createWebhook', 'updateWebhook'],
    ...['rotateWebhookSecret', 'createNoticeChannel', 'updateNoticeChannel', 'createOAuthClient'],
    ...['updateOAuthClient', 'rotateOAuthClientSecret', 'replaceSignOn', 'adoptHoldings'],
  ],
  'data of the tenant, which acts for no one': [
    ...['registerDevice', 'updateDevice', 'rotateDeviceKey', 'renewDeviceCredential', 'submitEvent'],
    ...['submitEvents', 'changeIncidents', 'updateIncident', 'createPolicy', 'updatePolicy', 'archivePolicy'],
    ...[
      'importIndicators',
      'createJob',
      'reviewJob',
      'changeJobs',
      'createView',
      'updateView',
      'scanContent',
    ],
    ...['createDataRequest', 'requestDeletion', 'recoverWebhook', 'replayDeadLetter', 'changeDeadLetters'],
    ...['testWebhook', 'testNoticeChannel', 'updateMember'],
  ],
  nothing: [
    ...[
      'simulatePolicy',
      'checkIndicators',
      'cancelJob',
      'removeIndicators',
      'deleteWebhook',
      'revokeDevices',
    ],
    ...['deleteDeadLetter', 'deleteNoticeChannel', 'revokeEnrolment', 'revokeToken', 'deleteOAuthClient'],
    ...['removeMember', 'revokeInvitation', 'removeSignOn', 'deleteView', 'cancelDeletion'],
  ],
};

test('each operation that changes something is one of which it is known what it leaves behind', () => {
  const changing = operations.filter(({ method }) => method !== 'GET');
  const known = Object.values(LEAVES).flat();
  expect(changing.map(({ operationId }) => operationId).sort()).toEqual([...known].sort());
});
