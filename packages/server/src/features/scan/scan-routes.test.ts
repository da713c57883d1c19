import { createHash } from 'node:crypto';
import type { ScanResult } from '@tps/contract';
import { createDetector } from '@tps/detection';
import { loadShippedModels } from '@tps/detection/node';
import { registerTestDevice } from '@tps/testing/device';
import { useFixture } from '@tps/testing/fixture';
import { startTestService, useTestService } from '@tps/testing/service';
import { describe, expect, onTestFinished, test } from 'vitest';

const URL = 'https://parcel-desk.example/pay?id=77';
const LISTED = 'listed.example.org';
const FILE = Buffer.from('not really malware');
/** The smallest valid PNG. */
const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNgYGBgAAAABQABpfZFQAAAAABJRU5ErkJggg==';
const hex = (content: string | Buffer) => createHash('sha256').update(content).digest('hex');

// A busy machine may start a thread slowly. Other tests cover the deadline.
const service = useTestService({ env: { SERVICE_SCAN_DEADLINE_MS: '20000' } });
const device = useFixture(async () => registerTestDevice(service, { tenant: await service.createTenant() }), {
  scope: 'test',
});

async function report(indicators: string[], members: object = {}): Promise<void> {
  const answer = await device.post(device.event({ indicators, ...members }));
  expect(answer.status, answer.text).toBe(201);
}

function send(body: object, headers: Record<string, string> = {}) {
  return service.client.send('POST', '/scan', {
    credential: device.tenant.credential,
    body,
    headers,
  });
}

async function scan(body: object): Promise<ScanResult> {
  const answer = await send(body);
  expect(answer.status, answer.text).toBe(200);
  return answer.body as ScanResult;
}

function ownFindings({ findings }: ScanResult) {
  return findings.filter(({ detector }) => detector === 'tenant_indicators');
}

describe('content with an indicator that a device has reported', () => {
  test.each([
    ['a URL', [URL], { type: 'url', content: URL }],
    ['a link in a text', [URL], { type: 'text', content: `Your parcel waits: ${URL}.` }],
    ['a file', [`sha256:${hex(FILE)}`], { type: 'file', content_b64: FILE.toString('base64') }],
    ['a file by its bare hash', [hex(FILE)], { type: 'media', content_b64: FILE.toString('base64') }],
    [
      'an app by its package',
      ['pkg:com.example.bad'],
      { type: 'app', app: { package_name: 'com.example.bad' } },
    ],
    [
      'an app by its certificate',
      [`cert:sha256:${hex('c')}`],
      { type: 'app', app: { package_name: 'a.b', certificate_sha256: hex('c').toUpperCase() } },
    ],
    [
      'a sender',
      ['sender-domain:board-mail.example'],
      { type: 'text', content: 'hello', context: { channel: 'email', sender: 'boss@Board-Mail.example' } },
    ],
  ])('is found with its threat: %s', async (_, indicators, body) => {
    await report(indicators);
    const result = await scan(body);
    expect(result).toMatchObject({
      status: 'completed',
      threat_detected: true,
      threat_type: 'known_indicator',
      threat_category: 'phishing',
      verdict: 'block',
    });
    expect(result.confidence).toBeGreaterThanOrEqual(0.9);
    expect(ownFindings(result)).toHaveLength(1);
    expect(result.details).toMatch(/thr_\w+ \(phishing, .*reported by 1 device of this tenant/);
  });

  test('gets the verdict warn if its threat has neither high severity nor high confidence', async () => {
    await report([URL], { severity: 'medium', confidence: 0.79 });
    expect((await scan({ type: 'url', content: URL })).verdict).toBe('warn');
  });

  test('shows how many devices have reported it', async () => {
    await report([URL]);
    const second = await registerTestDevice(service, { tenant: device.tenant });
    await second.post(second.event({ indicators: [URL] }));
    const result = await scan({ type: 'url', content: URL });
    expect(ownFindings(result)).toHaveLength(2);
    expect(result.details).toContain('2 devices');
  });

  test('is blocked for one high-severity threat among many milder, more confident ones', async () => {
    const many = Array.from({ length: 30 }, (_, index) => `sig:${index}`);
    for (const policy of ['a', 'b'])
      await report([...many, URL], { severity: 'low', confidence: 0.75, policy_id: `pol_${policy}` });
    const second = await registerTestDevice(service, { tenant: device.tenant });
    await second.post(second.event({ indicators: [URL], severity: 'critical', confidence: 0.5 }));
    const result = await scan({ type: 'url', content: URL });
    expect(result.verdict).toBe('block');
    expect(ownFindings(result)[0]).toMatchObject({ confidence: 0.5 });
    expect(result.findings[0]).toEqual(ownFindings(result)[0]);
    // Further threats with the same indicator do not raise the confidence.
    expect(result.confidence).toBeLessThan(0.75);
    expect(new Set(result.findings.map(({ evidence }) => evidence)).size).toBe(result.findings.length);
  });

  test('does not count after a correction of the only event that named it', async () => {
    await report(['sig:shared'], { event_id: 'evt_right' });
    await report([URL, 'sig:shared'], { event_id: 'evt_wrong' });
    await report(['sig:shared'], { action_taken: 'allow', corrects_event_id: 'evt_wrong' });
    expect(ownFindings(await scan({ type: 'url', content: URL }))).toEqual([]);
  });

  test('does not count after its threat was dismissed', async () => {
    await report([URL]);
    const { body } = await service.client.send('GET', '/incidents', device.tenant);
    const [incident] = (body as { data: { id: string }[] }).data;
    await service.client.send('PATCH', `/incidents/${incident?.id}`, {
      ...device.tenant,
      body: { status: 'resolved', resolution: 'false_positive' },
    });
    expect(ownFindings(await scan({ type: 'url', content: URL }))).toEqual([]);
  });
});

test.each([
  ['a message', 30],
  ['a text that is analyzed in a thread', 1500],
])('%s gets the same verdict and details as on a device', async (_, times) => {
  const content = 'v e r i f y раураl hxxp://a[.]net/x \ufdfa 👩\u200d👩 pa$$word '.repeat(times);
  const { status, verdict, details } = createDetector({ models: loadShippedModels() }).classify({
    type: 'text',
    text: content,
  });
  expect(await scan({ type: 'text', content })).toMatchObject({ status, verdict, details });
});

test('a harmless message is allowed, and the result names the model', async () => {
  const result = await scan({ type: 'text', content: 'See you at eight, bring the blue folder' });
  expect(result).toMatchObject({
    status: 'completed',
    threat_detected: false,
    threat_type: 'none',
    threat_category: null,
    verdict: 'allow',
  });
  expect(result.details).toMatch(/in this message: .* below the warning threshold of 0\.\d+/);
  expect(result.model_version).toBe(loadShippedModels().version);
});

describe('the language of the sentence', () => {
  const body = { type: 'url', content: 'https://www.example.com/news' };
  const ask = (headers: Record<string, string>) => send(body, headers);

  test('is chosen by Accept-Language, and the response names it', async () => {
    const answer = await ask({ 'accept-language': 'sv, de-AT;q=0.9, en;q=0.1' });
    expect(answer.headers.get('content-language')).toBe('de');
    expect(answer.headers.get('vary')).toBe('Accept-Language');
    expect(answer.body).toMatchObject({ language: 'de', details: expect.stringContaining('in diesem Link') });
  });

  test('is that of the first response when a request is repeated', async () => {
    const key = { 'idempotency-key': 'language' };
    const first = await ask({ ...key, 'accept-language': 'fr' });
    const second = await ask({ ...key, 'accept-language': 'it' });
    expect(second.text).toBe(first.text);
    expect(second.headers.get('content-language')).toBe('fr');
  });

  test('does not change the evidence of a threat of the tenant, which jobs read', async () => {
    await report([URL]);
    const answer = await send({ type: 'url', content: URL }, { 'accept-language': 'es' });
    const result = answer.body as ScanResult;
    expect(result.details).toContain('comunicado por 1 dispositivo');
    expect(ownFindings(result)[0]?.evidence).toMatch(/^an indicator of thr_/);
  });
});

describe('the conversation of a message', () => {
  const content = 'Can you write to me on WhatsApp?';

  test('is read, and neither stored nor logged', async () => {
    const canary = 'canary-in-a-conversation';
    const previous = [`Hello, how are you? ${canary}`];
    const context = { known_sender: false, previous };
    expect((await scan({ type: 'text', content })).verdict).toBe('allow');
    const { verdict, findings } = await scan({ type: 'text', content, context });
    expect([verdict, findings[0]?.detector]).toEqual(['warn', 'conversation']);
    const { db } = service.service.database.read;
    const scans = await db.selectFrom('scans').selectAll().execute();
    expect(JSON.stringify(scans)).not.toContain(canary);
    expect(service.log()).not.toContain(canary);
  });

  test.each([
    ['context.previous', { previous: Array.from({ length: 21 }, () => 'hello') }],
    ['context.previous[0]', { previous: ['x'.repeat(2_001)] }],
    ['context.known_sender', { known_sender: 'yes' }],
  ])('is rejected with the name of the field: %s', async (field, context) => {
    const answer = await send({ type: 'text', content, context });
    expect(answer.status).toBe(400);
    expect(answer.text).toContain(field);
  });
});

test.each([
  ['bytes of no known kind', { type: 'file', content_b64: Buffer.alloc(64, 0x9c).toString('base64') }],
  ['a picture without provenance data', { type: 'media', content_b64: PNG }],
  ['an app with only a package name', { type: 'app', app: { package_name: 'com.example.unheard' } }],
])('content that cannot be classified is unsupported, not allowed: %s', async (_, body) => {
  const result = await scan(body);
  expect(result).toMatchObject({
    status: 'unsupported',
    threat_detected: false,
    threat_type: 'none',
    confidence: 0,
    threat_category: null,
    verdict: 'warn',
    findings: [],
  });
  expect(result.details).toContain('not an all-clear');
});

test('a file is classified by its content', async () => {
  await report([URL]);
  const page = Buffer.from(`<p>Your parcel waits</p><a href="${URL}">pay</a>`);
  const result = await scan({ type: 'file', content_b64: page.toString('base64'), filename: 'page.html' });
  expect(result.status).toBe('completed');
  expect(result.details).toMatch(/\bthis file\b/i);
});

test("another tenant's indicators are not used", async () => {
  await report([URL]);
  const answer = await service.client.send('POST', '/scan', {
    credential: (await service.createTenant()).credential,
    body: { type: 'url', content: URL },
  });
  expect(ownFindings(answer.body as ScanResult)).toEqual([]);
});

describe('content that does not fit its type', () => {
  test.each([
    [{ type: 'url' }, 'missing_field', 'content is required'],
    [{ type: 'file', content: 'x' }, 'missing_field', 'content_b64 is required'],
    [{ type: 'app', content: 'x' }, 'missing_field', 'app is required'],
    [{ type: 'text', content: 'x', content_b64: 'eA==' }, 'invalid_field', 'content_b64 is not allowed'],
    [{ type: 'file', content_b64: 'eA=' }, 'invalid_field', 'content_b64 must be Base64'],
    [{ type: 'file', content_b64: 'e~==' }, 'invalid_field', 'content_b64 must be Base64'],
    [{ type: 'smell', content: 'x' }, 'invalid_field', 'type'],
    [{ type: 'text', content: 'x'.repeat(100_001) }, 'invalid_field', 'content'],
    [{ type: 'app', app: { package_name: 'a', sha256: 'zz' } }, 'invalid_field', 'sha256'],
  ])('is rejected with the name of the field: %j', async (body, code, words) => {
    const answer = await send(body);
    expect({ status: answer.status, text: answer.text }).toMatchObject({
      status: 400,
      text: expect.stringContaining(code),
    });
    expect(answer.text).toContain(words);
  });
});

test('a file of twelve megabytes is scanned, and a larger one is rejected', async () => {
  const large = Buffer.alloc(12_000_000, 7);
  await report([`sha256:${hex(large)}`]);
  expect(await scan({ type: 'file', content_b64: large.toString('base64') })).toMatchObject({
    status: 'completed',
  });
  const larger = Buffer.alloc(12_700_000, 7);
  expect((await send({ type: 'file', content_b64: larger.toString('base64') })).status).toBe(413);
});

test.each([
  ['a link', { type: 'url', content: URL }, { type: 'url', content: 'https://other.example/' }],
  [
    'a file',
    // Large enough to be transferred to a thread.
    { type: 'file', content_b64: Buffer.alloc(20_000, 'a').toString('base64') },
    { type: 'file', content_b64: Buffer.alloc(20_000, 'b').toString('base64') },
  ],
])('the same Idempotency-Key returns the same result: %s', async (_, body, other) => {
  const headers = { 'idempotency-key': 'scan-1' };
  const [first, second] = [await send(body, headers), await send(body, headers)];
  expect(first.status).toBe(200);
  expect(second.text).toBe(first.text);
  expect((await send(other, headers)).status).toBe(409);
});

test('concurrent scans with one key store one result, and a rejected one does not affect others', async () => {
  const headers = { 'idempotency-key': 'at-once' };
  const body = { type: 'url', content: URL };
  const other = { type: 'url', content: 'https://other.example/' };
  await send(body, headers);
  const answers = await Promise.all([
    ...Array.from({ length: 5 }, () => send(body, headers)),
    ...Array.from({ length: 3 }, () => send(other, headers)),
    ...Array.from({ length: 3 }, () => send(other, { 'idempotency-key': 'not a key' })),
    ...Array.from({ length: 3 }, () => send(other)),
  ]);
  expect(answers.map(({ status }) => status)).toEqual([
    ...Array(5).fill(200),
    ...Array(3).fill(409),
    ...Array(3).fill(400),
    ...Array(3).fill(200),
  ]);
  const ids = answers.flatMap(({ status, body }) => (status === 200 ? [(body as ScanResult).scan_id] : []));
  expect(new Set(ids).size).toBe(1 + 3);
});

test('without models the service starts as degraded and uses all other evidence', async () => {
  const bare = await startTestService({
    env: { SERVICE_SCAN_MODEL: '/nowhere/to/be.found', SERVICE_SCAN_DEADLINE_MS: '20000' },
  });
  onTestFinished(() => bare.stop());
  const phone = await registerTestDevice(bare, { tenant: bare.tenant });
  await phone.post(phone.event({ indicators: [URL] }));
  const { credential } = bare.tenant;
  const ask = (method: 'GET' | 'POST', path: string, body?: object) =>
    bare.client.send(method, path, { credential, ...(body && { body }) });
  expect((await ask('GET', '/status')).body).toMatchObject({
    status: 'degraded',
    reasons: expect.arrayContaining([expect.stringContaining('models could not be loaded')]),
    components: { scan: 'down' },
  });
  const indicator = {
    type: 'domain',
    value: LISTED,
    category: 'phishing',
    threat_type: 'known_indicator',
    confidence: 0.9,
  };
  expect((await ask('POST', '/indicators', { source: 'test', indicators: [indicator] })).status).toBe(200);
  const known = [
    { type: 'url', content: URL },
    { type: 'text', content: `Your parcel waits at ${LISTED}/pay` },
    { type: 'text', content: `${'so '.repeat(3_000)} see ${LISTED}/pay` },
    { type: 'file', content_b64: Buffer.from(`see https://${LISTED}/pay`).toString('base64') },
    { type: 'file', content_b64: Buffer.from('MZ').toString('base64'), filename: 'a.pdf.exe' },
  ];
  for (const { body } of await Promise.all(known.map((body) => ask('POST', '/scan', body))))
    expect(body).toMatchObject({ status: 'completed', verdict: 'block' });
  const unknown = [
    { type: 'text', content: 'hello' },
    { type: 'url', content: 'https://other.example/' },
    { type: 'file', content_b64: 'eA==' },
  ];
  for (const { body } of await Promise.all(unknown.map((body) => ask('POST', '/scan', body))))
    expect(body).toMatchObject({ status: 'unsupported', verdict: 'warn' });
});

test('the content is neither stored nor logged', async () => {
  const canary = 'canary-in-a-coal-mine';
  const answer = await send(
    { type: 'text', content: `${canary} https://${canary}.example/x`, filename: canary },
    { 'idempotency-key': 'canary' },
  );
  const { db } = service.service.database.read;
  const { tenantId } = device.tenant;
  const scans = await db.selectFrom('scans').selectAll().where('tenant_id', '=', tenantId).execute();
  const answers = await db
    .selectFrom('idempotency_keys')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .execute();
  const stored = JSON.stringify([scans, answers]);
  expect(stored).toContain((answer.body as ScanResult).scan_id);
  expect(stored).not.toContain(canary);
  expect(service.log()).not.toContain(canary);
});

test('the EICAR test file is blocked, and the finding says that it is harmless', async () => {
  const file = [
    ['X5O!P%@AP', '[4\\PZX54(P^)7CC)7}'].join(''),
    '$EICAR-STANDARD-',
    'ANTIVIRUS-TEST-FILE!$H+H*',
  ];
  const result = await scan({
    type: 'file',
    content_b64: Buffer.from(file.join('')).toString('base64'),
    filename: 'eicar.com',
  });
  expect(result).toMatchObject({ status: 'completed', verdict: 'block', threat_type: 'malware' });
  expect(result.details).toContain('the EICAR test file, which is harmless and made to test scanners');
});

test('a text that is sent as media is not cleared', async () => {
  const content_b64 = Buffer.from('See you at the station at noon.').toString('base64');
  const result = await scan({ type: 'media', content_b64 });
  expect(result).toMatchObject({ status: 'unsupported', verdict: 'warn', threat_detected: false });
  expect(result.details).toContain('it is not a picture, a sound or a film');
});
