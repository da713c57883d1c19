import { percentile } from '../figures.ts';
import type { BenchEngine } from '../options.ts';
import { peakBytesOf, withCpuSeconds } from '../process-usage.ts';
import { type ServiceProcess, startService } from '../servers/service-process.ts';
import { fillFeed } from '../stores/fill-feed.ts';
import type { RequestBench } from './measure-requests.ts';
import { ROWS } from './request-rows.ts';

const PAGE_SIZE = 500;
const SHORT_FEED = 1000;
/** Pages read in one measurement at one depth. */
const PAGES = 200;

type Page = { data: unknown[]; has_more: boolean; next_cursor: string };
type Reader = { service: ServiceProcess; credential: string };

/** Reads pages of a short feed, and of a long feed at its start and near its end. */
export async function measureFeed(bench: RequestBench, engine: BenchEngine): Promise<void> {
  const { feedRows, repeats } = bench.options;
  for (const rows of [SHORT_FEED, feedRows]) {
    const store = await bench.stores.create(engine);
    try {
      const reader = await startOnFilledStore(store.url, rows);
      try {
        const depths =
          rows === SHORT_FEED
            ? [['whole', undefined]]
            : [
                ['start', undefined],
                ['end', await findCursorNearEnd(reader, rows)],
              ];
        for (let round = 0; round < repeats; round += 1) {
          for (const [depth, from] of depths) {
            await measurePages(bench, reader, { row: ROWS.feed(engine, rows, String(depth)), from });
          }
        }
      } finally {
        await reader.service.stop();
      }
    } finally {
      await store.drop();
    }
  }
}

async function startOnFilledStore(url: string, count: number): Promise<Reader> {
  const first = await startService(url);
  const { tenantId, credential } = await first.tenant().finally(() => first.stop());
  await fillFeed(url, { tenantId, count, nowMs: Date.now() });
  return { service: await startService(url), credential };
}

/** One connection, one request at a time: measures a page, not a queue. */
async function measurePages(
  bench: RequestBench,
  reader: Reader,
  { row, from }: { row: string; from: string | undefined },
): Promise<void> {
  const before = await readHistogram(reader);
  const times: number[] = [];
  const { cpuSeconds, result: seconds } = await withCpuSeconds(reader.service.pid, async () => {
    const startedAt = performance.now();
    let cursor = from;
    while (times.length < PAGES) {
      const sentAt = performance.now();
      const page = await readPage(reader, cursor);
      times.push(performance.now() - sentAt);
      if (page.data.length !== PAGE_SIZE) throw new Error(`${row}: a page has ${page.data.length} events`);
      cursor = page.has_more ? page.next_cursor : from;
    }
    return (performance.now() - startedAt) / 1000;
  });
  const after = await readHistogram(reader);
  const sorted = Float64Array.from(times).sort();
  bench.recorder.record(row, {
    requestsPerSecond: times.length / seconds,
    eventsPerSecond: (times.length * PAGE_SIZE) / seconds,
    p50Ms: percentile(sorted, 0.5),
    p99Ms: percentile(sorted, 0.99),
    serverMs: ((after.sum - before.sum) / (after.count - before.count)) * 1000,
    serverCores: cpuSeconds / seconds,
    peakMiB: peakBytesOf(reader.service.pid) / 1024 ** 2,
  });
}

/** Reads the feed until only the pages of one measurement are left. */
async function findCursorNearEnd(reader: Reader, rows: number): Promise<string> {
  const skipped = Math.max(1, Math.ceil(rows / PAGE_SIZE) - PAGES);
  let cursor: string | undefined;
  for (let page = 0; page < skipped; page += 1) cursor = (await readPage(reader, cursor)).next_cursor;
  if (cursor === undefined) throw new Error('the feed returned no cursor');
  return cursor;
}

async function readPage({ service, credential }: Reader, cursor: string | undefined): Promise<Page> {
  const query = new URLSearchParams({
    limit: String(PAGE_SIZE),
    ...(cursor === undefined ? {} : { cursor }),
  });
  const response = await fetch(`${service.baseUrl}/events?${query}`, {
    headers: { authorization: `Bearer ${credential}` },
  });
  if (!response.ok) throw new Error(`GET /events answered ${response.status}: ${await response.text()}`);
  return (await response.json()) as Page;
}

/** Returns sum and count of the durations of GET /events from the service's own metrics. */
async function readHistogram({ service }: Reader): Promise<{ sum: number; count: number }> {
  const text = await (await fetch(service.metricsUrl)).text();
  const read = (name: string) =>
    Number(new RegExp(`^${name}\\{operation="listEvents",status="200"\\} (\\S+)$`, 'm').exec(text)?.[1] ?? 0);
  return {
    sum: read('tps_http_request_duration_seconds_sum'),
    count: read('tps_http_request_duration_seconds_count'),
  };
}
