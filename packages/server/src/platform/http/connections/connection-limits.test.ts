import { describe, expect, test } from 'vitest';
import { loadConfig } from '../../config/config.ts';
import { readDescriptorLimit, toConnectionLimits } from './connection-limits.ts';

const limitsOf = (env: Record<string, string>, descriptors?: number) =>
  toConnectionLimits(loadConfig(env), descriptors);

describe('the limit of connections', () => {
  test('is 10000, and 512 of one address, where there are descriptors enough', () => {
    const usual = { total: 10_000, perAddress: 512 };
    expect(limitsOf({}, 1_048_576)).toEqual(usual);
    expect(limitsOf({}, undefined)).toEqual(usual);
  });

  test('leaves descriptors to the store, deliveries and all other work', () => {
    expect(limitsOf({}, 1024)).toEqual({ total: 790, perAddress: 395 });
    expect(limitsOf({ SERVICE_DATABASE_POOL_SIZE: '200' }, 1024).total).toBe(600);
    expect(limitsOf({ SERVICE_MAX_CONNECTIONS: '5000' }, 1024).total).toBe(790);
    expect(limitsOf({}, 64).total).toBe(16);
  });

  test('of one address is the configured one, and all behind a trusted proxy', () => {
    expect(limitsOf({ SERVICE_MAX_CONNECTIONS_PER_ADDRESS: '7' }).perAddress).toBe(7);
    expect(limitsOf({ SERVICE_RATE_LIMIT_TRUST_PROXY: 'true' }).perAddress).toBe(10_000);
  });
});

test.runIf(process.platform === 'linux')('the limit of descriptors of this process is known', () => {
  expect(readDescriptorLimit()).toBeGreaterThan(64);
});
