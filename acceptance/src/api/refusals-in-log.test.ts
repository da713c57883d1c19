import { SCOPES, type Scope } from '@tps/contract';
import { signRequest } from '@tps/signatures';
import { useFixture } from '@tps/testing/fixture';
import { type TestAnswer, useTestService, WEBHOOK_ENV } from '@tps/testing/service';
import { waitUntil } from '@tps/testing/time';
import { describe, expect, test } from 'vitest';
import { type DocumentedOperation, documentedOperations, methodsAt } from './openapi-document.ts';
import { callOperation, RECIPES, type Variation } from './operation-requests.ts';
import { populateTenant } from './populated-tenant.ts';

// Decided before any store is read, except for the credential: one store is enough.
const onceTest = test.runIf(process.env.TEST_STORE !== 'postgres');

const service = useTestService({ env: { ...WEBHOOK_ENV, SERVICE_ACCESS_LOG: 'true' } });
const subject = useFixture(() => populateTenant(service));

const guarded = documentedOperations.filter(({ scope }) => scope !== undefined);

interface Line {
  readonly log?: string;
  readonly requestId?: string;
  readonly status?: number;
  readonly code?: string;
  readonly tenantId?: string | null;
  readonly deviceId?: string;
}

/** Lines of one request: that of the log, then that of the access log. */
async function linesOf(requestId: string | null): Promise<readonly Line[]> {
  const read = () =>
    service
      .log()
      .split('\n')
      .filter((line) => line.includes(`"requestId":"${requestId}"`) && line.includes('"status":'))
      .map((line) => JSON.parse(line) as Line);
  await waitUntil(() => read().length === 2);
  return read().sort((a, b) => (a.log ?? '').localeCompare(b.log ?? ''));
}

async function expectLogged({ status, body, headers }: TestAnswer): Promise<readonly Line[]> {
  const { code } = (body as { error: { code: string } }).error;
  const lines = await linesOf(headers.get('x-request-id'));
  expect(lines).toMatchObject([
    { status, code },
    { log: 'access', status, code },
  ]);
  return lines;
}

async function refusalsOf(operation: DocumentedOperation): Promise<readonly Variation[]> {
  const { tenant } = subject;
  const { credential } = tenant;
  const isEnough = (scope: Scope) => [operation.scope, operation.legacyScope].includes(scope);
  const others = SCOPES.filter((scope) => !isEnough(scope));
  return [
    { credential: undefined },
    { credential: 'svc_live_nothing' },
    { credential: await service.createCredential(tenant.tenantId, others) },
    { credential, query: { surprise: '1' } },
    ...(operation.path.includes('{id}') ? [{ credential, id: 'none' }] : []),
    ...(operation.bodySchema
      ? [{ credential, changeBody: (body: object) => ({ ...body, surprise: 1 }) }]
      : []),
  ];
}

describe.each(guarded.map((operation) => ({ name: `${operation.method} ${operation.path}`, operation })))(
  '$name',
  ({ operation }) => {
    onceTest('has the code of each refusal in both logs', async () => {
      for (const variation of await refusalsOf(operation)) {
        const answer = await callOperation(service.client, operation, { ...variation, subject });
        expect(answer.status, answer.text).toBeGreaterThanOrEqual(400);
        const [line] = await expectLogged(answer);
        if (answer.status === 401) continue;
        expect(line?.tenantId).toBe(subject.tenant.tenantId);
        const namesDevice = operation.signatureTag || RECIPES[operation.operationId]?.id === 'device';
        if (namesDevice && variation.id === undefined) expect(line?.deviceId).toMatch(/^dev_/);
      }
    });
  },
);

onceTest.each([...new Set(documentedOperations.map(({ path }) => path))])(
  'a method that %s does not have is in both logs',
  async (template) => {
    const path = template.replace('{id}', 'some-id');
    const method = ['PUT', 'PATCH', 'DELETE'].find((one) => !methodsAt(path).includes(one)) ?? '';
    const answer = await service.client.send(method, path, {});
    expect(answer.status).toBe(405);
    await expectLogged(answer);
  },
);

describe('people and OAuth clients', () => {
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  onceTest.each<[string, string, RequestInit, number, string]>([
    ['an unknown page', '/auth/nothing', {}, 404, 'not_found'],
    ['a page that has ended', '/auth/invitation?token=none', {}, 404, 'not_found'],
    ['a form of another site', '/auth/login', { method: 'POST', headers: form }, 403, 'insufficient_scope'],
    ['a type of body', '/auth/login', { method: 'POST', body: 'x' }, 415, 'unsupported_media_type'],
    ['no session', '/console/session', { method: 'POST' }, 403, 'insufficient_scope'],
    ['no grant', '/auth/token', { method: 'POST', headers: form, body: 'x=1' }, 400, 'invalid_request'],
    [
      'an unknown client',
      '/auth/token',
      { method: 'POST', headers: form, body: 'grant_type=client_credentials&client_id=x&client_secret=y' },
      401,
      'invalid_client',
    ],
    ['an unknown token', '/auth/userinfo', { headers: { authorization: 'Bearer x' } }, 401, 'invalid_token'],
    ['an authorization request', '/auth/authorize?client_id=x', {}, 400, 'invalid_client'],
  ])('%s is in both logs with its code', async (_, path, init, status, code) => {
    const answer = await fetch(`${service.baseUrl}${path}`, init);
    expect(answer.status).toBe(status);
    const lines = await linesOf(answer.headers.get('x-request-id'));
    expect(lines).toMatchObject([
      { status, code },
      { log: 'access', status, code },
    ]);
  });
});

onceTest.each([
  ['another path', { path: '/events/batch' }, 'invalid_signature'],
  ['a device that was never registered', { deviceId: 'dev_stranger' }, 'device_not_registered'],
])('an event signed with %s is in both logs with the device that it names', async (_, change, code) => {
  const { device, tenant } = subject;
  const { path = '/events', deviceId = device.deviceId } = change as { path?: string; deviceId?: string };
  const body = JSON.stringify(device.event());
  const { privateKey, algorithm } = device.key;
  const headers = await signRequest(
    { method: 'POST', path, body: Buffer.from(body) },
    { privateKey, algorithm, keyId: deviceId, tag: 'tps-event' },
  );
  const { credential, tenantId } = tenant;
  const answer = await service.client.send('POST', '/events', { credential, body, headers });
  expect(answer.body).toMatchObject({ error: { code } });
  const lines = await expectLogged(answer);
  for (const line of lines) expect(line).toMatchObject({ deviceId, tenantId });
});
