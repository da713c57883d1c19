import { HOLDING_LIMITS } from '@tps/contract/vocabulary';
import { useTestService, WEBHOOK_ENV } from '@tps/testing/service';
import { ManualClock } from '@tps/testing/time';
import { describe, expect, test } from 'vitest';
import type { TenantId } from '../../platform/tenant-id.ts';
import { lockTenant } from '../authority/index.ts';
import { webhookHoldings } from '../webhooks/index.ts';
import { holdingStore } from './index.ts';
import { HoldingScenes, PROGRAM, type Scene } from './testing/holding-scenes.ts';

const clock = new ManualClock(Date.now());
const service = useTestService({ env: WEBHOOK_ENV, clock });
const scenes = new HoldingScenes(service);

/** Adds rows of owners, as if the person had set up so many things of a kind. */
async function fill(scene: Scene, kind: keyof typeof HOLDING_LIMITS, count: number): Promise<void> {
  const row = { tenant_id: scene.tenant.tenantId, kind, owner_id: scene.person.accountId };
  const rows = Array.from({ length: count }, (_, at) => ({ ...row, holding_id: `${kind}_${at}` }));
  await service.service.database.transaction((tx) =>
    tx.insertMany(
      'holdings',
      rows.map((one) => ({ ...one, via_client_id: null, owned_since: 1 })),
    ),
  );
}

const TABLES = {
  token: ['tokens', 'token_id'],
  enrolment: ['tokens', 'token_id'],
  invitation: ['invitations', 'invitation_id'],
  oauth_client: ['oauth_clients', 'client_id'],
} as const;

/** Lets each of them be one that is still active. */
async function makeLasting({ tenant }: Scene, kind: keyof typeof HOLDING_LIMITS): Promise<void> {
  const [table, id] = TABLES[kind];
  await service.service.database.transaction(async (tx) => {
    const owned = await tx.db
      .selectFrom('holdings')
      .select('holding_id')
      .where('tenant_id', '=', tenant.tenantId)
      .where('kind', '=', kind)
      .execute();
    const rows = await tx.db.selectFrom(table).selectAll().where('tenant_id', '=', tenant.tenantId).execute();
    const present = new Map(rows.map((row) => [(row as unknown as Record<string, unknown>)[id], row]));
    const model = owned.map(({ holding_id }) => present.get(holding_id)).find((row) => row !== undefined);
    const missing = owned.filter(({ holding_id }) => !present.has(holding_id));
    const isHashed = kind !== 'oauth_client';
    const added = missing.map(({ holding_id }) => ({
      ...model,
      [id]: holding_id,
      ...(isHashed && { token_hash: `hash of ${holding_id}` }),
    }));
    await tx.insertMany(table, added as never[]);
  });
}

test('a token of a token belongs to the person, however long the chain is', async () => {
  const scene = await scenes.open();
  let last = await scenes.console(scene);
  for (let link = 0; link < 5; link += 1) last = await scenes.createToken(last);
  const query = `?owner_id=${scene.person.accountId}`;
  const { body } = await scenes.send(scene.tenant.credential, 'GET', `/holdings${query}`);
  const owned = { owner_id: scene.person.accountId };
  expect(body.data).toMatchObject([owned, owned, owned, owned, owned]);
  await scenes.remove(scene);
  expect(await scenes.isAccepted(last)).toBe(false);
});

describe('what can act in a tenant is limited, so that the work of ending it is', () => {
  test.each([
    ['token', '/tokens', { name: 'one more', scopes: ['status:read'] }],
    ['enrolment', '/enrolments', { name: 'one more' }],
    ['invitation', '/invitations', { role: 'viewer' }],
    ['oauth_client', '/oauth-clients', PROGRAM],
  ] as const)('%s', async (kind, path, wanted) => {
    const scene = await scenes.open();
    const credential = await scenes.console(scene);
    const limit = HOLDING_LIMITS[kind];
    expect(await scenes.send(credential, 'POST', path, wanted)).toMatchObject({ status: 201 });
    await fill(scene, kind, limit - 1);
    await makeLasting(scene, kind);
    expect(await scenes.send(credential, 'POST', path, wanted)).toMatchObject({
      status: 422,
      body: { error: { code: 'holding_limit_reached', message: expect.stringContaining(`${limit}`) } },
    });
  });
});

test('an adoption is refused that would give a token more than 20 owners', async () => {
  const { scene, byOwner } = await scenes.openPair();
  const client = await scenes.create(byOwner, '/oauth-clients', PROGRAM);
  const token = await scenes.createToken(await scenes.tokenOf(scene.tenant, client));
  const statuses: number[] = [];
  for (let count = 0; count < 22 && !statuses.includes(422); count += 1) {
    const taker = await scenes.clientOf(byOwner, scene.tenant);
    await scenes.send(taker, 'POST', `/oauth-clients/${client.client_id}/rotate-secret`, {});
    statuses.push((await scenes.adopt(taker, client)).status);
  }
  expect(statuses.slice(0, -1)).toEqual(Array(statuses.length - 1).fill(200));
  expect(statuses.at(-1)).toBe(422);
  const child = await scenes.create(token, '/tokens', { name: 'child', scopes: ['status:read'] });
  const query = `?limit=100&owner_id=${scene.person.accountId}`;
  const { body } = await scenes.send(byOwner, 'GET', `/holdings${query}`);
  const holdings = body.data as unknown as { id: string; other_owner_ids: string[] }[];
  // All but the first owner.
  expect(holdings.find(({ id }) => id === child.token_id)?.other_owner_ids).toHaveLength(19);
});

test('a client is adopted in a tenant that has more clients than the limit', async () => {
  const { scene, byOwner, byOther } = await scenes.openPair();
  const client = await scenes.create(byOwner, '/oauth-clients', PROGRAM);
  await fill(scene, 'oauth_client', HOLDING_LIMITS.oauth_client);
  await makeLasting(scene, 'oauth_client');
  await scenes.send(byOther, 'POST', `/oauth-clients/${client.client_id}/rotate-secret`, {});
  expect(await scenes.adopt(byOther, client)).toMatchObject({ status: 200 });
});

test('what has ended makes room', async () => {
  const scene = await scenes.open();
  const credential = await scenes.console(scene);
  const makeToken = () =>
    scenes.send(credential, 'POST', '/tokens', { name: 'made', scopes: ['status:read'] });
  const invite = () => scenes.send(credential, 'POST', '/invitations', { role: 'viewer' });
  const [token, invitation] = [await makeToken(), await invite()];
  // Nothing has these ids: they count as ended.
  await fill(scene, 'token', HOLDING_LIMITS.token - 1);
  await fill(scene, 'invitation', HOLDING_LIMITS.invitation - 1);
  await fill(scene, 'oauth_client', HOLDING_LIMITS.oauth_client);
  const register = () => scenes.send(credential, 'POST', '/oauth-clients', PROGRAM);
  const made = [await makeToken(), await invite(), await register()];
  expect(made.map(({ status }) => status)).toEqual([201, 201, 201]);
  const { body } = await scenes.send(credential, 'GET', '/holdings');
  for (const id of [token.body.token_id, invitation.body.invitation_id])
    expect(body.data).toContainEqual(expect.objectContaining({ id }));
});

test.runIf(process.env.TEST_STORE === 'postgres')(
  'a transaction that waited for the removal of the person creates nothing',
  async () => {
    const scene = await scenes.open();
    const token = await scenes.createToken(await scenes.console(scene));
    const { database } = service.service;
    const [row] = await database.read.db
      .selectFrom('tokens')
      .select(['token_id', 'tenant_id'])
      .where('tenant_id', '=', scene.tenant.tenantId)
      .where('name', '=', 'made')
      .execute();
    const tenantId = scene.tenant.tenantId as TenantId;
    const caller = { tokenId: row?.token_id ?? '', tenantId, scopes: [], expiresAtMs: null };
    const late = { rule: webhookHoldings, id: 'whk_late', nowMs: clock.now() };
    const made = database.transaction(async (tx) => {
      await scenes.remove(scene);
      await lockTenant(tx, tenantId);
      await holdingStore.own(tx, { tenantId, caller }, late);
    });
    await expect(made).rejects.toThrow('credential');
    expect(await scenes.isAccepted(token)).toBe(false);
    expect(
      await holdingStore.listByKeys(database.read, tenantId, [{ kind: 'webhook', id: late.id }]),
    ).toEqual([]);
  },
);
