import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { registerTestDevice } from '@tps/testing/device';
import { findFreePort, issueSelfSigned } from '@tps/testing/network';
import { runCommand } from '@tps/testing/process';
import { useReceivers } from '@tps/testing/receiver';
import { registerTestWebhook, startTestService, WEBHOOK_ENV } from '@tps/testing/service';
import { waitUntil } from '@tps/testing/time';
import { beforeAll } from 'vitest';

/** What a service exports, as text and read. */
export interface Scrape {
  readonly text: string;
  /** Unix time in seconds. */
  readonly takenAt: number;
  readonly metrics: ReadonlyMap<string, { readonly type: string; readonly labels: readonly string[] }>;
  readonly series: readonly Series[];
}

export interface Series {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** The labels that a histogram or a summary adds. */
const OWN_LABELS = ['le', 'quantile'];

/**
 * Reads the metrics of two real services for the tests of a file: one that has just started with TLS, and one that was backed up,
 * has stored and refused events, scanned a text, run a job and tried to deliver to a webhook.
 */
export function useScrapes(): { readonly started: Scrape; readonly used: Scrape } {
  const receive = useReceivers();
  const found = {} as { started: Scrape; used: Scrape };
  beforeAll(async () => {
    const folder = mkdtempSync(join(tmpdir(), 'tps-metrics-'));
    try {
      const { cert, key } = issueSelfSigned();
      const files = {
        SERVICE_TLS_CERT_FILE: join(folder, 'tls.crt'),
        SERVICE_TLS_KEY_FILE: join(folder, 'tls.key'),
      };
      writeFileSync(files.SERVICE_TLS_CERT_FILE, cert);
      writeFileSync(files.SERVICE_TLS_KEY_FILE, key, { mode: 0o600 });
      found.started = await scrapeService(files);
      const receiver = await receive({ respond: 404 });
      found.used = await scrapeService(WEBHOOK_ENV, async (service) => {
        await backUp(service, join(folder, 'backup.db'));
        return use(service, receiver.url);
      });
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
  return found;
}

type TestService = Awaited<ReturnType<typeof startTestService>>;

async function scrapeService(
  env: Record<string, string>,
  prepare?: (service: TestService) => Promise<(text: string) => boolean>,
): Promise<Scrape> {
  const bind = `127.0.0.1:${await findFreePort()}`;
  const service = await startTestService({ env: { ...env, SERVICE_METRICS_BIND: bind } });
  try {
    const isReady = (await prepare?.(service)) ?? (() => true);
    const read = async () => (await fetch(`http://${bind}/metrics`)).text();
    let text = '';
    await waitUntil(async () => {
      text = await read();
      // A caller can wait for a connection at the moment of a scrape.
      return isReady(text) && !/^tps_database_connections_waiting(?:\{.*\})? [1-9]/m.test(text);
    });
    return toScrape(text);
  } finally {
    await service.stop();
  }
}

async function backUp({ store }: TestService, file: string): Promise<void> {
  const { code, output } = await runCommand(['backup', file], { SERVICE_DATABASE_URL: store.url });
  if (code !== 0) throw new Error(`the backup failed: ${output}`);
}

/** Uses the service. Returns whether its metrics show what happens later. */
async function use(service: TestService, webhookUrl: string) {
  const { client, tenant } = service;
  const { credential } = tenant;
  await registerTestWebhook(service, { url: webhookUrl });
  const device = await registerTestDevice(service);
  const stored = await device.post(device.event());
  await client.send('POST', '/events', { credential, body: device.event() });
  await client.send('POST', '/scan', { credential, body: { type: 'text', content: 'See you at eight.' } });
  const { event_id: eventId } = stored.body as { event_id: string };
  const body = { workflow_id: 'incident_triage_v1', input_refs: [eventId] };
  await client.send('POST', '/jobs', { credential, body });
  return (text: string) =>
    /attempt_duration_seconds_count\{outcome="failed"\} 1$/m.test(text) &&
    /job_step_duration_seconds_count\{.*outcome="succeeded"\} [1-9]/.test(text);
}

function toScrape(text: string): Scrape {
  const series = [...text.matchAll(/^([a-z]\w*)(?:\{(.*)\})? (\S+)$/gm)].map(
    ([, name = '', labels = '', value]) => ({ name, labels: toLabels(labels), value: Number(value) }),
  );
  const metrics = [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name = '', type = '']) => {
    const own = series.filter((one) => baseNames(name, type).includes(one.name));
    const labels = new Set(own.flatMap((one) => Object.keys(one.labels)));
    return [name, { type, labels: [...labels].filter((label) => !OWN_LABELS.includes(label)) }] as const;
  });
  return { text, takenAt: Date.now() / 1000, metrics: new Map(metrics), series };
}

/** The names that the series of a metric have. */
export function baseNames(name: string, type: string): string[] {
  return type === 'histogram' ? ['_bucket', '_sum', '_count'].map((ending) => name + ending) : [name];
}

/** Values in these tests contain neither quotes nor commas. */
export function toLabels(text: string): Record<string, string> {
  return Object.fromEntries(
    [...text.matchAll(/(\w+)="([^"]*)"/g)].map(([, name = '', value = '']) => [name, value]),
  );
}
