import { refuseDeletes, useTestDatabase } from '@tps/testing/store';
import { ManualClock } from '@tps/testing/time';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createServiceLimiter, type ServiceLimiter } from '../../app/service/create-limiter.ts';
import type { Config } from '../../platform/config/config.ts';
import { loadConfig } from '../../platform/config/config.ts';
import { createLogger } from '../../platform/logger.ts';
import type { TenantId } from '../../platform/tenant-id.ts';
import { SilenceWatch } from '../devices/index.ts';
import { TenantService } from '../tenants/tenant-service.ts';
import { TokenAuthenticator } from '../tokens/index.ts';
import { runMaintenance } from './run-maintenance.ts';

const clock = new ManualClock();
const logger = createLogger({ level: 'silent' });
const store = useTestDatabase();
let config: Config;
let limiter: ServiceLimiter;

beforeAll(() => {
  config = loadConfig({ SERVICE_DATABASE_URL: store.url });
  limiter = createServiceLimiter({ config, database: store.database, clock, logger });
});

afterAll(async () => {
  await limiter.close();
});

function start(signal = new AbortController().signal): Promise<void> {
  const { database } = store;
  return runMaintenance({
    database,
    clock,
    limiter,
    signal,
    authenticator: new TokenAuthenticator({ database, clock, logger }),
    silence: new SilenceWatch({ database, clock, ...config.monitoring }),
  });
}

/** Creates a tenant with the nonce of a signature that is no longer accepted. */
async function createTenant(): Promise<TenantId> {
  const { database } = store;
  // Tenants are processed in the order of their creation.
  clock.advance(1);
  return database.transaction(async (tx) => {
    const wanted = { name: 'x', environment: 'test' } as const;
    const { tenantId } = await new TenantService({ database, clock }).create(tx, wanted);
    await tx.insertMany('request_nonces', [
      { tenant_id: tenantId, device_id: 'dev_x', bucket: 1, nonce: 'x' },
    ]);
    return tenantId;
  });
}

async function listUnpurged(): Promise<string[]> {
  const rows = await store.database.read.db.selectFrom('request_nonces').select('tenant_id').execute();
  return rows.map((row) => row.tenant_id);
}

test('a tenant whose maintenance fails does not stop that of others, and the error names it', async () => {
  const [, broken] = [await createTenant(), await createTenant(), await createTenant()];
  const release = await refuseDeletes(store.database, { table: 'request_nonces', tenantId: broken });
  await expect(start()).rejects.toThrow(new RegExp(`^1 failed: ${broken}: .*refused`));
  expect(await listUnpurged()).toEqual([broken]);
  await release();
  await start();
  expect(await listUnpurged()).toEqual([]);
});

test('maintenance yields between tenants, and an abort ends it there', async () => {
  await Promise.all(Array.from({ length: 50 }, createTenant));
  const controller = new AbortController();
  const reason = new Error('stop');
  let turns = 0;
  const turn = () => {
    turns += 1;
    // By then, the tasks before the tenants have run.
    if (turns === 10) controller.abort(reason);
    else setImmediate(turn);
  };
  setImmediate(turn);
  await expect(start(controller.signal)).rejects.toBe(reason);
  expect((await listUnpurged()).length).toBeGreaterThan(30);
  await start();
  expect(await listUnpurged()).toEqual([]);
});
