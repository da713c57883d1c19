import { createDeviceClient, generateDeviceKey } from '@tps/agent';
import type { CreatedToken } from '@tps/contract';
import { createEvent, registerDevice, toDeviceClient } from '@tps/simulator';
import { findCredentialsFile, type SpawnedService, spawnService } from '@tps/testing/process';
import { createTestStore } from '@tps/testing/store';
import { describe, expect, onTestFinished, test } from 'vitest';

const IS_SQLITE = process.env.TEST_STORE !== 'postgres';
const LIMIT = 30;

interface Cluster {
  readonly nodes: readonly [SpawnedService, SpawnedService];
  readonly tenant: { readonly tenantId: string; readonly credential: string };
}

/** Starts two nodes at the same moment on one empty PostgreSQL. */
async function startCluster(env: Record<string, string> = {}): Promise<Cluster> {
  const store = await createTestStore('empty');
  onTestFinished(store.drop);
  const options = { env: { ...env, SERVICE_DATABASE_URL: store.url } };
  const nodes = await Promise.all([spawnService(options), spawnService(options)]);
  const [first] = nodes.filter((node) => findCredentialsFile(node.output()));
  if (!first) throw new Error('neither node wrote credentials');
  const { tenantId, admin } = first.credentials();
  return { nodes, tenant: { tenantId, credential: admin } };
}

function call(
  node: SpawnedService,
  path: string,
  { credential, method = 'GET', body }: Call,
): Promise<Response> {
  return fetch(`${node.baseUrl}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${credential}`,
      ...(body ? { 'content-type': 'application/json' } : {}),
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
}

type Call = { credential: string; method?: string; body?: object };

describe.skipIf(IS_SQLITE)('two nodes on one PostgreSQL', () => {
  test('start together on an empty database: both serve, and one writes credentials', async () => {
    const { nodes, tenant } = await startCluster();
    const writing = nodes.filter((node) => findCredentialsFile(node.output()));
    expect(writing).toHaveLength(1);
    for (const node of nodes) expect((await call(node, '/status', tenant)).status).toBe(200);
  });

  test(`admit exactly ${LIMIT} of the concurrent requests to both`, async () => {
    const { nodes, tenant } = await startCluster({ SERVICE_RATE_LIMIT_PER_MINUTE: String(LIMIT) });
    const answers: Response[] = [];
    // Few at a time: a node that waits 500 ms for the store limits alone, which a slow machine would cause with all at once.
    while (answers.length < 4 * LIMIT) {
      const both = Array.from({ length: 10 }, (_, index) =>
        call(nodes[index % 2 === 0 ? 0 : 1], '/status', tenant),
      );
      answers.push(...(await Promise.all(both)));
    }
    const admitted = answers.filter(({ status }) => status === 200);
    expect(admitted).toHaveLength(LIMIT);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(3 * LIMIT);
    const remaining = admitted.map(({ headers }) => Number(headers.get('x-ratelimit-remaining')));
    expect(remaining.sort((a, b) => a - b)).toEqual(Array.from({ length: LIMIT }, (_, index) => index));
    for (const node of nodes) expect(node.output()).not.toContain('shared rate limiter failed');
  });

  test('refuse a token as soon as the other node has confirmed its revocation', async () => {
    const { nodes, tenant } = await startCluster();
    const [a, b] = nodes;
    for (let round = 0; round < 5; round += 1) {
      const made = await call(a, '/tokens', {
        ...tenant,
        method: 'POST',
        body: { name: 'short-lived', scopes: ['status:read'] },
      });
      const { token_id, token = '' } = (await made.json()) as CreatedToken;
      expect((await call(b, '/status', { credential: token })).status).toBe(200);
      const revoked = await call(a, `/tokens/${token_id}`, { ...tenant, method: 'DELETE' });
      expect(revoked.status).toBe(204);
      expect((await call(b, '/status', { credential: token })).status).toBe(401);
    }
  });

  test('refuse a device as soon as the other node has confirmed its revocation', async () => {
    const { nodes, tenant } = await startCluster();
    const [a, b] = nodes;
    const device = await registerDevice({ baseUrl: a.baseUrl, ...tenant });
    const viaB = toDeviceClient(device, b);
    // Node B has cached the key now.
    expect((await viaB.submitEvent(createEvent(device))).status).toBe(201);
    const body = { status: 'revoked' };
    const revoked = await call(a, `/devices/${device.deviceId}`, { ...tenant, method: 'PATCH', body });
    expect(revoked.status).toBe(200);
    await expect(viaB.submitEvent(createEvent(device))).rejects.toMatchObject({
      status: 403,
      code: 'device_revoked',
    });
    await expect(viaB.submitEvents([createEvent(device), createEvent(device)])).rejects.toMatchObject({
      code: 'device_revoked',
    });
  });

  test('accept only the new device key as soon as the other node has confirmed it', async () => {
    const { nodes, tenant } = await startCluster();
    const [a, b] = nodes;
    const device = await registerDevice({ baseUrl: a.baseUrl, ...tenant });
    const { deviceId } = device;
    const withOldKey = toDeviceClient(device, b);
    expect((await withOldKey.submitEvent(createEvent(device))).status).toBe(201);
    const key = await generateDeviceKey('ecdsa-p256-sha256');
    await toDeviceClient(device, a).rotateKey(key);

    await expect(withOldKey.submitEvent(createEvent(device))).rejects.toMatchObject({
      status: 401,
      code: 'invalid_signature',
    });
    const withNewKey = createDeviceClient({
      baseUrl: b.baseUrl,
      credential: tenant.credential,
      deviceId,
      tenantId: device.tenantId,
      key,
    });
    expect((await withNewKey.submitEvent(createEvent(device))).status).toBe(201);
  });
});
