import { listEvents, type streamEvents } from '@tps/contract';
import type { ReadQueries } from '../../../database/index.ts';
import type { CursorCodec } from '../../../platform/http/cursors.ts';
import { type ListRequest, toCursor, toPageRequest } from '../../../platform/http/page.ts';
import type { Exchange } from '../../../platform/http/route.ts';
import type { TenantId } from '../../../platform/tenant-id.ts';
import { feedHeadStore, feedStore } from '../../feed/index.ts';
import { MAX_SCANNED, skipRemoved, toFeedFilter } from '../feed-page.ts';
import type { FeedPart } from './event-stream.ts';

/** Events that a stream which is behind reads at once. */
const PART_LIMIT = 100;

/** Where a stream begins, and how it continues. */
export interface StreamStart {
  readonly filter: feedStore.FeedFilter;
  /** Equal for equal filters. */
  readonly key: string;
  /** Undefined: at the end of the feed. */
  readonly position: number | undefined;
  readonly toCursor: (position: number) => string;
}

/**
 * Reads the start of a stream from its request. Cursors are those of the list: a page continues as a stream, and a stream
 * as a page.
 * @throws ServiceError `invalid_cursor`, `cursor_filter_mismatch`
 */
export function toStreamStart(
  { tenantId, query, header }: Exchange<typeof streamEvents>,
  cursors: CursorCodec,
): StreamStart {
  const { cursor: given, tenant_id: _tenant, ...filters } = query;
  // A browser repeats the URL when it reconnects, so the header is newer. Empty: no message had an id.
  const cursor = header('last-event-id') || given;
  const request: ListRequest = {
    tenantId,
    route: listEvents.path,
    query: { ...filters, ...(cursor !== undefined && { cursor }) },
  };
  const { after } = toPageRequest(cursors, request);
  return {
    filter: toFeedFilter(filters),
    key: JSON.stringify(Object.entries(filters).sort()),
    position: after === undefined ? undefined : Number(after[0]),
    toCursor: (position) => toCursor(cursors, request, [position]),
  };
}

/** Reads the matching events after a position, as many as one part has. */
export async function readFeedPart(
  read: ReadQueries,
  { tenantId, after, filter }: { tenantId: TenantId; after: number; filter: feedStore.FeedFilter },
): Promise<FeedPart> {
  const { position: head } = await feedHeadStore.read(read, tenantId);
  const until = Math.min(head, after + MAX_SCANNED);
  if (until <= after) return { entries: [], reached: after };
  const span = { after, until };
  const entries = await feedStore.listSpan(read, tenantId, {
    span,
    filter,
    order: 'oldest',
    limit: PART_LIMIT,
  });
  const last = entries.at(-1);
  if (last !== undefined && entries.length === PART_LIMIT) return { entries, reached: last.position };
  if (last !== undefined || until >= head) return { entries, reached: until };
  return { entries, reached: await skipRemoved({ read, tenantId, filter }, { scanned: until, end: head }) };
}
