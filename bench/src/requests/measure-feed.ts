import type { BenchEngine } from '../options.ts';
import { peakBytesOf, withCpuSeconds } from '../process-usage.ts';
import { startService } from '../servers/service-process.ts';
import { type BenchStore, withStore } from '../stores/bench-store.ts';
import { fillFeed } from '../stores/fill-feed.ts';
import { type FeedReader, findCursor, readPages } from './feed-reader.ts';
import type { RequestBench } from './measure-requests.ts';
import { ROWS } from './request-rows.ts';
import { withService } from './service-load.ts';

const PAGE_SIZE = 500;
const SHORT_FEED = 1000;
/** Pages read in one measurement at one depth. */
const PAGES = 200;

/** Reads pages of a short feed, and of a long feed at its start and near its end. */
export async function measureFeed(bench: RequestBench, engine: BenchEngine): Promise<void> {
  for (const rows of [SHORT_FEED, bench.options.feedRows]) {
    await withStore(bench.stores, engine, async (store) => {
      const credential = await fillStore(store, rows);
      await withService(store, (service) => measureDepths(bench, { service, credential }, { engine, rows }));
    });
  }
}

/** Returns the credential that reads the feed. */
async function fillStore({ url }: BenchStore, count: number): Promise<string> {
  const service = await startService(url);
  const { tenantId, credential } = await service.tenant().finally(() => service.stop());
  await fillFeed(url, { tenantId, count, nowMs: Date.now() });
  return credential;
}

async function measureDepths(
  bench: RequestBench,
  reader: FeedReader,
  { engine, rows }: { engine: BenchEngine; rows: number },
): Promise<void> {
  const { repeats, warmUp } = bench.options;
  // Only the pages of one measurement are left at the end.
  const skipped = Math.max(1, Math.ceil(rows / PAGE_SIZE) - PAGES);
  const depths: [string, string | undefined][] =
    rows === SHORT_FEED
      ? [['whole', undefined]]
      : [
          ['start', undefined],
          ['end', await findCursor(reader, { limit: PAGE_SIZE, pages: skipped })],
        ];
  for (const [, from] of depths) await readPages(reader, { limit: PAGE_SIZE, from, seconds: warmUp });
  for (let round = 0; round < repeats; round += 1) {
    for (const [depth, from] of depths) {
      await measurePages(bench, reader, { row: ROWS.feed(engine, rows, depth), from });
    }
  }
}

async function measurePages(
  { recorder }: RequestBench,
  reader: FeedReader,
  { row, from }: { row: string; from: string | undefined },
): Promise<void> {
  const { pid } = reader.service;
  const before = await readHistogram(reader);
  const { cpuSeconds, result } = await withCpuSeconds(pid, () =>
    readPages(reader, { limit: PAGE_SIZE, from, pages: PAGES }),
  );
  const after = await readHistogram(reader);
  const { pagesPerSecond, p50Ms, p99Ms } = result;
  recorder.record(row, {
    requestsPerSecond: pagesPerSecond,
    eventsPerSecond: pagesPerSecond * PAGE_SIZE,
    p50Ms,
    p99Ms,
    serverMs: ((after.sum - before.sum) / (after.count - before.count)) * 1000,
    serverCores: (cpuSeconds * pagesPerSecond) / PAGES,
    peakMiB: peakBytesOf(pid) / 1024 ** 2,
  });
}

/** Returns sum and count of the durations of GET /events from the service's own metrics. */
async function readHistogram({ service }: FeedReader): Promise<{ sum: number; count: number }> {
  const text = await (await fetch(service.metricsUrl)).text();
  const read = (name: string) =>
    Number(new RegExp(`^${name}\\{operation="listEvents",status="200"\\} (\\S+)$`, 'm').exec(text)?.[1] ?? 0);
  return {
    sum: read('tps_http_request_duration_seconds_sum'),
    count: read('tps_http_request_duration_seconds_count'),
  };
}
