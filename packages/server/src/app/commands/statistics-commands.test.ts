import { runCommand } from '@tps/testing/process';
import { useTestDatabase } from '@tps/testing/store';
import { expect, test } from 'vitest';
import { LiveFeed } from '../../features/events/derive/testing/live-feed.ts';
import { tenantStore } from '../../features/tenants/index.ts';

const store = useTestDatabase({ exclusive: false });
const run = (...args: string[]) => runCommand(['statistics', ...args], { SERVICE_DATABASE_URL: store.url });

test('the operator counts the statistics of a tenant again', async () => {
  const feed = new LiveFeed(store.database);
  const { tenantId } = feed;
  await store.database.transaction((tx) =>
    tenantStore.create(
      tx,
      { tenantId, name: 'counted', environment: 'test', rateLimitPerMinute: null },
      feed.clock.now(),
    ),
  );
  const event = {
    type: 'risk.event.created',
    threat_category: 'phishing',
    confidence: 0.9,
    action_taken: 'block',
    policy_id: 'pol_1',
    severity: 'high',
  } as const;
  await feed.play([{ kind: 'event', event, device: 1, agoMs: 0, corrects: null, endsTransaction: true }]);
  const { code, printed, output } = await run('rebuild', '--tenant', tenantId, '--json');
  expect(code, output).toBe(0);
  expect(JSON.parse(printed)).toEqual([{ tenant_id: tenantId, events: 1, incidents: 1, scans: 0 }]);
  expect(await run('rebuild', '--tenant', 'tnt_missing')).toMatchObject({ code: 1 });
});

test('the operator sees that no statistics are older than 24 months', async () => {
  const { code, printed } = await run('service');
  expect([code, printed.trim()]).toEqual([0, 'No statistics are older than 24 months.']);
});
