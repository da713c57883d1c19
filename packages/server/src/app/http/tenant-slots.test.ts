import { registerTestDevice } from '@tps/testing/device';
import { useTestService } from '@tps/testing/service';
import { expect, test } from 'vitest';
import { feedHeadStore } from '../../features/feed/index.ts';
import type { TenantId } from '../../platform/tenant-id.ts';

const CONNECTIONS = 4;
const service = useTestService({ env: { SERVICE_DATABASE_POOL_SIZE: String(CONNECTIONS) } });

/** Locks the feed of a tenant, as each change of its events does, until it is released. */
async function holdFeed(tenantId: TenantId) {
  let end: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  let holding: Promise<void> = Promise.resolve();
  await new Promise<void>((locked) => {
    holding = service.service.database.transaction(async (tx) => {
      await feedHeadStore.lock(tx, tenantId);
      locked();
      await ended;
    });
  });
  return {
    release: () => {
      end();
      return holding;
    },
  };
}

// SQLite has one writer, which waiting requests do not hold.
test.runIf(process.env.TEST_STORE === 'postgres')(
  'requests of one tenant that wait for a lock leave connections to the others',
  async () => {
    const { credential, tenantId } = service.tenant;
    const { deviceId } = await registerTestDevice(service);
    const other = await service.createTenant();
    const lock = await holdFeed(tenantId);
    const revocations = Array.from({ length: CONNECTIONS }, () =>
      service.client.send('PATCH', `/devices/${deviceId}`, { credential, body: { status: 'revoked' } }),
    );
    const status = await service.client.send('GET', '/status', { credential: other.credential });
    await lock.release();
    expect(status.status).toBe(200);
    expect((await Promise.all(revocations)).map((answer) => answer.status)).toEqual([200, 200, 200, 200]);
  },
);
