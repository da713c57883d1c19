import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { registerTestDevice } from '@tps/testing/device';
import { useFixture } from '@tps/testing/fixture';
import { createTestAuthority, startDnsStandIn } from '@tps/testing/network';
import { startReceiver } from '@tps/testing/receiver';
import { registerTestWebhook, useTestService, WEBHOOK_ENV } from '@tps/testing/service';
import { afterAll, afterEach, describe, expect, test, vi } from 'vitest';

const SOON = { timeout: 60_000, interval: 20 };
const REJECTED = { status: 400, body: { error: { code: 'webhook_url_rejected' } } };

/** Only 127.0.0.1 of this machine: the receivers of the tests listen there. */
const NETWORKS = '10.20.0.0/16,fd12:3456::/32,127.0.0.1/32,0.0.0.0/0';

const folder = mkdtempSync(join(tmpdir(), 'tps-networks-'));
afterAll(() => rmSync(folder, { recursive: true }));

const dns = useFixture(startDnsStandIn, { close: (server) => server.close() });
const authority = useFixture(() => Promise.resolve(createTestAuthority()), {
  close: ({ remove }) => remove(),
});
const receiver = useFixture(
  () => startReceiver({ tls: authority.issue({ names: 'DNS:siem.test,IP:127.0.0.1' }) }),
  { close: (started) => started.close() },
);
const service = useTestService(() => {
  const caFile = join(folder, 'ca.pem');
  writeFileSync(caFile, authority.ca);
  return {
    env: {
      SERVICE_SECRET_KEY_B64: WEBHOOK_ENV.SERVICE_SECRET_KEY_B64,
      SERVICE_WEBHOOK_DNS_SERVERS: `${dns.address.host}:${dns.address.port}`,
      SERVICE_WEBHOOK_ALLOWED_NETWORKS: NETWORKS,
      SERVICE_WEBHOOK_CA_FILE: caFile,
    },
  };
});

function register(url: string) {
  const { credential } = service.tenant;
  const body = { url, secret: 'a-secret-of-thirty-two-characters' };
  return service.client.send('POST', '/webhooks', { credential, body });
}

/** Registers the only webhook of a new tenant, and sends it an event. */
async function push(url: string, beforeEvent = () => {}) {
  const tenant = await service.createTenant();
  const webhook = await registerTestWebhook(service, { url, tenant });
  beforeEvent();
  const device = await registerTestDevice(service, { tenant });
  await device.post(device.event());
  return webhook;
}

describe('a receiver in a network that the operator has named', () => {
  test('receives events over https with a certificate of the own authority', async () => {
    dns.answer('siem.test', ['127.0.0.1']);
    const webhook = await push(`https://siem.test:${receiver.port}/hook`);
    await vi.waitFor(
      async () => expect(await webhook.deliveries()).toMatchObject([{ status: 'delivered' }]),
      SOON,
    );
    expect(receiver.requests.at(-1)?.headers['x-service-signature']).toMatch(/^[0-9a-f]{64}$/);
  });

  test.each([
    'https://10.20.1.2/',
    'https://[::ffff:10.20.1.2]/',
    'https://[64:ff9b::a14:102]/',
    'https://[2002:a14:102::1]/',
    'https://[fd12:3456::1]/',
    'https://192.168.1.1/',
  ])('can be registered as %s', async (url) => expect((await register(url)).status).toBe(201));
});

describe('a target is refused although a wide network contains it', () => {
  afterEach(() => expect(receiver.connections).toBeLessThanOrEqual(1));

  const HOSTS = [
    ...['127.0.0.2', '127.1.1.1', '169.254.169.254', '169.254.1.1', '100.100.100.200', '168.63.129.16'],
    ...[
      '0.0.0.0',
      '224.0.0.1',
      '255.255.255.255',
      '[::1]',
      '[::]',
      '[fe80::1]',
      '[fd00:ec2::254]',
      '[ff02::1]',
    ],
    ...[
      '[::ffff:127.0.0.2]',
      '[::ffff:169.254.169.254]',
      '[64:ff9b::7f00:2]',
      '[2002:7f00:2::]',
      'localhost',
    ],
  ];
  test.each(HOSTS)('%s', async (host) => {
    expect(await register(`https://${host}:${receiver.port}/`)).toMatchObject(REJECTED);
  });

  test('plain http in a named network', async () => {
    expect(await register(`http://10.20.1.2:${receiver.port}/`)).toMatchObject(REJECTED);
    expect(await register(`http://127.0.0.1:${receiver.port}/`)).toMatchObject(REJECTED);
  });

  test.each([
    ['loopback', ['127.0.0.2']],
    ['loopback over IPv6', ['::1']],
    ['mapped loopback', ['::ffff:127.0.0.2']],
    ['loopback behind NAT64', ['64:ff9b::7f00:2']],
    ['loopback behind 6to4', ['2002:7f00:2::1']],
    ['metadata of a cloud', ['169.254.169.254']],
    ['metadata over IPv6', ['fd00:ec2::254']],
    ['a named address and loopback', ['10.20.0.1', '127.0.0.2']],
  ])('a name that changes to %s after registration', async (_, addresses) => {
    dns.answer('turning.test', ['10.20.0.1']);
    const webhook = await push(`https://turning.test:${receiver.port}/`, () =>
      dns.answer('turning.test', addresses),
    );
    await vi.waitFor(async () => {
      const entries = await webhook.deadLetters();
      expect(entries).toMatchObject([
        { attempts: 1, last_error: 'The host of the URL has an address that is not public' },
      ]);
    }, SOON);
  });
});
