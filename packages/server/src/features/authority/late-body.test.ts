import { SCOPES } from '@tps/contract';
import { type SlowAnswer, sendHead, useTestService } from '@tps/testing/service';
import { ManualClock } from '@tps/testing/time';
import { expect, test } from 'vitest';
import { TenantDeletion } from '../tenants/index.ts';

const clock = new ManualClock(Date.now());
const service = useTestService({ clock });
const body = JSON.stringify({ name: 'p', threat_categories: ['phishing'], action: 'warn' });
const request = { method: 'POST', path: '/policies', body };

function expectRefusal(answer: SlowAnswer): void {
  expect(answer.text).toContain('"invalid_credentials"');
  expect(answer.status).toBe(401);
}

test('a credential that expired before the body arrived changes nothing', async () => {
  const { tenantId } = service.tenant;
  const credential = await service.createCredential(tenantId, SCOPES, clock.now() + 20_000);
  const [early, late] = [
    await sendHead(service, { ...request, credential }),
    await sendHead(service, { ...request, credential }),
  ];
  clock.advance(19_999);
  expect((await early.finish()).status).toBe(201);
  clock.advance(1);
  expectRefusal(await late.finish());
});

test('a late body changes nothing in a tenant that is being deleted', async () => {
  const { tenantId, credential } = await service.createTenant();
  const byTenant = await sendHead(service, { ...request, credential });
  const byOperator = await sendHead(service, {
    ...request,
    credential: service.operatorCredential,
    body: JSON.stringify({ ...JSON.parse(body), tenant_id: tenantId }),
  });
  const { database } = service.service;
  await new TenantDeletion({ database, clock }).begin(tenantId, 30);
  expectRefusal(await byTenant.finish());
  const answer = await byOperator.finish();
  expect(answer.text).toContain('"not_found"');
  expect(answer.status).toBe(404);
});
