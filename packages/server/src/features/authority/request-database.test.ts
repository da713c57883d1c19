import { type CreatedToken, SCOPES } from '@tps/contract';
import { registerTestDevice } from '@tps/testing/device';
import { useTestService, watchAdmissions } from '@tps/testing/service';
import { ManualClock } from '@tps/testing/time';
import { describe, expect, test } from 'vitest';
import type { AdmittedRequest } from '../../platform/http/route.ts';
import { createLogger } from '../../platform/logger.ts';
import { feedHeadStore } from '../feed/index.ts';
import { TokenAuthenticator } from '../tokens/index.ts';
import * as tokenStore from '../tokens/token-store.ts';
import { openChange as openChangeOn } from './testing/open-change.ts';

const onPostgres = process.env.TEST_STORE === 'postgres';

const service = useTestService();

/** A token of the first tenant, and a request that it made. */
async function createCaller() {
  const { credential, tenantId } = service.tenant;
  const body = { name: 'caller', scopes: SCOPES };
  const made = (await service.client.send('POST', '/tokens', { credential, body })).body as CreatedToken;
  const { token_id: tokenId, token = '' } = made;
  const caller = { tokenId, tenantId, scopes: SCOPES, expiresAtMs: null };
  const request: AdmittedRequest = { caller, tenantId, requestId: 'req_test' };
  return { tokenId, credential: token, request };
}

const revoke = (tokenId: string, credential = service.tenant.credential) =>
  service.client.send('DELETE', `/tokens/${tokenId}`, { credential });

const openChange = (request: AdmittedRequest) => openChangeOn(service.service.database, request);

async function isRevoked(tokenId: string): Promise<boolean> {
  const { db } = service.service.database.read;
  const token = db.selectFrom('tokens').select('revoked_at').where('token_id', '=', tokenId);
  return (await token.executeTakeFirstOrThrow()).revoked_at !== null;
}

const BLOCKING = 5;

describe('a revocation', () => {
  test('is answered only after the changes that its token had begun', async () => {
    const { tokenId, request } = await createCaller();
    const order: string[] = [];
    const change = await openChange(request);
    void change.committed.then(() => order.push('changed'));
    const revoked = revoke(tokenId).then(() => order.push('revoked'));
    // On SQLite the revocation waits for its turn.
    if (onPostgres) while (!(await isRevoked(tokenId)));
    // Time enough for an answer that does not wait.
    for (let round = 0; round < 20; round += 1) await isRevoked(tokenId);
    change.end();
    await revoked;
    expect(order).toEqual(['changed', 'revoked']);
    await expect(openChange(request)).rejects.toMatchObject({ code: 'invalid_credentials' });
  });

  test('is answered in the same way when it is repeated during a change', async () => {
    const { tokenId, request } = await createCaller();
    const order: string[] = [];
    const change = await openChange(request);
    void change.committed.then(() => order.push('changed'));
    const revoked = [revoke(tokenId), revoke(tokenId)].map((sent) =>
      sent.then(({ status }) => order.push(`revoked ${status}`)),
    );
    if (onPostgres) while (!(await isRevoked(tokenId)));
    change.end();
    await Promise.all(revoked);
    expect(order).toEqual(['changed', 'revoked 204', 'revoked 204']);
  });

  test.runIf(onPostgres)('does not wait for a token to be idle', async () => {
    const { tokenId, request } = await createCaller();
    const first = await openChange(request);
    const second = await openChange(request);
    const revoked = revoke(tokenId);
    while (!(await isRevoked(tokenId)));
    // Both are still open: the token was never idle, and it changes nothing any more.
    await expect(openChange(request)).rejects.toMatchObject({ code: 'invalid_credentials' });
    for (const { end } of [first, second]) end();
    expect((await revoked).status).toBe(204);
  });

  test('of each other by two tokens at once fails for neither with an error of the service', async () => {
    for (let round = 0; round < 10; round += 1) {
      const [one, other] = [await createCaller(), await createCaller()];
      const answers = await Promise.all([
        revoke(other.tokenId, one.credential),
        revoke(one.tokenId, other.credential),
        revoke(one.tokenId, one.credential),
        revoke(other.tokenId, other.credential),
      ]);
      for (const { status } of answers) expect([204, 401]).toContain(status);
      expect(answers.some(({ status }) => status === 204)).toBe(true);
    }
  });
});

test('a token can be rolled by itself, and ends then', async () => {
  const { tokenId, credential } = await createCaller();
  const path = `/tokens/${tokenId}/roll`;
  const rolled = await service.client.send('POST', path, { credential, body: {} });
  expect(rolled.status, rolled.text).toBe(201);
  expect((await service.client.send('POST', path, { credential, body: {} })).status).toBe(401);
  const { token } = rolled.body as CreatedToken;
  expect((await service.client.send('GET', '/status', { credential: token ?? '' })).status).toBe(200);
});

test.runIf(onPostgres)('a change does not delay the record of when its token was last used', async () => {
  const { credential, request } = await createCaller();
  const change = await openChange(request);
  const { database } = service.service;
  const logger = createLogger({ level: 'silent' });
  const authenticator = new TokenAuthenticator({ database, clock: new ManualClock(Date.now()), logger });
  await authenticator.authenticate(credential);
  await authenticator.recordUses();
  change.end();
  await change.committed;
});

test('of events that are stored together, only those of an ended credential are rejected', async () => {
  const { tenantId } = service.tenant;
  const [blocker, valid, ended] = [await createCaller(), await createCaller(), await createCaller()];
  const register = ({ credential }: { credential: string }) =>
    registerTestDevice(service, { tenant: { tenantId, credential } });
  const devices = [await register(blocker), await register(valid), await register(ended)];
  const sent = await service.service.database.transaction(async (tx) => {
    await feedHeadStore.lock(tx, tenantId);
    // The first ones wait for this transaction, and the last two for them. Several, because an event that is admitted may
    // not be under way yet, and could begin together with the next.
    const answers: Promise<{ status: number }>[] = [];
    for (const caller of [...Array(BLOCKING).fill(blocker), valid, ended]) {
      const admissions = await watchAdmissions(service, caller.credential);
      const device = devices[[blocker, valid, ended].indexOf(caller)];
      if (device) answers.push(device.post(device.event()));
      await admissions.admitted(1);
    }
    await tokenStore.revoke(tx, tenantId, ended.tokenId, Date.now());
    return { answers };
  });
  const answers = await Promise.all(sent.answers);
  expect(answers.map(({ status }) => status)).toEqual([...Array(BLOCKING).fill(201), 201, 401]);
});

test('a request whose token has lost a scope changes nothing', async () => {
  const { tokenId, request } = await createCaller();
  await service.service.database.transaction((tx) =>
    tx.db.updateTable('tokens').set({ scopes: '["status:read"]' }).where('token_id', '=', tokenId).execute(),
  );
  await expect(openChange(request)).rejects.toMatchObject({ code: 'insufficient_scope' });
});
