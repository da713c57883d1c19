import { type FeedReader, readPages } from './feed-reader.ts';
import type { LoadBench } from './service-load.ts';

/** The share of the measured rate at which events arrive: the service is busy, but keeps up. */
const INGEST_SHARE = 0.8;
const PAGE_SIZE = 100;
/** The pace of an integrator that has fallen behind and catches up slowly. */
const PAGES_PER_SECOND = 50;

/** Reads pages of the feed at a steady pace while events arrive at a steady pace. */
export async function measureReads(
  { client, options, recorder }: LoadBench,
  reader: FeedReader,
  { row, fullRate }: { row: string; fullRate: number },
): Promise<void> {
  const { connections, seconds, warmUp } = options;
  const perSecond = Math.max(1, fullRate * INGEST_SHARE);
  const pages = { limit: PAGE_SIZE, from: undefined, perSecond: PAGES_PER_SECOND };
  await client.call('sign', { count: Math.ceil(perSecond * (warmUp + seconds)), eventsPerRequest: 1 });
  const target = { origin: reader.service.baseUrl, path: '/events', connections, repeat: false, perSecond };
  const during = async (windowSeconds: number) => {
    const [sent, read] = await Promise.all([
      client.call('send', { ...target, seconds: windowSeconds }),
      readPages(reader, { ...pages, seconds: windowSeconds }),
    ]);
    return { sent, read };
  };
  await during(warmUp);
  const { sent, read } = await during(seconds);
  recorder.record(row, {
    requestsPerSecond: read.pagesPerSecond,
    eventsPerSecond: sent.requests / sent.seconds,
    p50Ms: read.p50Ms,
    p99Ms: read.p99Ms,
    clientCores: sent.clientCpuSeconds / sent.seconds,
  });
}
