import { type countEvents, listEvents } from '@tps/contract';
import type { ReadQueries } from '../../database/index.ts';
import type { CursorCodec } from '../../platform/http/cursors.ts';
import { type ListRequest, type PageRequest, toCursor, toPageRequest } from '../../platform/http/page.ts';
import type { Exchange } from '../../platform/http/route.ts';
import { toAnyOf, toTimeRange } from '../../platform/list-filters.ts';
import type { TenantId } from '../../platform/tenant-id.ts';
import type { RequestDatabase } from '../authority/index.ts';
import { feedHeadStore, feedStore } from '../feed/index.ts';

/** Maximum number of positions that one page scans, so that the cost is bounded even if nothing matches the filter. */
export const MAX_SCANNED = 20_000;

/** An event's `timestamp` may be this far ahead of its arrival. */
const MAX_AHEAD_MS = 5 * 60_000;

/** The feed that a request reads. */
export interface Feed {
  readonly read: ReadQueries;
  readonly tenantId: TenantId;
  readonly filter: feedStore.FeedFilter;
}

/** Events of a page, and what follows them. `next` is the position with which the cursor continues. */
interface FeedPart {
  readonly entries: readonly feedStore.FeedEntry[];
  readonly hasMore: boolean;
  readonly next: number | null;
}

/**
 * Returns a page of the feed as JSON text, with the stored events unchanged. The page ends where the feed ended
 * when the request arrived: positions are assigned in commit order, so no event can appear behind a cursor.
 */
export async function readFeedPage(
  exchange: Exchange<typeof listEvents>,
  { database, cursors }: { database: RequestDatabase; cursors: CursorCodec },
): Promise<string> {
  const { tenantId, query } = exchange;
  const request: ListRequest = { tenantId, route: listEvents.path, query };
  const page = toPageRequest(cursors, request);
  const feed: Feed = { read: database.read, tenantId, filter: toFeedFilter(query) };
  const part = query.order === 'newest' ? await readNewest(feed, page) : await readOldest(feed, page);
  const cursor = part.next === null ? null : toCursor(cursors, request, [part.next]);
  const data = part.entries.map((entry) => entry.body).join(',');
  return `{"data":[${data}],"has_more":${part.hasMore},"next_cursor":${JSON.stringify(cursor)}}`;
}

/** Returns what a query selects. Pages, counts and streams share it. */
export function toFeedFilter(query: Exchange<typeof countEvents>['query']): feedStore.FeedFilter {
  const { received_since: since, received_until: until } = query;
  return {
    dated: toTimeRange(query),
    received: toTimeRange({ ...(since && { since }), ...(until && { until }) }),
    severity: toAnyOf(query.severity),
    category: toAnyOf(query.threat_category),
    action: toAnyOf(query.action_taken),
    deviceId: toAnyOf(query.device_id),
    platform: toAnyOf(query.device_platform),
    policyId: toAnyOf(query.policy_id),
    indicator: toAnyOf(query.indicator),
  };
}

async function readOldest(feed: Feed, { after: resumed, limit }: PageRequest): Promise<FeedPart> {
  const end = await endOf(feed);
  const after = resumed === undefined ? await startOf(feed) : Number(resumed[0]);
  const until = Math.min(end, after + MAX_SCANNED);
  const found = until > after ? await list(feed, { span: { after, until }, order: 'oldest', limit }) : [];
  const entries = found.slice(0, limit);
  const scanned = found.length > limit ? (entries.at(-1)?.position ?? after) : Math.max(after, until);
  const next = found.length > 0 || scanned >= end ? scanned : await skipRemoved(feed, { scanned, end });
  return { entries, hasMore: next < end, next };
}

async function readNewest(feed: Feed, { after: resumed, limit }: PageRequest): Promise<FeedPart> {
  const first = await feedStore.findFirstPosition(feed.read, feed.tenantId);
  const start = Math.max(await startOf(feed), (first ?? 1) - 1);
  const until = resumed === undefined ? await endOf(feed) : Number(resumed[0]);
  const after = Math.max(start, until - MAX_SCANNED);
  const found = until > after ? await list(feed, { span: { after, until }, order: 'newest', limit }) : [];
  const entries = found.slice(0, limit);
  const scanned = found.length > limit ? (entries.at(-1)?.position ?? 1) - 1 : after;
  return { entries, hasMore: scanned > start, next: scanned > start ? scanned : null };
}

/** Reads one event more than the page has. */
function list(
  { read, tenantId, filter }: Feed,
  options: { span: feedStore.FeedSpan; order: 'oldest' | 'newest'; limit: number },
): Promise<feedStore.FeedEntry[]> {
  return feedStore.listSpan(read, tenantId, { ...options, filter, limit: options.limit + 1 });
}

/** Called when nothing was found: the cursor may point far back into a range that was purged. */
export async function skipRemoved(
  { read, tenantId }: Feed,
  { scanned, end }: { scanned: number; end: number },
): Promise<number> {
  const first = await feedStore.findFirstPosition(read, tenantId);
  return Math.max(scanned, first === undefined ? end : Math.min(first - 1, end));
}

/** The range of positions that can match the times of the filter. */
export async function spanOf(feed: Feed): Promise<feedStore.FeedSpan> {
  return { after: await startOf(feed), until: await endOf(feed) };
}

/** Skips events that arrived too early to match. */
async function startOf({ read, tenantId, filter }: Feed): Promise<number> {
  const { dated, received } = filter;
  const arrivedFromMs = Math.max(received?.sinceMs ?? 0, (dated?.sinceMs ?? 0) - MAX_AHEAD_MS);
  return arrivedFromMs > 0 ? feedStore.findPositionBefore(read, tenantId, arrivedFromMs) : 0;
}

/** Skips events that arrived too late to match. */
async function endOf({ read, tenantId, filter }: Feed): Promise<number> {
  const { position: head } = await feedHeadStore.read(read, tenantId);
  const untilMs = filter.received?.untilMs;
  if (untilMs === undefined) return head;
  return Math.min(head, await feedStore.findPositionBefore(read, tenantId, untilMs));
}
