import { setTimeout as sleep } from 'node:timers/promises';
import { percentile } from '../figures.ts';
import type { ServiceProcess } from '../servers/service-process.ts';

/** A service, and the credential of a reader. */
export interface FeedReader {
  readonly service: ServiceProcess;
  readonly credential: string;
}

interface FeedPage {
  readonly data: unknown[];
  readonly has_more: boolean;
  readonly next_cursor: string;
}

interface ReadOptions {
  readonly limit: number;
  /** Where reading starts; undefined for the start of the feed. After the last page it starts there again. */
  readonly from: string | undefined;
  /** Reading ends after this many pages or seconds. */
  readonly pages?: number;
  readonly seconds?: number;
  /** Reads at this pace; undefined to read as fast as possible. */
  readonly perSecond?: number;
}

/** Reads pages one after the other over one connection: measures a page, not a queue. */
export async function readPages(
  reader: FeedReader,
  {
    limit,
    from,
    pages = Number.POSITIVE_INFINITY,
    seconds = Number.POSITIVE_INFINITY,
    perSecond,
  }: ReadOptions,
): Promise<{ pagesPerSecond: number; p50Ms: number; p99Ms: number }> {
  const times: number[] = [];
  const startedAt = performance.now();
  let cursor = from;
  while (times.length < pages && performance.now() - startedAt < seconds * 1000) {
    const dueAt = perSecond === undefined ? 0 : startedAt + (times.length * 1000) / perSecond;
    if (dueAt > performance.now()) await sleep(dueAt - performance.now());
    const sentAt = performance.now();
    const page = await readPage(reader, { limit, cursor });
    times.push(performance.now() - sentAt);
    if (page.has_more && page.data.length < limit)
      throw new Error('a page in the middle of the feed is not full');
    cursor = page.has_more ? page.next_cursor : from;
  }
  const elapsed = (performance.now() - startedAt) / 1000;
  const sorted = Float64Array.from(times).sort();
  return {
    pagesPerSecond: times.length / elapsed,
    p50Ms: percentile(sorted, 0.5),
    p99Ms: percentile(sorted, 0.99),
  };
}

/** Returns the cursor after this many pages. */
export async function findCursor(
  reader: FeedReader,
  options: { limit: number; pages: number },
): Promise<string> {
  let cursor: string | undefined;
  for (let page = 0; page < options.pages; page += 1) {
    cursor = (await readPage(reader, { limit: options.limit, cursor })).next_cursor;
  }
  if (cursor === undefined) throw new Error('the feed returned no cursor');
  return cursor;
}

async function readPage(
  { service, credential }: FeedReader,
  { limit, cursor }: { limit: number; cursor: string | undefined },
): Promise<FeedPage> {
  const query = new URLSearchParams({ limit: String(limit), ...(cursor === undefined ? {} : { cursor }) });
  const response = await fetch(`${service.baseUrl}/events?${query}`, {
    headers: { authorization: `Bearer ${credential}` },
  });
  if (!response.ok) throw new Error(`GET /events answered ${response.status}: ${await response.text()}`);
  return (await response.json()) as FeedPage;
}
