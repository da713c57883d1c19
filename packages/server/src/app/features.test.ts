import { createTestStore } from '@tps/testing/store';
import { ManualClock } from '@tps/testing/time';
import { expect, onTestFinished, test } from 'vitest';
import { loadConfig } from '../platform/config/config.ts';
import { createLogger } from '../platform/logger.ts';
import { openFeatures } from './features.ts';
import { openShared } from './service/open-shared.ts';
import { serviceChecks } from './service/service-checks.ts';
import type { Closers } from './service/service-options.ts';

async function open() {
  const store = await createTestStore();
  const config = loadConfig({
    SERVICE_DATABASE_URL: store.url,
    SERVICE_NOTICE_URL: 'https://operator.example.test/notices',
  });
  const opened: Closers = [];
  onTestFinished(async () => {
    for (const close of opened.reverse()) await close();
    await store.drop();
  });
  const outlet = { publish: () => undefined, confirm: () => undefined, withdraw: () => undefined };
  const options = { config, logger: createLogger({ level: 'silent' }), clock: new ManualClock(), outlet };
  const shared = await openShared(options, opened);
  const features = await openFeatures(shared, options, opened);
  return { shared, all: features.all };
}

test('maintenance gets the chores of all features', async () => {
  const { all } = await open();
  const isShared = process.env.TEST_STORE !== 'sqlite';
  expect(all.flatMap(({ chores = {} }) => Object.keys(chores)).sort()).toEqual([
    'authorization server',
    'invitations',
    ...(isShared ? ['rate limiter'] : []),
    'removed indicators',
    'sign-ins',
    'silent devices',
    'token usage',
  ]);
  // Of devices, webhooks and notices.
  expect(all.filter(({ purgeTenant }) => purgeTenant)).toHaveLength(3);
});

test('the operator is notified of each component, the store, the disk and the certificate', async () => {
  const { shared, all } = await open();
  const names = serviceChecks(shared, all).map(({ name }) => name);
  expect(names.sort()).toEqual([
    'certificate',
    'deliveries',
    'disk',
    'events',
    'jobs',
    'scans',
    'store',
    'webhooks',
  ]);
});

test('deliveries, jobs, data requests, notices, watches and maintenance run beside requests', async () => {
  const { all } = await open();
  const loops = all.flatMap((feature) => feature.loops ?? []).map((loop) => loop.constructor.name);
  expect(loops).toEqual([
    'Dispatcher',
    'JobWorker',
    'DataRequestWorker',
    'PollingLoop',
    'PollingLoop',
    'NoticeDispatcher',
    'ProtectionWatch',
    'ServiceWatch',
  ]);
});
