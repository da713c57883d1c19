import { SCOPES } from '@tps/contract';
import type { Service } from '@tps/server/service';
import { approveDevice, authorize, FormBrowser, signIn } from '@tps/testing/browser';
import { runCommand } from '@tps/testing/process';
import {
  createPerson,
  createPersonCredential,
  type TestPerson,
  type TestService,
  type TestTenant,
  useTestService,
  WEBHOOK_ENV,
} from '@tps/testing/service';
import { countWaiting } from '@tps/testing/store';
import { waitUntil } from '@tps/testing/time';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { APP, authorizationUrl, REDIRECT_URI } from './testing/code-grant.ts';
import { countDeadlocks } from './testing/count-deadlocks.ts';
import { listLive } from './testing/list-live.ts';
import { createClient, type OauthTestClient, tokenRequest } from './testing/oauth-requests.ts';

const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code';
/** With all scopes an application can set up what acts later. */
const SCOPE = { scope: SCOPES.join(' ') };
const OWN_GRANTS = [DEVICE_GRANT, 'client_credentials'];

/** A person who lets a client act for them, in a new tenant. */
interface Scene {
  readonly tenant: TestTenant;
  readonly client: OauthTestClient;
  readonly person: TestPerson;
  /** The person is signed in. */
  readonly browser: FormBrowser;
  readonly refreshToken: string;
  /** The access token of the client for the person. */
  readonly accessToken: string;
  /** Sends a request to the API as an admin, to the nodes in turn. Returns the status. */
  readonly send: (method: string, path: string, body?: object, credential?: string) => Promise<number>;
}

/** Prepares a change, and returns what makes it: several requests at once, of which each has a status. */
type Change = (scene: Scene) => Promise<() => Promise<number>[]>;

const running = useTestService({ env: WEBHOOK_ENV });
const nodes: Pick<TestService, 'baseUrl'>[] = [];

/** What issues tokens. */
const REDEMPTIONS: Readonly<Record<string, Change>> = {
  'the redemption of a code': async ({ browser, client }) => redeem(client, await grantCode(browser, client)),
  'the use of a refresh token': async ({ client, refreshToken }) =>
    redeem(client, { grant_type: 'refresh_token', refresh_token: refreshToken }),
  'the redemption of a device code': async ({ browser, client }) => {
    const { body } = await tokenRequest(running, client, SCOPE, { endpoint: '/device/code' });
    await approveDevice(browser, String(body.user_code));
    return redeem(client, { grant_type: DEVICE_GRANT, device_code: String(body.device_code) });
  },
  'the issue of a token to the client itself': async ({ client }) =>
    redeem(client, { grant_type: 'client_credentials' }),
};

/** What ends the tokens of the client for the person. */
const ENDS: Readonly<Record<string, Change>> = {
  'the withdrawal of the consent': async ({ browser }) => {
    const page = await browser.open('/auth/account/applications');
    return () => twice(async () => (await browser.submit(page, {}, { button: 'Withdraw access' })).status);
  },
  'the deletion of the client':
    async ({ client, send }) =>
    () =>
      twice(() => send('DELETE', `/oauth-clients/${client.clientId}`)),
  'the loss of a scope of the client':
    async ({ client, send }) =>
    () =>
      twice(() => send('PATCH', `/oauth-clients/${client.clientId}`, { scopes: ['status:read'] })),
  'the removal of the member':
    async ({ person: { accountId }, send }) =>
    () =>
      twice(() => send('DELETE', `/members/${accountId}`)),
  'another role of the member':
    async ({ person: { accountId }, send }) =>
    () =>
      twice(() => send('PATCH', `/members/${accountId}`, { role: 'viewer' })),
  'the end of the account': async ({ browser, person: { email } }) => {
    const page = await browser.open('/auth/account/delete');
    return () => [
      browser.submit(page, { email }, { button: 'Delete my account' }).then(({ status }) => status),
    ];
  },
  'the operator who disables the account':
    async ({ person: { email } }) =>
    () => [disable(email)],
};

const OTHERS: Readonly<Record<string, Change>> = {
  'what the client sets up for the person':
    async ({ accessToken, send }) =>
    () =>
      setUp((path, body) => send('POST', path, body, accessToken)),
  'what the client sets up for itself': async ({ client, send }) => {
    const { body } = await tokenRequest(running, client, { grant_type: 'client_credentials' });
    return () => setUp((path, content) => send('POST', path, content, String(body.access_token)));
  },
  'the roll of a token': async (scene) => {
    const tokenId = await createToken(scene);
    return () => twice(() => scene.send('POST', `/tokens/${tokenId}/roll`, {}));
  },
  'the revocation of a token': async (scene) => {
    const tokenId = await createToken(scene);
    return () => twice(() => scene.send('DELETE', `/tokens/${tokenId}`));
  },
  'the end of all sessions': async ({ browser }) => {
    const { forms } = await browser.open('/auth/account/sessions');
    const form = forms.find(({ fields }) =>
      fields.some(([name, value]) => name === 'action' && value === 'end_all'),
    );
    const body = Object.fromEntries(form?.fields ?? []);
    return () => twice(async () => (await browser.post('/auth/account/sessions', body)).status);
  },
};

const CHANGES: Readonly<Record<string, Change>> = { ...ENDS, ...REDEMPTIONS, ...OTHERS };

/** Creates things that act later. No more at a time than one credential can. */
function setUp(post: (path: string, body: object) => Promise<number>): Promise<number>[] {
  const webhook = { url: 'http://127.0.0.1:9/', secret: 'a-secret-of-thirty-two-characters' };
  return [
    post('/tokens', { name: 'made', scopes: ['status:read'] }),
    post('/enrolments', { name: 'made' }),
    post('/invitations', { role: 'viewer' }),
    post('/webhooks', webhook),
  ];
}

function twice<R>(act: () => Promise<R>): Promise<R>[] {
  return [act(), act()];
}

/** Whether what the client holds has ended for certain. A person who is signed out meanwhile is asked to sign in instead. */
function hasEnded(...names: string[]): boolean {
  const ends = names.filter((name) => name in ENDS);
  const byBrowser = ['the withdrawal of the consent', 'the end of the account'];
  return names.includes('the end of all sessions')
    ? ends.some((name) => !byBrowser.includes(name))
    : ends.length > 0;
}

/** Disables an account, unless it has been deleted. */
async function disable(email: string): Promise<number> {
  const env = { SERVICE_DATABASE_URL: running.store.url };
  const { code, output } = await runCommand(['accounts', 'disable', email], env);
  return code === 0 || output.includes('No account has this e-mail address') ? 200 : 500;
}

/** Redeems it twice on each node. */
function redeem(client: OauthTestClient, form: Readonly<Record<string, string>>): () => Promise<number>[] {
  return () => [...nodes, ...nodes].map(async (node) => (await tokenRequest(node, client, form)).status);
}

/** Creates a token in the name of the person. Returns its id. */
async function createToken({ tenant, person }: Scene): Promise<string> {
  const scopes = ['tokens:write', 'status:read'] as const;
  const own = { accountId: person.accountId, tenantId: tenant.tenantId, scopes };
  const { body } = await running.client.send('POST', '/tokens', {
    credential: await createPersonCredential(running, own),
    body: { name: 'made by the person', scopes: ['status:read'] },
  });
  return (body as { token_id: string }).token_id;
}

async function createScene(): Promise<Scene> {
  // More forms are sent here in a minute than people send.
  const { database } = running.service;
  await database.transaction((tx) => sql`truncate rate_limit_keys, rate_limit_admissions`.execute(tx.db));
  const tenant = await running.createTenant();
  const scene = { ...running, service: running.service, tenant };
  await createPerson(scene, { role: 'admin' });
  const person = await createPerson(scene, { role: 'admin' });
  const { accountId } = person;
  const owner = await createPersonCredential(running, {
    accountId,
    tenantId: tenant.tenantId,
    scopes: SCOPES,
  });
  const grantTypes = [...APP.grant_types, ...OWN_GRANTS];
  const settings = { ...APP, grant_types: grantTypes, scopes: SCOPES };
  const client = await createClient({ ...scene, tenant: { ...tenant, credential: owner } }, settings);
  const browser = new FormBrowser(running.baseUrl);
  await signIn(browser, person);
  await tokenRequest(running, client, await grantCode(browser, client));
  const { body } = await tokenRequest(running, client, await grantCode(browser, client));
  const accessToken = String(body.access_token);
  let requests = 0;
  const send: Scene['send'] = async (method, path, content, credential = tenant.credential) => {
    requests += 1;
    const response = await fetch(`${nodes[requests % nodes.length]?.baseUrl}${path}`, {
      method,
      headers: { authorization: `Bearer ${credential}`, 'content-type': 'application/json' },
      ...(content && { body: JSON.stringify(content) }),
    });
    await response.arrayBuffer();
    return response.status;
  };
  for (const credential of [owner, accessToken]) {
    const post = (path: string, content: object) => send('POST', path, content, credential);
    const program = { name: 'made', grant_types: ['client_credentials'], scopes: ['status:read'] };
    const made = [...(await Promise.all(setUp(post))), await post('/oauth-clients', program)];
    expect(new Set(made)).toEqual(new Set([201]));
  }
  return { tenant, client, person, browser, accessToken, refreshToken: String(body.refresh_token), send };
}

async function grantCode(browser: FormBrowser, client: OauthTestClient): Promise<Record<string, string>> {
  const { address, verifier } = authorizationUrl(running, client, SCOPE);
  const code = (await authorize(browser, address)).searchParams.get('code') ?? '';
  return { grant_type: 'authorization_code', code, redirect_uri: REDIRECT_URI, code_verifier: verifier };
}

/** What the client can still use in the name of the person. */
async function listUsable({ client, person: { accountId } }: Scene): Promise<string[]> {
  const { db } = running.service.database.read;
  const all = await listLive({ db }, client.clientId);
  const records = all.filter((one) => one.account_id === accountId);
  const tokens = await db
    .selectFrom('tokens')
    .select('name')
    .where('client_id', '=', client.clientId)
    .where('account_id', '=', accountId)
    .where('revoked_at', 'is', null)
    .execute();
  return [...records.map(({ model }) => model), ...tokens.map(({ name }) => `token of ${name}`)];
}

/**
 * Begins one change after the other while the records of the client are locked, so that each comes as far as it can, and then
 * releases them. Returns the statuses.
 */
async function runBehindRecords(
  { tenant: { tenantId } }: Scene,
  acts: readonly (() => Promise<number>[])[],
): Promise<number[]> {
  const requests: Promise<number>[] = [];
  let settled = 0;
  await running.service.database.transaction(async (tx) => {
    const records = tx.db.selectFrom('oauth_records').select('record_hash').where('tenant_id', '=', tenantId);
    await records.forNoKeyUpdate().execute();
    for (const act of acts) {
      const begun = act();
      requests.push(...begun);
      for (const request of begun)
        request.finally(() => {
          settled += 1;
        });
      await waitUntil(
        async () => settled + (await countWaiting(running.service.database.read)) >= requests.length,
      );
    }
  });
  return Promise.all(requests);
}

/** Lists what the person or the client has set up and still acts. */
async function listHoldings(
  { client: { clientId }, person: { accountId }, tenant: { credential } }: Scene,
  names: readonly string[],
): Promise<unknown[]> {
  const [byPerson, byClient] = [`owner_id=${accountId}`, `client_id=${clientId}`];
  const roots: Readonly<Record<string, readonly string[]>> = {
    'the withdrawal of the consent': [`${byPerson}&${byClient}`],
    'the deletion of the client': [byClient],
    'the loss of a scope of the client': [],
  };
  const held: unknown[] = [];
  for (const root of names
    .filter((name) => name in ENDS)
    .flatMap((name) => roots[name] ?? [byPerson, byClient])) {
    const { body } = await running.client.send('GET', `/holdings?${root}`, { credential });
    held.push(...(body as { data: unknown[] }).data);
  }
  return held;
}

// SQLite has one writer at a time, and one node.
describe.runIf(process.env.TEST_STORE === 'postgres')('on two nodes', () => {
  let node: Service;
  beforeAll(async () => {
    node = await running.startNode();
    nodes.push(running, node);
  });
  afterAll(() => node.stop());

  test.each(Object.entries(ENDS))('%s waits for no change that waits for it', async (name, prepare) => {
    const databases = [running.service.database, node.database];
    const before = await countDeadlocks(databases);
    for (const [other, prepareOther] of Object.entries(CHANGES)) {
      const scene = await createScene();
      const acts = [await prepareOther(scene), await prepare(scene)];
      const statuses = await runBehindRecords(scene, acts);
      const what = `${other}, ${name}: ${statuses}`;
      expect.soft(Math.max(...statuses), what).toBeLessThan(500);
      if (!hasEnded(name, other)) continue;
      expect.soft(await listUsable(scene), what).toEqual([]);
      expect.soft(await listHoldings(scene, [name, other]), what).toEqual([]);
    }
    expect(await countDeadlocks(databases)).toBe(before);
  });
});
