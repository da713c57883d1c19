import { registerTestDevice } from '@tps/testing/device';
import { findFreePort } from '@tps/testing/network';
import { registerTestWebhook, useTestService, WEBHOOK_ENV } from '@tps/testing/service';
import { beforeAll, expect, test } from 'vitest';

const DAY_MS = 86_400_000;

let metricsUrl: string;
const service = useTestService(async () => {
  const bind = `127.0.0.1:${await findFreePort()}`;
  metricsUrl = `http://${bind}/metrics`;
  return { env: { ...WEBHOOK_ENV, SERVICE_METRICS_BIND: bind } };
});

type Values = Record<string, number>;

async function readMetrics(): Promise<Values> {
  const response = await fetch(metricsUrl);
  expect(response.status).toBe(200);
  const samples = (await response.text()).matchAll(/^([^# ]\S*(?:\{.*\})?) (\S+)$/gm);
  return Object.fromEntries([...samples].map(([, series = '', value]) => [series, Number(value)]));
}

/** Lets two days pass since a device sent its events. */
async function makeOld(deviceId: string): Promise<void> {
  await service.service.database.transaction(async ({ db }) => {
    const atMs = Date.now() - 2 * DAY_MS;
    await db
      .updateTable('device_states')
      .set({ last_seen_at: atMs })
      .where('device_id', '=', deviceId)
      .execute();
    await db.updateTable('events').set({ received_at: atMs }).where('device_id', '=', deviceId).execute();
  });
}

/** The metrics of a service with one event of each kind. Samples may be minutes old, so they are read once. */
let values: Values;

beforeAll(async () => {
  const { client, tenant } = service;
  const { credential } = tenant;
  const silent = await registerTestDevice(service);
  await silent.post(silent.event());
  await makeOld(silent.deviceId);
  const revoked = await registerTestDevice(service);
  await client.send('PATCH', `/devices/${revoked.deviceId}`, { credential, body: { status: 'revoked' } });
  const device = await registerTestDevice(service);
  const event = device.event({ severity: 'critical' });
  const answers = [
    await device.post(event),
    await device.post(event),
    await device.post({ events: [device.event(), {}] }, { path: '/events/batch' }),
    await client.send('POST', '/events', { credential, body: event }),
  ];
  expect(answers.map(({ status }) => status)).toEqual([201, 200, 200, 401]);
  const body = { type: 'text', content: 'See you at eight.' };
  const headers = { 'idempotency-key': 'repeated-scan' };
  for (let repeats = 0; repeats < 2; repeats += 1) {
    expect((await client.send('POST', '/scan', { credential, body, headers })).status).toBe(200);
  }
  await registerTestWebhook(service, { url: 'http://127.0.0.1:9' });
  values = await readMetrics();
});

test('events are counted as accepted, or as refused with the reason', () => {
  expect(values).toMatchObject({
    'tps_events_accepted_total{result="stored"}': 3,
    'tps_events_accepted_total{result="duplicate"}': 1,
    // Of the batch, and of the request without a signature.
    'tps_events_refused_total{reason="missing_field"}': 1,
    'tps_events_refused_total{reason="invalid_signature"}': 1,
    'tps_http_errors_total{operation="submitEvent",code="invalid_signature"}': 1,
    tps_feed_head_positions: 3,
    tps_events_waiting: 0,
    tps_event_writer_restarts_total: 0,
  });
  expect(values['tps_event_group_duration_seconds_count{outcome="appended"}']).toBeGreaterThanOrEqual(4);
});

test('the times of the newest and the oldest event of the feed are shown', () => {
  const { tps_feed_last_event_timestamp_seconds: last, tps_feed_oldest_event_timestamp_seconds: first } =
    values;
  expect(Math.abs((last ?? 0) - Date.now() / 1000)).toBeLessThan(120);
  expect(Math.abs((last ?? 0) - (first ?? 0) - (2 * DAY_MS) / 1000)).toBeLessThan(120);
});

test('devices are counted by state, unresolved incidents by status and severity', () => {
  expect(values).toMatchObject({
    'tps_devices{state="online"}': 1,
    'tps_devices{state="stale"}': 0,
    'tps_devices{state="offline"}': 1,
    'tps_devices{state="revoked"}': 1,
  });
  const incidents = Object.entries(values).filter(([series]) =>
    series.startsWith('tps_incidents_unresolved'),
  );
  expect(incidents.length).toBeGreaterThan(0);
  expect(incidents.every(([series]) => /\{status="open",severity="(high|critical)"\}$/.test(series))).toBe(
    true,
  );
});

test('a repeated scan is counted once', () => {
  expect(values).toMatchObject({
    'tps_scans_total{verdict="allow"}': 1,
    'tps_scans_total{verdict="warn"}': 0,
    'tps_scans_total{verdict="block"}': 0,
  });
});

test('the store and the components are up, and connections are within their limit', () => {
  expect(values).toMatchObject({
    tps_database_up: 1,
    tps_database_connections_waiting: 0,
    'tps_component_up{component="writer"}': 1,
    'tps_component_up{component="dispatcher"}': 1,
    'tps_component_up{component="workflow"}': 1,
    'tps_component_up{component="scan"}': 1,
    'tps_database_transaction_duration_seconds_count{outcome="failed"}': 0,
  });
  const { tps_database_connections_limit: limit = 0, tps_database_connections_in_use: inUse } = values;
  expect(limit).toBeGreaterThan(1);
  expect(inUse).toBeLessThanOrEqual(limit);
  expect(values['tps_database_transaction_duration_seconds_count{outcome="committed"}']).toBeGreaterThan(0);
  expect(values.tps_database_wait_duration_seconds_count).toBeGreaterThan(0);
  expect(values.tps_database_size_bytes).toBeGreaterThan(10_000);
  // A server does not tell how much space its disk has.
  const isFile = service.service.database.engine === 'sqlite';
  expect('tps_database_disk_free_bytes' in values).toBe(isFile);
  expect('tps_backup_last_success_timestamp_seconds' in values).toBe(isFile);
});

test('every sample could be read', () => {
  const failures = Object.entries(values).filter(([series]) =>
    series.startsWith('tps_sample_failures_total'),
  );
  expect(failures.length).toBeGreaterThan(5);
  expect(failures.filter(([, count]) => count > 0)).toEqual([]);
});

test('no label names a tenant, a device or another id', () => {
  const { tenant } = service;
  expect(Object.keys(values).join('\n')).not.toContain(tenant.tenantId);
  expect(Object.keys(values).filter((series) => /"(?:[a-z]{3}_\w*\d\w*|https?:.*)"/.test(series))).toEqual(
    [],
  );
});
