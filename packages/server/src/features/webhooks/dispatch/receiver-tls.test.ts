import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { registerTestDevice } from '@tps/testing/device';
import {
  type CertificatePair,
  createTestAuthority,
  issueSelfSigned,
  type TestAuthority,
} from '@tps/testing/network';
import { useReceivers } from '@tps/testing/receiver';
import { registerTestWebhook, type TestWebhook, useTestService, WEBHOOK_ENV } from '@tps/testing/service';
import { beforeAll, describe, expect, test, vi } from 'vitest';

const GIVES_UP_WITHIN = { timeout: 60_000, interval: 50 };
const UNTRUSTED = "The receiver's certificate is not trusted";

/** Named in SERVICE_WEBHOOK_CA_FILE. */
let trusted: TestAuthority;
let unknown: TestAuthority;
const folder = mkdtempSync(join(tmpdir(), 'tps-receiver-'));
const CA_FILE = join(folder, 'ca.pem');

beforeAll(() => {
  trusted = createTestAuthority();
  unknown = createTestAuthority();
  writeFileSync(CA_FILE, trusted.ca);
  return () => {
    trusted.remove();
    unknown.remove();
    rmSync(folder, { recursive: true });
  };
});
const startReceiver = useReceivers();
const receive = (tls: CertificatePair, http2 = false) => startReceiver({ tls, http2 });
const service = useTestService({ env: { ...WEBHOOK_ENV, SERVICE_WEBHOOK_CA_FILE: CA_FILE } });

/** Accepts one event of a tenant whose only webhook points there. */
async function pushTo(url: string): Promise<TestWebhook> {
  const tenant = await service.createTenant();
  const webhook = await registerTestWebhook(service, { url, tenant });
  const device = await registerTestDevice(service, { tenant });
  expect((await device.post(device.event())).status).toBe(201);
  return webhook;
}

/** They mostly wait, so they run concurrently. */
describe.concurrent('a receiver', () => {
  test.each([
    ['that is self-signed', () => issueSelfSigned(), UNTRUSTED],
    ['of an unknown authority', () => unknown.issue(), UNTRUSTED],
    ['that has expired', () => trusted.issue({ days: -1 }), "The receiver's certificate has expired"],
    [
      'for another name',
      () => trusted.issue({ names: 'DNS:elsewhere.test' }),
      "The receiver's certificate is for another name",
    ],
  ])(
    'with a certificate %s receives nothing; the dead letter names the certificate',
    async (_, issue, error) => {
      const receiver = await receive(issue());
      const webhook = await pushTo(receiver.url);
      const entry = await vi.waitFor(async () => {
        const [found] = await webhook.deadLetters();
        if (!found) throw new Error('there is no dead letter yet');
        return found;
      }, GIVES_UP_WITHIN);
      expect(entry).toMatchObject({ attempts: 3, last_status: null, last_error: error });
      expect(receiver.requests).toEqual([]);
    },
  );

  test.each([
    ['with a certificate of the private authority that was configured', false],
    ['that speaks only HTTP/2', true],
  ])('%s receives its events', async (_, http2) => {
    const receiver = await receive(trusted.issue(), http2);
    const webhook = await pushTo(receiver.url);
    await vi.waitFor(
      async () =>
        expect(await webhook.deliveries()).toMatchObject([
          { status: 'delivered', attempts: 1, last_status: 200 },
        ]),
      GIVES_UP_WITHIN,
    );
    expect(receiver.requests).toHaveLength(1);
  });
});
