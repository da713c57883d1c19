import type { TenantId } from '@tps/server/store';
import { createPerson, type TestService, useTestService } from '@tps/testing/service';
import { expect, test } from 'vitest';
import { openChange } from '../../authority/testing/open-change.ts';
import { APP, grantCode } from './testing/code-grant.ts';
import { countDeadlocks } from './testing/count-deadlocks.ts';
import { listLive } from './testing/list-live.ts';
import {
  createClient,
  type OauthTestClient,
  type TokenAnswer,
  tokenRequest,
} from './testing/oauth-requests.ts';

const running = useTestService();
const IS_SHARED = process.env.TEST_STORE === 'postgres';
const PARALLEL = 32;

test.each([{ refresh_grace_s: 0 }, { refresh_grace_s: 30 }])(
  '32 simultaneous redemptions of one code leave at most one live grant (%j)',
  async (grace) => {
    const { client, form } = await withCode({ ...APP, ...grace });
    const answers = await redeemAtOnce(client, form);
    expect(answers.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1);
    expect(await countLive(client)).toEqual({ accessTokens: 0, refreshTokens: 0, grants: 0 });
    expect(await countReuse(client)).toBe(1);
  },
);

test('32 simultaneous uses of one refresh token leave no live token: its grant ends', async () => {
  const { client, form } = await withCode(APP);
  const { body } = await tokenRequest(running, client, form);
  const answers = await redeemAtOnce(client, refreshOf(body));
  expect(answers.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1);
  expect(await countLive(client)).toEqual({ accessTokens: 0, refreshTokens: 0, grants: 0 });
  expect(await countReuse(client)).toBe(1);
});

test('two simultaneous uses of a refresh token with a grace period leave at most one live one', async () => {
  for (let round = 0; round < 3; round += 1) {
    const { client, form } = await withCode({ ...APP, refresh_grace_s: 30 });
    const { body } = await tokenRequest(running, client, form);
    const answers = await redeemAtOnce(client, refreshOf(body), 2);
    const live = await countLive(client);
    expect(live.refreshTokens).toBe(1);
    // The first access token is a third one: it belongs to the redemption of the code.
    expect(live.accessTokens).toBeLessThanOrEqual(2);
    expect(answers.some(({ status }) => status === 200)).toBe(true);
  }
});

test.runIf(IS_SHARED)('simultaneous uses of one code or refresh token never deadlock', async () => {
  const before = await countDeadlocks([running.service.database]);
  const statuses = new Set<number>();
  for (let round = 0; round < 5; round += 1) {
    const { client, form } = await withCode({ ...APP, refresh_grace_s: round % 2 === 0 ? 0 : 30 });
    const other = await grantCode(running, client, {
      person: await createPerson(running),
      scope: 'status:read',
    });
    const { body } = await tokenRequest(running, client, other);
    for (const used of [form, refreshOf(body)]) {
      for (const { status } of await redeemAtOnce(client, used)) statuses.add(status);
    }
  }
  expect([...statuses].filter((status) => status >= 500)).toEqual([]);
  expect(await countDeadlocks([running.service.database])).toBe(before);
});

// SQLite runs one write transaction at a time.
test.runIf(IS_SHARED)(
  'a repeated refresh waits for changes that were begun with the lost access token',
  async () => {
    const { client, form } = await withCode({ ...APP, refresh_grace_s: 30 });
    const used = refreshOf((await tokenRequest(running, client, form)).body);
    await tokenRequest(running, client, used);
    const lost = await newestToken(client);
    const order: string[] = [];
    const change = await openChange(running.service.database, lost);
    const changed = change.committed.then(() => order.push('changed'));
    const replaced = tokenRequest(running, client, used).then(({ status }) =>
      order.push(`replaced ${status}`),
    );
    while (!(await isRevoked(lost.caller.tokenId)));
    // Long enough for a response that does not wait.
    for (let round = 0; round < 50; round += 1) await isRevoked(lost.caller.tokenId);
    change.end();
    await Promise.all([changed, replaced]);
    expect(order).toEqual(['changed', 'replaced 200']);
  },
);

test.runIf(IS_SHARED)('another node redeems a code and then refreshes the tokens', async () => {
  const node = await running.startNode();
  try {
    const { client, form } = await withCode(APP);
    const redeemed = await tokenRequest(node, client, form);
    expect(redeemed.status).toBe(200);
    expect((await tokenRequest(node, client, refreshOf(redeemed.body))).status).toBe(200);
  } finally {
    await node.stop();
  }
});

async function withCode(settings: Readonly<Record<string, unknown>>) {
  const person = await createPerson(running);
  const client = await createClient(running, settings);
  return { client, form: await grantCode(running, client, { person, scope: 'status:read' }) };
}

/** On a shared store, half of the requests go to another node. */
async function redeemAtOnce(
  client: OauthTestClient,
  form: Readonly<Record<string, string>>,
  count = PARALLEL,
): Promise<TokenAnswer[]> {
  const node = IS_SHARED ? await running.startNode() : undefined;
  const nodes: Pick<TestService, 'baseUrl'>[] = [running, node ?? running];
  try {
    return await Promise.all(
      Array.from({ length: count }, (_, index) => tokenRequest(nodes[index % 2] ?? running, client, form)),
    );
  } finally {
    await node?.stop();
  }
}

function refreshOf(body: TokenAnswer['body']): Record<string, string> {
  return { grant_type: 'refresh_token', refresh_token: String(body.refresh_token) };
}

async function countLive({ clientId }: OauthTestClient) {
  const { db } = running.service.database.read;
  const records = await listLive({ db }, clientId);
  const tokens = await db
    .selectFrom('tokens')
    .select('token_id')
    .where('client_id', '=', clientId)
    .where('revoked_at', 'is', null)
    .execute();
  const of = (model: string) => records.filter((record) => record.model === model).length;
  return { accessTokens: tokens.length, refreshTokens: of('RefreshToken'), grants: of('Grant') };
}

/** A request with the newest access token of a client. */
async function newestToken({ clientId, tenantId }: OauthTestClient) {
  const { db } = running.service.database.read;
  const { token_id: tokenId } = await db
    .selectFrom('tokens')
    .select('token_id')
    .where('client_id', '=', clientId)
    .orderBy('created_at', 'desc')
    .executeTakeFirstOrThrow();
  const tenant = tenantId as TenantId;
  const caller = { tokenId, tenantId: tenant, scopes: ['status:read'], expiresAtMs: null } as const;
  return { caller, tenantId: tenant, requestId: 'req_test' };
}

async function isRevoked(tokenId: string): Promise<boolean> {
  const { db } = running.service.database.read;
  const token = db.selectFrom('tokens').select('revoked_at').where('token_id', '=', tokenId);
  return (await token.executeTakeFirstOrThrow()).revoked_at !== null;
}

async function countReuse({ clientId }: OauthTestClient): Promise<number> {
  const entries = await running.service.database.read.db
    .selectFrom('audit_entries')
    .select('action')
    .where('action', '=', 'oauth.reuse_detected')
    .where('resource_id', '=', clientId)
    .execute();
  return entries.length;
}
