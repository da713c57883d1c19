import { SCOPES, type Scope } from '@tps/contract';
import { useFixture } from '@tps/testing/fixture';
import { useTestService, WEBHOOK_ENV } from '@tps/testing/service';
import { describe, expect, test } from 'vitest';
import { ENDPOINTS, type Endpoint } from './endpoint-table.ts';
import { type DocumentedOperation, documentedOperations } from './openapi-document.ts';
import { callOperation } from './operation-requests.ts';
import { type PopulatedTenant, populateTenant } from './populated-tenant.ts';

const service = useTestService({ env: WEBHOOK_ENV });
/** A tenant that is only read, so that all reading operations can share it. */
const untouched = useFixture(() => populateTenant(service));

/** What a successful answer contains of the tenant, so that an empty list or a made-up answer does not count. */
const SHOWN: Readonly<Record<string, (ids: PopulatedTenant['ids']) => string>> = {
  'GET /devices': ({ device }) => device,
  'POST /devices': () => '"status":"active"',
  'GET /threats': ({ threat }) => threat,
  'GET /events': ({ event }) => event,
  'POST /events': ({ device }) => device,
  'GET /alerts': ({ alert }) => alert,
  'GET /incidents': ({ incident }) => incident,
  'GET /incidents/{id}': ({ incident }) => incident,
  'PATCH /incidents/{id}': () => '"seen"',
  'GET /jobs': ({ job }) => job,
  'POST /jobs': () => '"status":"queued"',
  'GET /jobs/{id}': ({ trace }) => trace,
  'POST /jobs/{id}/cancel': () => '"status":"cancelled"',
  'POST /jobs/{id}/review': () => '"status":"running"',
  'GET /jobs/audit': ({ job }) => job,
  'GET /jobs/{id}/audit': () => 'job.create',
  'GET /jobs/{id}/steps': () => '"review_gate"',
  'GET /jobs/{id}/artifacts': ({ artifact }) => artifact,
  'GET /artifacts/{id}': ({ job }) => job,
  'GET /traces/{id}': ({ job }) => job,
  'GET /traces/{id}/steps': () => '"load_inputs"',
  'GET /tokens': ({ token }) => token,
  'POST /tokens': () => 'svc_live_',
  'GET /tokens/audit': ({ token }) => token,
  'GET /tokens/{id}': ({ token }) => token,
  'GET /tokens/{id}/audit': () => 'token.create',
  'DELETE /tokens/{id}': () => '',
  'POST /scan': () => '"scan_id"',
  'GET /status': () => '"at_risk"',
  'GET /webhooks': ({ webhook }) => webhook,
  'POST /webhooks': () => '"webhook_id"',
  'GET /webhooks/dlq': ({ dead_letter: entry }) => entry,
  'POST /webhooks/dlq': () => '"delivery_id"',
  'DELETE /webhooks/dlq': () => '',
  'GET /guidance': () => '"gui_phishing',
};

const nameOf = ({ method, path }: Endpoint) => `${method} ${path}`;

function documented({ method, path }: Endpoint): DocumentedOperation {
  const found = documentedOperations.find(
    (operation) => operation.method === method && operation.path === path,
  );
  if (!found) throw new Error(`docs/openapi.json lacks ${method} ${path}`);
  return found;
}

test('the table has 35 endpoints, each with an expected content', () => {
  expect(ENDPOINTS).toHaveLength(35);
  expect(ENDPOINTS.map(nameOf).sort()).toEqual(Object.keys(SHOWN).sort());
});

describe.each(ENDPOINTS.map((endpoint) => ({ name: nameOf(endpoint), endpoint })))(
  '$name',
  ({ name, endpoint }) => {
    test('is in the document with its scope and its success status', () => {
      const { scope, legacyScope, answers } = documented(endpoint);
      expect({ scope, legacyScope }).toEqual({ scope: endpoint.scope, legacyScope: endpoint.legacyScope });
      expect(answers).toContain(String(endpoint.success));
    });

    const scopes = [endpoint.scope, ...(endpoint.legacyScope ? [endpoint.legacyScope] : [])];
    test.each(scopes)('answers a credential with only %s as documented', async (scope) => {
      const operation = documented(endpoint);
      const subject = endpoint.method === 'GET' ? untouched : await populateTenant(service);
      const credential = await service.createCredential(subject.tenant.tenantId, [scope as Scope]);
      const answer = await callOperation(service.client, operation, {
        subject,
        credential,
        // Reads all pages: credentials of other tests are newer than the subject's own token.
        query: operation.parameters.some(({ name }) => name === 'limit') ? { limit: '100' } : {},
      });
      expect(answer.status, answer.text).toBe(endpoint.success);
      expect(answer.text).toContain(SHOWN[name]?.(subject.ids));
    });

    test('refuses a request without a credential, and one with all other scopes', async () => {
      const subject = untouched;
      const others = SCOPES.filter((scope) => !scopes.includes(scope));
      const credential = await service.createCredential(subject.tenant.tenantId, others);
      const call = (given: string | undefined) =>
        callOperation(service.client, documented(endpoint), { subject, credential: given });
      expect((await call(credential)).body).toMatchObject({
        error: { code: 'insufficient_scope', status: 403 },
      });
      expect((await call(undefined)).body).toMatchObject({
        error: { code: 'missing_credentials', status: 401 },
      });
    });
  },
);
