import { listEvents } from '@tps/contract';
import type { CursorCodec } from '../../platform/http/cursors.ts';
import { type ListRequest, toCursor, toPageRequest } from '../../platform/http/page.ts';
import type { Exchange } from '../../platform/http/route.ts';
import type { TenantId } from '../../platform/tenant-id.ts';
import { parseTimestamp } from '../../platform/time.ts';
import type { RequestDatabase } from '../authority/index.ts';
import { feedHeadStore, feedStore } from '../feed/index.ts';

/** Maximum number of positions that one page scans, so that the cost is bounded even if nothing matches the filter. */
export const MAX_SCANNED = 20_000;

/** An event's `timestamp` may be this far ahead of its arrival. */
const MAX_AHEAD_MS = 5 * 60_000;

/**
 * Returns a page of the feed as JSON text, with the stored events unchanged. The page ends where the feed ended
 * when the request arrived: positions are assigned in commit order, so no event can appear behind a cursor.
 */
export async function readFeedPage(
  exchange: Exchange<typeof listEvents>,
  { database, cursors }: { database: RequestDatabase; cursors: CursorCodec },
): Promise<string> {
  const { tenantId, query } = exchange;
  const { read } = database;
  const request: ListRequest = { tenantId, route: listEvents.path, query };
  const { after: resumed, limit } = toPageRequest(cursors, request);
  const filter = toFeedFilter(query);

  const { position: head } = await feedHeadStore.read(read, tenantId);
  const after = resumed === undefined ? await startOf(filter, { read, tenantId }) : Number(resumed[0]);
  const until = Math.min(head, after + MAX_SCANNED);
  const entries =
    until > after
      ? await feedStore.listSpan(read, tenantId, { span: { after, until }, filter, limit: limit + 1 })
      : [];

  const shown = entries.slice(0, limit);
  const scanned = entries.length > limit ? (shown.at(-1)?.position ?? after) : Math.max(after, until);
  const reached =
    entries.length > 0 || scanned >= head ? scanned : await skipRemoved(scanned, { read, tenantId, head });
  const cursor = toCursor(cursors, request, [reached]);
  const data = shown.map((entry) => entry.body).join(',');
  return `{"data":[${data}],"has_more":${reached < head},"next_cursor":${JSON.stringify(cursor)}}`;
}

/** Returns what a query selects. Pages and streams share it. */
export function toFeedFilter(
  query: Omit<Exchange<typeof listEvents>['query'], 'cursor' | 'limit'>,
): feedStore.FeedFilter {
  return {
    sinceMs: query.since === undefined ? undefined : parseTimestamp(query.since),
    receivedSinceMs: query.received_since === undefined ? undefined : parseTimestamp(query.received_since),
    severity: query.severity,
    category: query.threat_category,
    deviceId: query.device_id,
  };
}

/** Called when nothing was found: the cursor may point far back into a range that was purged. */
export async function skipRemoved(
  position: number,
  { read, tenantId, head }: { read: RequestDatabase['read']; tenantId: TenantId; head: number },
): Promise<number> {
  const first = await feedStore.findFirstPosition(read, tenantId);
  return Math.max(position, first === undefined ? head : Math.min(first - 1, head));
}

/** Skips events that arrived too early to match a time filter. */
async function startOf(
  { sinceMs, receivedSinceMs }: feedStore.FeedFilter,
  { read, tenantId }: { read: RequestDatabase['read']; tenantId: TenantId },
): Promise<number> {
  const arrivedFromMs = Math.max(receivedSinceMs ?? 0, (sinceMs ?? 0) - MAX_AHEAD_MS);
  return arrivedFromMs > 0 ? feedStore.findPositionBefore(read, tenantId, arrivedFromMs) : 0;
}
