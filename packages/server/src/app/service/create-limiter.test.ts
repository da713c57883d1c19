import { getStatus } from '@tps/contract';
import { useTestDatabase } from '@tps/testing/store';
import { ManualClock } from '@tps/testing/time';
import { expect, test } from 'vitest';
import { loadConfig } from '../../platform/config/config.ts';
import { createLogger } from '../../platform/logger.ts';
import type { TenantId } from '../../platform/tenant-id.ts';
import { createServiceLimiter } from './create-limiter.ts';

const store = useTestDatabase();
/** More than a limiter in memory holds. */
const ADDRESSES = 100_001;

// A shared store forgets no key.
test.runIf(process.env.TEST_STORE === 'sqlite')(
  'requests from any number of addresses do not make a tenant start again',
  async () => {
    const limiter = createServiceLimiter({
      config: loadConfig({ SERVICE_DATABASE_URL: store.url, SERVICE_RATE_LIMIT_PER_MINUTE: '3' }),
      database: store.database,
      clock: new ManualClock(),
      logger: createLogger({ level: 'silent' }),
    });
    const caller = { tokenId: 'tok_1', tenantId: 'tnt_1' as TenantId, scopes: [], expiresAtMs: null };
    const ask = () => limiter.requests.admit({ caller, limit: null }, getStatus);
    for (let sent = 0; sent < 3; sent += 1) expect((await ask()).allowed).toBe(true);
    for (let address = 0; address < ADDRESSES; address += 1) {
      await limiter.limiter.admit(`open unknown 2001:db8:${address.toString(16)}::/64`, 600);
    }
    expect((await ask()).allowed).toBe(false);
  },
);
