import { SCOPES, type Scope } from '@tps/contract';
import {
  type SlowAnswer,
  sendHead,
  useTestService,
  WEBHOOK_ENV,
  watchAdmissions,
} from '@tps/testing/service';
import { dumpTables } from '@tps/testing/store';
import { describe, expect, test } from 'vitest';
import { type DocumentedOperation, documentedOperations } from './openapi-document.ts';
import { RECIPES, toRequest } from './operation-requests.ts';
import { type PopulatedTenant, populateTenant } from './populated-tenant.ts';

const service = useTestService({ env: WEBHOOK_ENV });

// Some reads take a body, and are answered with the authority that they began with, as a GET is.
const writing = documentedOperations.filter(
  ({ method, scope }) => scope !== undefined && method !== 'GET' && !scope.endsWith(':read'),
);
/** All operations check the credential again in the same code, except that another thread stores events. */
const kindOf = ({ method, path }: DocumentedOperation) => `${method} ${path.startsWith('/events')}`;
const oneOfEachKind = [...new Map(writing.map((operation) => [kindOf(operation), operation])).values()];
const onThisStore = process.env.TEST_STORE === 'postgres' ? oneOfEachKind : writing;
const named = onThisStore.map((operation) => ({
  name: `${operation.method} ${operation.path}`,
  operation,
}));

/** The requests of a test, made with a credential that a test ends. */
interface Attack {
  readonly subject: PopulatedTenant;
  readonly credential: string;
  readonly tokenId: string;
}

async function prepare(operation: DocumentedOperation): Promise<Attack> {
  const subject = await populateTenant(service);
  const { granted = [] } = RECIPES[operation.operationId] ?? {};
  const scopes = [operation.scope as Scope, 'tokens:write' as const, ...granted];
  const body = { name: 'stolen', scopes: [...new Set(scopes)] };
  const made = await service.client.send('POST', '/tokens', { credential: subject.tenant.credential, body });
  const { token, token_id: tokenId } = made.body as { token: string; token_id: string };
  return { subject, credential: token, tokenId };
}

async function revoke({ subject, tokenId }: Attack): Promise<void> {
  const { credential } = subject.tenant;
  expect((await service.client.send('DELETE', `/tokens/${tokenId}`, { credential })).status).toBe(204);
}

/** Tables that the service changes by itself, and what in their rows is not its own work. */
const SHARED: Readonly<Record<string, (row: Record<string, unknown>) => unknown>> = {
  tokens: ({ last_used_at: _used, ...row }) => row,
  // It also writes notices about the protection of the tenant, and sends them all.
  notices: ({ cause, notice_id }) => (cause === 'test' ? notice_id : ''),
  data_requests: ({ request_id, kind, created_by }) => ({ request_id, kind, created_by }),
};

/** Everything stored, except what the service writes on its own. */
async function readStore(): Promise<ReadonlyMap<string, string[]>> {
  const dumps = await dumpTables(service.service.database);
  const own = /^(?:rate_limit_|secret_key_holders$|protection_states$)/;
  for (const table of dumps.keys()) if (own.test(table)) dumps.delete(table);
  for (const [table, pick] of Object.entries(SHARED)) {
    const rows = (dumps.get(table) ?? []).map((row) => JSON.stringify(pick(JSON.parse(row))));
    dumps.set(table, rows.filter((row) => row !== '""').sort());
  }
  return dumps;
}

function expectRefusal(answer: SlowAnswer): void {
  expect(answer.text).toContain('"invalid_credentials"');
  expect(answer.status).toBe(401);
}

describe.each(named.filter(({ operation }) => operation.bodySchema))('$name', ({ operation }) => {
  test('changes nothing for a credential that is revoked before the body arrives', async () => {
    const attack = await prepare(operation);
    const { subject, credential } = attack;
    const request = await toRequest(operation, { subject });
    const slow = await sendHead(service, { ...request, body: request.body ?? '', credential });
    await revoke(attack);
    const before = await readStore();
    expectRefusal(await slow.finish());
    expect(await readStore()).toEqual(before);
  });
});

describe.each(named.filter(({ operation }) => !operation.bodySchema))('$name', ({ operation }) => {
  test('changes nothing for a credential that is revoked before the transaction', async () => {
    const attack = await prepare(operation);
    const { subject, credential, tokenId } = attack;
    const { method, path } = await toRequest(operation, { subject });
    const { database } = service.service;
    const sent = await database.transaction(async (tx) => {
      // The request has no body to hold back: it waits for this transaction instead.
      const mine = tx.db.selectFrom('tokens').select('token_id').where('token_id', '=', tokenId);
      await (tx.engine === 'postgres' ? mine.forUpdate() : mine).execute();
      const admissions = await watchAdmissions(service, credential);
      const answer = service.client.send(method, path, { credential });
      await admissions.admitted(1);
      await tx.db.updateTable('tokens').set({ revoked_at: 1 }).where('token_id', '=', tokenId).execute();
      // Wrapped, because the answer comes only after this transaction.
      return { answer };
    });
    const before = await readStore();
    expectRefusal(await sent.answer);
    expect(await readStore()).toEqual(before);
  });
});

test('an operator credential that has ended changes nothing either', async () => {
  const subject = await populateTenant(service);
  const { tenantId } = subject.tenant;
  const credential = await service.createCredential(null, SCOPES);
  const body = JSON.stringify({ tenant_id: tenantId, name: 'more', scopes: ['status:read'] });
  const slow = await sendHead(service, { method: 'POST', path: '/tokens', credential, body });
  await service.service.database.transaction((tx) =>
    tx.db
      .updateTable('tokens')
      .set({ revoked_at: 1 })
      .where('tenant_id', '=', '')
      .where('name', '=', 'test')
      .execute(),
  );
  const before = await readStore();
  expectRefusal(await slow.finish());
  expect(await readStore()).toEqual(before);
});

test('a repeated Idempotency-Key does not answer a credential that has ended', async () => {
  const createToken = writing.find(({ operationId }) => operationId === 'createToken');
  if (!createToken) throw new Error('the document lacks createToken');
  const attack = await prepare(createToken);
  const { credential } = attack;
  const body = JSON.stringify({ name: 'again', scopes: ['tokens:write'] });
  const headers = { 'idempotency-key': 'once' };
  const first = await sendHead(service, { method: 'POST', path: '/tokens', credential, body, headers });
  expect((await first.finish()).status).toBe(201);
  const repeat = await sendHead(service, { method: 'POST', path: '/tokens', credential, body, headers });
  await revoke(attack);
  expectRefusal(await repeat.finish());
});
