import { SCOPES, type Scope } from '@tps/contract';
import { mintCredential } from '@tps/server/store';
import { useFixture } from '@tps/testing/fixture';
import { type TestAnswer, useTestService, WEBHOOK_ENV } from '@tps/testing/service';
import { IS_SOAK } from '@tps/testing/soak';
import { beforeAll, describe, expect, test } from 'vitest';
import { createMachineClient } from './access-token.ts';
import { type DocumentedOperation, documentedOperations, methodsAt } from './openapi-document.ts';
import { callOperation, RECIPES, type Variation } from './operation-requests.ts';
import { type IdName, type PopulatedTenant, populateTenant } from './populated-tenant.ts';

// Decided before any store is read, except for the credential, whose lookup the tests of tokens cover on both stores.
const isEdge = process.env.TEST_STORE !== 'postgres';
const edgeTest = test.runIf(isEdge);

/** Credentials of the subject with one scope each, and access tokens of an OAuth client with one scope each. */
const credentialOf = new Map<Scope, string>();
const accessTokenOf = new Map<Scope, string>();
let refusedCredentials: string[];

const service = useTestService({ env: { ...WEBHOOK_ENV, SERVICE_RATE_LIMIT_TRUST_PROXY: 'true' } });
const subject = useFixture(() => populateTenant(service));
const other = useFixture(() => populateTenant(service));

beforeAll(async () => {
  const { tenantId, credential } = subject.tenant;
  for (const scope of SCOPES) credentialOf.set(scope, await service.createCredential(tenantId, [scope]));
  const getToken = await createMachineClient(service, { credential, scopes: SCOPES });
  for (const scope of SCOPES) accessTokenOf.set(scope, await getToken([scope]));
  const unknown = mintCredential('live').reveal();
  const expired = await service.createCredential(tenantId, SCOPES, Date.now() - 1);
  const body = { name: 'short-lived', scopes: SCOPES };
  const made = await service.client.send('POST', '/tokens', { credential, body });
  const revoked = made.body as { token_id: string; token: string };
  await service.client.send('DELETE', `/tokens/${revoked.token_id}`, { credential });
  refusedCredentials = [
    'nonsense',
    'svc_live_short',
    `${unknown.slice(0, -1)}~`,
    unknown,
    expired,
    revoked.token,
  ];
});

const guarded = documentedOperations.filter(({ scope }) => scope !== undefined);
const open = documentedOperations.filter(({ scope }) => scope === undefined);
const nameOf = ({ method, path }: DocumentedOperation) => `${method} ${path}`;
const named = (operations: readonly DocumentedOperation[]) =>
  operations.map((operation) => ({ name: nameOf(operation), operation }));

const isEnough = (scope: Scope, { scope: needed, legacyScope }: DocumentedOperation) =>
  scope === needed || scope === legacyScope;

const call = (operation: DocumentedOperation, variation: Variation & { subject?: PopulatedTenant }) =>
  callOperation(service.client, operation, { subject, ...variation });

/** The tenant that an operation may change. Reading operations share one. */
async function tenantFor({ method }: DocumentedOperation): Promise<PopulatedTenant> {
  return method === 'GET' ? subject : populateTenant(service);
}

/** Names the tenant where the operation expects it: in the body if it has one, otherwise in the query. */
function naming(operation: DocumentedOperation, tenantId: string): Partial<Variation> {
  return operation.bodySchema
    ? { changeBody: (body) => ({ ...body, tenant_id: tenantId }) }
    : { query: { tenant_id: tenantId } };
}

function withoutTenant(body: object): object {
  const { tenant_id: _tenant, ...rest } = body as { tenant_id?: unknown };
  return rest;
}

function expectRefusal(answer: TestAnswer, status: number, code: string): void {
  expect({ status: answer.status, body: answer.body }).toMatchObject({
    status,
    body: { error: { code, status } },
  });
}

function expectDone(answer: TestAnswer): void {
  expect(answer.status, answer.text).toBeGreaterThanOrEqual(200);
  expect(answer.status, answer.text).toBeLessThan(300);
}

test('the matrix contains exactly the operations of the document', () => {
  expect(guarded.map(({ operationId }) => operationId).sort()).toEqual(Object.keys(RECIPES).sort());
  expect(open.map(nameOf)).toEqual(['GET /healthz', 'GET /readyz', 'GET /openapi.json', 'GET /docs']);
});

describe.each(named(guarded))('$name', ({ operation }) => {
  /** Each change that succeeds needs a new tenant, which takes 0.15 s. The others show that changes are accepted. */
  const isRepeated = IS_SOAK || operation.method === 'GET';

  test('accepts the credential of a tenant, and returns no data of another one', async () => {
    const fresh = await tenantFor(operation);
    const answer = await call(operation, { subject: fresh, credential: fresh.tenant.credential });
    expectDone(answer);
    const everything = `${answer.text} ${JSON.stringify([...answer.headers])}`;
    for (const theirs of [other.tenant.tenantId, ...Object.values(other.ids)]) {
      expect(everything).not.toContain(theirs);
    }
  });

  edgeTest('accepts a credential with only its scope', async () => {
    const fresh = await tenantFor(operation);
    const { granted = [] } = RECIPES[operation.operationId] ?? {};
    const scopes = [...new Set([operation.scope as Scope, ...granted])];
    const credential = await service.createCredential(fresh.tenant.tenantId, scopes);
    expectDone(await call(operation, { subject: fresh, credential }));
  });

  edgeTest('refuses a request without a credential', async () => {
    const answer = await call(operation, { credential: undefined });
    expectRefusal(answer, 401, 'missing_credentials');
    expect(answer.headers.get('www-authenticate')).toBe('Bearer');
  });

  edgeTest('refuses malformed, unknown, expired and revoked credentials in the same way', async () => {
    const answers: TestAnswer[] = [];
    for (const credential of refusedCredentials) answers.push(await call(operation, { credential }));
    for (const answer of answers) {
      expectRefusal(answer, 401, 'invalid_credentials');
      expect(answer.headers.get('www-authenticate')).toBe('Bearer');
      expect(answer.text).toBe(answers[0]?.text);
    }
  });

  edgeTest('refuses a credential with all other scopes', async () => {
    const scopes = SCOPES.filter((scope) => !isEnough(scope, operation));
    const credential = await service.createCredential(subject.tenant.tenantId, scopes);
    expectRefusal(await call(operation, { credential }), 403, 'insufficient_scope');
  });

  edgeTest('refuses each other scope alone', async () => {
    for (const [scope, credential] of credentialOf) {
      if (isEnough(scope, operation)) continue;
      expectRefusal(await call(operation, { credential }), 403, 'insufficient_scope');
    }
  });

  test.runIf(isEdge && isRepeated)('accepts an access token with only its scope', async () => {
    const fresh = await tenantFor(operation);
    const { granted = [] } = RECIPES[operation.operationId] ?? {};
    const scopes = [...new Set([operation.scope as Scope, ...granted])];
    const getToken = await createMachineClient(service, { ...fresh.tenant, scopes });
    expectDone(await call(operation, { subject: fresh, credential: await getToken() }));
  });

  // One decision refuses both kinds of credentials: the operations take turns with the scopes of access tokens.
  edgeTest('refuses an access token with other scopes alone', async () => {
    const others = [...accessTokenOf].filter(([scope]) => !isEnough(scope, operation));
    const turn = guarded.indexOf(operation);
    const some = IS_SOAK ? others : [0, 1, 2].map((at) => others[(turn + at) % others.length]);
    for (const [, credential] of some.filter((one) => one !== undefined)) {
      expectRefusal(await call(operation, { credential }), 403, 'insufficient_scope');
    }
  });

  edgeTest('requires an operator to name a tenant', async () => {
    const credential = service.operatorCredential;
    expectRefusal(await call(operation, { credential, changeBody: withoutTenant }), 400, 'tenant_required');
  });

  test('accepts an operator who names an existing tenant, and reports an unknown one', async () => {
    const fresh = await tenantFor(operation);
    const credential = service.operatorCredential;
    const named = naming(operation, fresh.tenant.tenantId);
    const missing = naming(operation, 'tnt_nobody');
    expectRefusal(await call(operation, { ...missing, subject: fresh, credential }), 404, 'not_found');
    expectDone(await call(operation, { ...named, subject: fresh, credential }));
  });

  test("refuses another tenant's id", async () => {
    const { credential } = subject.tenant;
    const foreign = naming(operation, other.tenant.tenantId);
    expectRefusal(await call(operation, { ...foreign, credential }), 403, 'tenant_mismatch');
  });

  test.runIf(isRepeated)("accepts the id of the credential's own tenant", async () => {
    const fresh = await tenantFor(operation);
    const { credential, tenantId } = fresh.tenant;
    expectDone(await call(operation, { ...naming(operation, tenantId), subject: fresh, credential }));
  });

  edgeTest('refuses an unknown query parameter by its name', async () => {
    const { credential } = subject.tenant;
    const answer = await call(operation, { credential, query: { surprise: '1' } });
    expectRefusal(answer, 400, 'invalid_parameter');
    expect(answer.text).toContain('surprise');
  });
});

describe.each(named(guarded.filter(({ legacyScope }) => legacyScope)))('$name', ({ operation }) => {
  test('accepts a credential with only its legacy scope', async () => {
    const fresh = await tenantFor(operation);
    const credential = await service.createCredential(fresh.tenant.tenantId, [
      operation.legacyScope as Scope,
    ]);
    expectDone(await call(operation, { subject: fresh, credential }));
  });
});

describe.each(named(guarded.filter(({ bodySchema }) => bodySchema)))('$name', ({ operation }) => {
  edgeTest('refuses an unknown member by its name', async () => {
    const { credential } = subject.tenant;
    const changeBody = (body: object) => ({ ...body, surprise: 1 });
    const answer = await call(operation, { credential, changeBody });
    expectRefusal(answer, 400, 'invalid_field');
    expect(answer.text).toContain('surprise');
  });
});

describe.each(named(guarded.filter(({ path }) => path.includes('{id}'))))('$name', ({ operation }) => {
  test("answers another tenant's id like an unknown id", async () => {
    const { credential } = subject.tenant;
    const noun = RECIPES[operation.operationId]?.id ?? 'device';
    const theirs = other.ids[noun];
    const before = await readAsOwner(noun);
    const nobodys = `${theirs.slice(0, 4)}${'0'.repeat(26)}`;
    // Like an attacker who even has the other tenant's device.
    const intruder = { ...subject, device: other.device };
    const foreign = await call(operation, { subject: intruder, credential, id: theirs });
    const missing = await call(operation, { subject: intruder, credential, id: nobodys });
    expectRefusal(foreign, 404, 'not_found');
    expect(foreign.text).toBe(missing.text);
    expect([...foreign.headers.keys()]).toEqual([...missing.headers.keys()]);
    expect(await readAsOwner(noun), 'it is as it was').toEqual(before);
  });
});

/** The object as the other tenant reads it. */
async function readAsOwner(noun: IdName): Promise<unknown> {
  const read = documentedOperations.find(
    ({ method, operationId, path }) =>
      method === 'GET' && path.endsWith('/{id}') && RECIPES[operationId]?.id === noun,
  );
  if (!read) throw new Error(`no operation reads one ${noun}`);
  const answer = await call(read, { subject: other, credential: other.tenant.credential });
  expectDone(answer);
  return answer.body;
}

describe.each(named(open))('$name', ({ operation }) => {
  test('answers with and without a credential', async () => {
    for (const credential of [undefined, 'nonsense', subject.tenant.credential]) {
      const options = credential === undefined ? {} : { credential };
      const answer = await service.client.send(operation.method, operation.path, options);
      expect(answer.status, answer.text).toBeLessThan(400);
    }
  });
});

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];
const paths = [...new Set(documentedOperations.map(({ path }) => path))];

describe.each(paths.map((template, index) => ({ template, index })))('$template', ({ template, index }) => {
  const path = template.replace('{id}', 'some-id');
  const allowed = methodsAt(path);
  // A separate address for each path: one may send 600 such requests a minute, and there are more.
  const headers = { 'x-forwarded-for': `192.0.2.${index}` };

  edgeTest.each(METHODS.filter((method) => !allowed.includes(method)))(
    'refuses %s and says what is allowed',
    async (method) => {
      const response = await fetch(`${service.baseUrl}${path}`, { method, headers });
      const text = await response.text();
      expect(response.status).toBe(405);
      expect(response.headers.get('allow')?.split(', ').sort()).toEqual(allowed);
      if (method !== 'HEAD') expect(text).toContain('method_not_allowed');
    },
  );
});
