import { startDiscoveryStandIn } from '@tps/testing/network';
import { spawnService } from '@tps/testing/process';
import { useReceivers } from '@tps/testing/receiver';
import { testFetch, WEBHOOK_ENV } from '@tps/testing/service';
import { createTestStore } from '@tps/testing/store';
import { waitUntil } from '@tps/testing/time';
import { expect, onTestFinished, test } from 'vitest';

const startReceiver = useReceivers();

test('the program reaches its collector, a provider and a webhook without the fetch of Node', async () => {
  const [collector, receiver] = [await startReceiver(), await startReceiver()];
  const provider = await startDiscoveryStandIn();
  onTestFinished(provider.close);
  const store = await createTestStore('empty');
  onTestFinished(store.drop);
  const service = await spawnService({
    env: {
      ...WEBHOOK_ENV,
      SERVICE_DATABASE_URL: store.url,
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_BSP_SCHEDULE_DELAY: '20',
      OTEL_METRIC_EXPORT_INTERVAL: '100',
    },
  });
  const send = async (method: string, path: string, body: object) => {
    const response = await testFetch(`${service.baseUrl}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${service.credentials().admin}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify(body),
    });
    return { status: response.status, body: (await response.json()) as Record<string, string> };
  };

  const settings = { issuer: provider.issuer, client_id: 'tps', client_secret: 'secret-of-the-client' };
  const signOn = await send('PUT', '/sign-on', { ...settings, allowed_domains: ['example.com'] });
  expect(signOn).toMatchObject({ status: 200 });
  const wanted = { url: receiver.url, secret: 'a-secret-of-thirty-two-characters' };
  const webhook = await send('POST', '/webhooks', wanted);
  await send('POST', `/webhooks/${webhook.body.webhook_id}/test`, {});
  await receiver.waitFor(1);
  const isCollected = (path: string) => collector.requests.some((one) => one.path.endsWith(path));
  await waitUntil(() => isCollected('/v1/traces') && isCollected('/v1/metrics'));
});
