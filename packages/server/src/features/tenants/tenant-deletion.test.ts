import { beforeAll, expect, test, vi } from 'vitest';
import { DAY_MS, HOUR_MS, SOON, usePushScene } from '../webhooks/deliveries/testing/push-scene.ts';
import { TenantDeletion } from './tenant-deletion.ts';
import { TenantService } from './tenant-service.ts';

let deletion: TenantDeletion;
let tenants: TenantService;

const scene = usePushScene();

beforeAll(async () => {
  const parts = { database: scene.service.service.database, clock: scene.clock };
  deletion = new TenantDeletion(parts);
  tenants = new TenantService(parts);
});

const statusOf = async (credential: string, path = '/status') =>
  (await scene.service.client.send('GET', path, { credential })).status;

test('a tenant being deleted is unknown to its credentials and to operators until restored', async () => {
  const { tenant, call } = await scene.createSender();
  const { operatorCredential } = scene.service;
  const asOperator = () => statusOf(operatorCredential, `/status?tenant_id=${tenant.tenantId}`);
  expect([await statusOf(tenant.credential), await asOperator()]).toEqual([200, 200]);

  await deletion.begin(tenant.tenantId, 30);
  const refused = await call('GET', '/status');
  const unknown = await scene.service.client.send('GET', '/status', {
    credential: tenant.credential.replace(/.$/, (last) => (last === 'x' ? 'y' : 'x')),
  });
  expect(refused.status).toBe(401);
  const bodyOf = ({ body }: typeof refused) => ({ ...(body as object), request_id: '' });
  expect(bodyOf(refused)).toEqual(bodyOf(unknown));
  expect(await asOperator()).toBe(404);
  await expect(tenants.get(tenant.tenantId)).rejects.toMatchObject({ code: 'not_found' });
  await expect(tenants.setRateLimit(tenant.tenantId, 5)).rejects.toMatchObject({ code: 'not_found' });
  await expect(tenants.setTriage(tenant.tenantId, 5)).rejects.toMatchObject({ code: 'not_found' });

  await deletion.restore(tenant.tenantId);
  expect([await statusOf(tenant.credential), await asOperator()]).toEqual([200, 200]);
});

test('a tenant being deleted receives no deliveries; a restore resumes its active webhooks only', async () => {
  let isUp = false;
  const receiver = await scene.receive(() => ({ status: isUp ? 200 : 503 }));
  const sender = await scene.createSender();
  const webhook = await sender.register(receiver.url);
  const disabled = await sender.register(receiver.url);
  await disabled.send('PATCH', '', { status: 'disabled' });
  // Another tenant's retry falls due at the same moment: both would be sent in the same round.
  const other = await scene.createSender();
  const elsewhere = await scene.receive(() => ({ status: isUp ? 200 : 503 }));
  const otherWebhook = await other.register(elsewhere.url);
  await sender.send();
  await other.send();
  for (const each of [webhook, otherWebhook]) {
    await vi.waitFor(async () => {
      expect(await each.deliveries()).toMatchObject([{ status: 'pending', attempts: 1 }]);
    }, SOON);
  }

  await deletion.begin(sender.tenant.tenantId, 30);
  isUp = true;
  scene.clock.advance(HOUR_MS);
  await vi.waitFor(async () => {
    expect(await otherWebhook.deliveries()).toMatchObject([{ status: 'delivered' }]);
  }, SOON);
  expect(receiver.requests).toHaveLength(1);

  scene.clock.advance(DAY_MS);
  await deletion.restore(sender.tenant.tenantId);
  await receiver.waitFor(2);
  await vi.waitFor(async () => {
    expect(await webhook.deliveries()).toMatchObject([{ status: 'delivered', attempts: 2 }]);
  }, SOON);
  expect(await webhook.read()).toMatchObject({ status: 'active', disabled_reason: null });
  expect(await disabled.read()).toMatchObject({ status: 'disabled', disabled_reason: 'requested' });
});
