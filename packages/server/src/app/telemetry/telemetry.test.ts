import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TRIAGE_WORKFLOW } from '@tps/contract';
import { registerTestDevice, type TestDevice } from '@tps/testing/device';
import { useReceivers, type WebhookReceiver } from '@tps/testing/receiver';
import { registerTestWebhook, startTestService, useTestService, WEBHOOK_ENV } from '@tps/testing/service';
import { waitUntil } from '@tps/testing/time';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { type ExportedSpan, metricsAt, resourceAt, spansAt } from './testing/collector.ts';

const SECRET = 'collector-password-1';
const TRACE = '0af7651916cd43dd8448eb211c80319c';
const SPAN = 'b7ad6b7169203331';
const TRACEPARENT = `00-${TRACE}-${SPAN}-01`;

const startReceiver = useReceivers();
let collector: WebhookReceiver;
/** The SDK reads these by itself. */
function setEnvironment(url: string, more: Record<string, string> = {}): Record<string, string> {
  const env = {
    OTEL_EXPORTER_OTLP_ENDPOINT: url,
    OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
    OTEL_BSP_SCHEDULE_DELAY: '20',
    OTEL_METRIC_EXPORT_INTERVAL: '100',
    ...more,
  };
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
  return env;
}
const folder = mkdtempSync(join(tmpdir(), 'tps-telemetry-'));
afterAll(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

function fileWith(content: string): string {
  const file = join(folder, 'headers');
  writeFileSync(file, content, { mode: 0o600 });
  return file;
}

const service = useTestService(async () => {
  collector = await startReceiver();
  const env = setEnvironment(collector.url, {
    OTEL_EXPORTER_OTLP_HEADERS_FILE: fileWith(`authorization=Bearer%20${SECRET}\n`),
    OTEL_SERVICE_NAME: 'tps-test',
    OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test',
  });
  return { env: { ...env, ...WEBHOOK_ENV } };
});

/** Waits for a span of the trace. */
async function spanOf(traceId: string, name: string): Promise<ExportedSpan> {
  const find = () => spansAt(collector).find((span) => span.traceId === traceId && span.name === name);
  await waitUntil(() => find() !== undefined);
  return find() as ExportedSpan;
}

const post = (device: TestDevice, headers: Record<string, string>) =>
  device.post(device.event(), { request: { headers } });

test('a trace continues from the client through the store to the webhook receiver', async () => {
  const receiver = await startReceiver();
  const device = await registerTestDevice(service, { tenant: await service.createTenant() });
  await registerTestWebhook(service, { url: receiver.url, tenant: device.tenant });
  const answer = await post(device, { traceparent: TRACEPARENT, 'x-request-id': 'gateway-17' });
  expect(answer.status).toBe(201);
  const [delivery] = await receiver.waitFor(1);

  const request = await spanOf(TRACE, 'POST /events');
  const store = await spanOf(TRACE, 'store events');
  const webhook = await spanOf(TRACE, 'deliver to webhook');
  expect(request).toMatchObject({ parentSpanId: SPAN, kind: 2 });
  expect(request.attributes).toEqual({
    'http.request.method': 'POST',
    'http.route': '/events',
    'http.response.status_code': 201,
    'tps.request.id': 'gateway-17',
  });
  expect(store.parentSpanId).toBe(request.spanId);
  expect(webhook).toMatchObject({ parentSpanId: request.spanId, kind: 3 });
  expect(delivery?.headers.traceparent).toBe(`00-${TRACE}-${webhook.spanId}-01`);
  expect(delivery?.headers['x-request-id']).toBe('gateway-17');
  expect(service.log()).toContain(`"traceId":"${TRACE}"`);
});

test('a change is a span of its request, and a scan has one for the analysis', async () => {
  const { credential } = service.tenant;
  const traceparent = `00-${'1'.repeat(32)}-${SPAN}-01`;
  const body = { type: 'text', content: 'Your parcel is waiting: https://pay.example' };
  await service.client.send('POST', '/scan', { credential, body, headers: { traceparent } });
  const request = await spanOf('1'.repeat(32), 'POST /scan');
  expect((await spanOf('1'.repeat(32), 'analyze content')).parentSpanId).toBe(request.spanId);
  expect((await spanOf('1'.repeat(32), 'transaction')).parentSpanId).toBe(request.spanId);
});

test('each step of a job begins a trace', async () => {
  const device = await registerTestDevice(service);
  await device.post(device.event());
  const { credential } = device.tenant;
  const incidents = await service.client.send('GET', '/incidents', { credential });
  const [incident] = (incidents.body as { data: { id: string }[] }).data;
  const body = { workflow_id: TRIAGE_WORKFLOW, input_refs: [incident?.id] };
  expect((await service.client.send('POST', '/jobs', { credential, body })).status).toBe(201);
  const steps = () => spansAt(collector).filter(({ name }) => name === 'run job step');
  await waitUntil(() => steps().length > 1);
  expect(new Set(steps().map(({ traceId }) => traceId)).size).toBe(steps().length);
  for (const { attributes } of steps()) expect(attributes).toEqual({ 'tps.job.step': expect.any(String) });
});

test.each(['not-a-trace', `00-${'0'.repeat(32)}-${SPAN}-01`, `${TRACEPARENT}, ${TRACEPARENT}`])(
  'a malformed traceparent begins a new trace: %s',
  async (traceparent) => {
    const id = `malformed-${traceparent.length}`;
    const { credential } = service.tenant;
    await service.client.send('GET', '/status', { credential, headers: { traceparent, 'x-request-id': id } });
    const find = () => spansAt(collector).find(({ attributes }) => attributes['tps.request.id'] === id);
    await waitUntil(() => find() !== undefined);
    expect(find()?.parentSpanId).toBeFalsy();
    expect(find()?.traceId).not.toBe(TRACE);
  },
);

test('a trace that the client does not sample is passed on and not exported', async () => {
  const receiver = await startReceiver();
  const device = await registerTestDevice(service, { tenant: await service.createTenant() });
  await registerTestWebhook(service, { url: receiver.url, tenant: device.tenant });
  const traceId = '2'.repeat(32);
  await post(device, { traceparent: `00-${traceId}-${SPAN}-00` });
  const [delivery] = await receiver.waitFor(1);
  expect(delivery?.headers.traceparent).toMatch(new RegExp(`^00-${traceId}-[0-9a-f]{16}-00$`));
  // An id of the service is of no use to the receiver.
  expect(delivery?.headers).not.toHaveProperty('x-request-id');
  await post(device, { traceparent: `00-${'3'.repeat(32)}-${SPAN}-01` });
  await spanOf('3'.repeat(32), 'POST /events');
  expect(spansAt(collector).filter((span) => span.traceId === traceId)).toEqual([]);
});

test('no span contains an id of a person or device, or content', async () => {
  const device = await registerTestDevice(service);
  const traceId = '4'.repeat(32);
  const event = device.event({ description: 'private words' });
  const headers = { traceparent: `00-${traceId}-${SPAN}-01` };
  await device.post(event, { request: { headers } });
  const { credential, tenantId } = device.tenant;
  await service.client.send('GET', `/events/${event.event_id}?tenant_id=${tenantId}`, {
    credential,
    headers,
  });
  await spanOf(traceId, 'GET /events/{id}');
  await spanOf(traceId, 'store events');
  const sent = collector.requests.map(({ body }) => body).join();
  for (const secret of ['private words', event.event_id, device.deviceId, tenantId, credential]) {
    expect(sent).not.toContain(secret);
  }
});

test('metrics are those of the registry, under the same names', async () => {
  const name = 'tps_http_request_duration_seconds';
  await waitUntil(() => metricsAt(collector).has(name));
  const { histogram } = metricsAt(collector).get(name) ?? {};
  const [point] = histogram?.dataPoints ?? [];
  expect(histogram?.aggregationTemporality).toBe(2);
  expect(point?.explicitBounds).toEqual([0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5]);
  expect(point?.bucketCounts).toHaveLength(12);
  expect(point?.bucketCounts.map(Number).reduce((sum, count) => sum + count)).toBe(Number(point?.count));
  const memory = metricsAt(collector).get('process_resident_memory_bytes');
  expect(memory?.unit).toBe('By');
  expect(memory?.gauge?.dataPoints[0]?.asDouble).toBeGreaterThan(1e6);
  expect(metricsAt(collector).get('process_cpu_seconds_total')?.sum).toMatchObject({ isMonotonic: true });
});

test('the collector gets the resource and the headers, which are nowhere in the log', async () => {
  await waitUntil(() => collector.requests.length > 0);
  expect(resourceAt(collector)).toMatchObject({
    'service.name': 'tps-test',
    'service.version': expect.any(String),
    'service.instance.id': expect.any(String),
    'deployment.environment.name': 'test',
  });
  expect(Object.keys(resourceAt(collector)).filter((name) => /^(?:host|process)\./.test(name))).toEqual([]);
  for (const { headers } of collector.requests) expect(headers.authorization).toBe(`Bearer ${SECRET}`);
  expect(service.log()).toContain('telemetry started');
  expect(service.log()).not.toContain(SECRET);
});

describe('a collector that does not work', () => {
  test('is reported once, and disturbs neither requests nor the stop', async () => {
    const failing = await startReceiver({ respond: { status: 400, body: 'no' } });
    const env = setEnvironment(failing.url, { OTEL_EXPORTER_OTLP_HEADERS: `x-key=${SECRET}` });
    const other = await startTestService({ env });
    const { credential } = other.tenant;
    await failing.waitFor(3);
    expect(failing.requests[0]?.headers['x-key']).toBe(SECRET);
    expect((await other.client.send('GET', '/status', { credential })).status).toBe(200);
    await other.stop();
    const warnings = other.log().match(/"signal":"metrics".*"msg":"export failed"/g);
    expect(warnings).toHaveLength(1);
    // The last spans were offered too.
    expect(failing.requests.some(({ path }) => path.endsWith('/v1/traces'))).toBe(true);
    expect(other.log()).not.toContain(SECRET);
  });

  test('delays the stop for two seconds at most', async () => {
    const hanging = await startReceiver({ respond: () => new Promise(() => undefined) });
    const other = await startTestService({ env: setEnvironment(hanging.url) });
    await other.client.send('GET', '/status', { credential: other.tenant.credential });
    // Without the bound, the time limit of the export applies, which is longer than this test may take.
    await other.stop();
    expect(hanging.requests.length).toBeGreaterThan(0);
  });
});

test('by default, spans are sent as protobuf', async () => {
  const binary = await startReceiver();
  const other = await startTestService({
    env: setEnvironment(binary.url, { OTEL_EXPORTER_OTLP_PROTOCOL: 'http/protobuf' }),
  });
  await other.client.send('GET', '/status', { credential: other.tenant.credential });
  await other.stop();
  const traces = binary.requests.find(({ path }) => path === '/hook/v1/traces');
  expect(traces?.headers['content-type']).toBe('application/x-protobuf');
  expect(traces?.body).toContain('GET /status');
  expect(binary.requests.some(({ path }) => path === '/hook/v1/metrics')).toBe(true);
});
