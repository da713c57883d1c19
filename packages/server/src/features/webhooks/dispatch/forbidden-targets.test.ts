import { registerTestDevice } from '@tps/testing/device';
import { useFixture } from '@tps/testing/fixture';
import { startDnsStandIn } from '@tps/testing/network';
import { startReceiver } from '@tps/testing/receiver';
import { registerTestWebhook, useTestService, WEBHOOK_ENV } from '@tps/testing/service';
import { afterEach, describe, expect, test, vi } from 'vitest';

const PUBLIC = '93.184.216.34';
const SECRET = 'a-secret-of-thirty-two-characters';

/** This machine, its network and its cloud, in spellings that get past text checks. */
const HOSTS = [
  ...['127.0.0.1', '127.1', '127.255.255.254', '2130706433', '0x7f000001', '0x7f.1', '017700000001'],
  ...[
    '0177.0.0.1',
    '127.0.0.1.',
    '%31%32%37.0.0.1',
    '１２７.０.０.１',
    '①②⑦.⓪.⓪.①',
    '127。0。0。1',
    '0',
    '0.0.0.0',
  ],
  ...['10.0.0.1', '012.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.1.1', '3232235777', '100.64.0.1'],
  ...['169.254.169.254', '2852039166', '0xa9fea9fe', '0251.0376.0251.0376', '169.254.43518'],
  ...['100.100.100.200', '168.63.129.16', '192.0.0.192', '198.18.0.1', '224.0.0.1', '255.255.255.255'],
  ...['[::1]', '[0:0:0:0:0:0:0:1]', '[::]', '[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '[::127.0.0.1]'],
  ...['[::ffff:169.254.169.254]', '[64:ff9b::127.0.0.1]', '[2002:7f00:1::]', '[fe80::1]', '[fd00:ec2::254]'],
  ...['localhost', 'LOCALHOST', 'localhost.', 'api.localhost', 'ｌｏｃａｌｈｏｓｔ', '%6cocalhost'],
];
const URLS = [
  ...HOSTS.map((host) => `https://${host}/hook`),
  ...['http://hooks.test/', 'http://127.0.0.1/', 'ftp://hooks.test/', 'file:///etc/passwd', '//hooks.test/'],
  ...['gopher://127.0.0.1:6379/_FLUSHALL', 'https:hooks.test', 'https:///hooks.test', 'hooks.test'],
  ...['https://user:password@hooks.test/', 'https://hooks.test@127.0.0.1/', 'https://127.0.0.1#@hooks.test/'],
  ...[
    'https://hooks.test\\@127.0.0.1/',
    'https://hooks.test/\n',
    ' https://hooks.test/',
    'https://hooks.test:0/',
  ],
  ...['https://unknown.test/', 'https://silent.test/'],
];
/** What name servers may return, at registration or later. */
const ANSWERS: readonly (readonly [string, readonly string[]])[] = [
  ['loopback', ['127.0.0.1']],
  ['loopback over IPv6', ['::1']],
  ['mapped loopback', ['::ffff:127.0.0.1']],
  ['private', ['10.1.2.3']],
  ['metadata of a cloud', ['169.254.169.254']],
  ['unspecified', ['0.0.0.0']],
  ['public and private', [PUBLIC, '192.168.0.1']],
];

const dns = useFixture(startDnsStandIn, { close: (server) => server.close() });
const victim = useFixture(() => startReceiver(), { close: (receiver) => receiver.close() });
const service = useTestService(() => ({
  env: {
    SERVICE_SECRET_KEY_B64: WEBHOOK_ENV.SERVICE_SECRET_KEY_B64,
    SERVICE_WEBHOOK_DNS_SERVERS: `${dns.address.host}:${dns.address.port}`,
  },
}));
afterEach(() => {
  expect(victim.connections).toBe(0);
});

function register(url: string) {
  const { credential } = service.tenant;
  return service.client.send('POST', '/webhooks', { credential, body: { url, secret: SECRET } });
}

const REJECTED = { status: 400, body: { error: { code: 'webhook_url_rejected' } } };

test(`none of ${URLS.length} hostile URLs becomes a webhook, on any port`, async () => {
  dns.answer('hooks.test', [PUBLIC]);
  dns.ignore('silent.test');
  expect(URLS.length).toBeGreaterThanOrEqual(60);
  expect(new Set(URLS).size).toBe(URLS.length);
  // The silent name server takes seconds: all of them run at once.
  const answers = await Promise.all(URLS.map(register));
  for (const [index, answer] of answers.entries()) expect(answer, URLS[index]).toMatchObject(REJECTED);
  for (const host of HOSTS) {
    expect(await register(`https://${host}:${victim.port}/`), host).toMatchObject(REJECTED);
  }
  // The same tenant can register a harmless URL: the URLs were the reason for the rejections.
  expect((await register('https://hooks.test/')).status).toBe(201);
});

describe.each(ANSWERS)('a name whose address is %s', (_, addresses) => {
  test('is rejected for a new webhook and for an existing one', async () => {
    dns.answer('inside.test', addresses);
    dns.answer('outside.test', [PUBLIC]);
    expect(await register(`https://inside.test:${victim.port}/`)).toMatchObject(REJECTED);
    const webhook = await registerTestWebhook(service, { url: 'https://outside.test/' });
    const body = { url: `https://inside.test:${victim.port}/` };
    expect(await webhook.send('PATCH', '', body)).toMatchObject(REJECTED);
    expect(await webhook.read()).toMatchObject({ url: 'https://outside.test/' });
    await webhook.send('DELETE');
  });

  test('is not called if it was public at registration: a dead letter after one attempt', async () => {
    dns.answer('turning.test', [PUBLIC]);
    const tenant = await service.createTenant();
    const url = `https://turning.test:${victim.port}/`;
    const webhook = await registerTestWebhook(service, { url, tenant });
    dns.answer('turning.test', addresses);
    const device = await registerTestDevice(service, { tenant });
    await device.post(device.event());
    const entry = await vi.waitFor(
      async () => {
        const [found] = await webhook.deadLetters();
        if (!found) throw new Error('there is no dead letter yet');
        return found;
      },
      { timeout: 60_000, interval: 20 },
    );
    expect(entry).toMatchObject({
      attempts: 1,
      last_status: null,
      last_error: 'The host of the URL has an address that is not public',
    });
    // The response reveals nothing about the internal network.
    expect(JSON.stringify(entry)).not.toContain(addresses[0]);
  });
});

test('a name is resolved for each attempt: public at the lookup, private at the call', async () => {
  let questions = 0;
  const tenant = await service.createTenant();
  // IPv4 only: each lookup asks for either kind, and only the first, at registration, gets a public address.
  dns.answer('rebinding.test', (type) => {
    if (type !== 'A') return [];
    questions += 1;
    return questions === 1 ? [PUBLIC] : ['127.0.0.1'];
  });
  const webhook = await registerTestWebhook(service, {
    url: `https://rebinding.test:${victim.port}/`,
    tenant,
  });
  const device = await registerTestDevice(service, { tenant });
  await device.post(device.event());
  await vi.waitFor(async () => expect(await webhook.deadLetters()).toMatchObject([{ attempts: 1 }]), {
    timeout: 60_000,
    interval: 20,
  });
  expect(questions).toBe(2);
});
