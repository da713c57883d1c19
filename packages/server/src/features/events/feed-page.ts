import { listEvents } from '@tps/contract';
import type { Database } from '../../database/index.ts';
import type { CursorCodec } from '../../platform/http/cursors.ts';
import { type ListRequest, toCursor, toPageRequest } from '../../platform/http/page.ts';
import type { Exchange } from '../../platform/http/route.ts';
import type { TenantId } from '../../platform/tenant-id.ts';
import { parseTimestamp } from '../../platform/time.ts';
import { feedHeadStore, feedStore } from '../feed/index.ts';

/** A page looks at no more positions than this, so that a filter that matches nothing costs a bounded time. */
export const MAX_SCANNED = 20_000;

/** An event's `timestamp` may be this much ahead of its arrival. */
const MAX_AHEAD_MS = 5 * 60_000;

/**
 * Answers a page of the feed as JSON text, with the stored events as they are. The page ends where the feed ended when
 * the request came: positions are handed out in commit order, so nothing can appear behind a cursor.
 */
export async function readFeedPage(
  exchange: Exchange<typeof listEvents>,
  { database, cursors }: { database: Database; cursors: CursorCodec },
): Promise<string> {
  const { tenantId, query } = exchange;
  const { read } = database;
  const request: ListRequest = { tenantId, route: listEvents.path, query };
  const { after: resumed, limit } = toPageRequest(cursors, request);
  const filter = toFilter(query);

  const { position: head } = await feedHeadStore.read(read, tenantId);
  const after = resumed === undefined ? await startOf(filter, { read, tenantId }) : Number(resumed[0]);
  const until = Math.min(head, after + MAX_SCANNED);
  const entries =
    until > after
      ? await feedStore.listSpan(read, tenantId, { span: { after, until }, filter, limit: limit + 1 })
      : [];

  const shown = entries.slice(0, limit);
  const looked = entries.length > limit ? (shown.at(-1)?.position ?? after) : Math.max(after, until);
  const reached =
    entries.length > 0 || looked >= head ? looked : await skipRemoved(looked, { read, tenantId, head });
  const cursor = toCursor(cursors, request, [reached]);
  const data = shown.map((entry) => entry.body).join(',');
  return `{"data":[${data}],"has_more":${reached < head},"next_cursor":${JSON.stringify(cursor)}}`;
}

function toFilter(query: Exchange<typeof listEvents>['query']): feedStore.FeedFilter {
  return {
    sinceMs: query.since === undefined ? undefined : parseTimestamp(query.since),
    receivedSinceMs: query.received_since === undefined ? undefined : parseTimestamp(query.received_since),
    severity: query.severity,
    category: query.threat_category,
    deviceId: query.device_id,
  };
}

/** Where nothing was found: a cursor may lie far back in a stretch that is no longer kept. */
async function skipRemoved(
  position: number,
  { read, tenantId, head }: { read: Database['read']; tenantId: TenantId; head: number },
): Promise<number> {
  const first = await feedStore.findFirstPosition(read, tenantId);
  return Math.max(position, first === undefined ? head : Math.min(first - 1, head));
}

/** Skips what arrived too early to match a time filter. */
async function startOf(
  { sinceMs, receivedSinceMs }: feedStore.FeedFilter,
  { read, tenantId }: { read: Database['read']; tenantId: TenantId },
): Promise<number> {
  const arrivedFromMs = Math.max(receivedSinceMs ?? 0, (sinceMs ?? 0) - MAX_AHEAD_MS);
  return arrivedFromMs > 0 ? feedStore.findPositionBefore(read, tenantId, arrivedFromMs) : 0;
}
