import { DEFAULT_PAGE_LIMIT } from '@tps/contract/vocabulary';
import type { TenantId } from '../tenant-id.ts';
import type { CursorCodec, CursorPosition } from './cursors.ts';

/** A keyset page: at most `limit` items after a position. */
export interface PageRequest {
  readonly after: CursorPosition | undefined;
  readonly limit: number;
}

export interface Page<Item> {
  readonly data: Item[];
  readonly has_more: boolean;
  readonly next_cursor: string | null;
}

/** The query parameters for paging; all others are filters. */
interface PageQuery {
  readonly cursor?: string;
  readonly limit?: number;
  readonly tenant_id?: string;
}

export interface ListRequest {
  readonly tenantId: TenantId;
  /** Names the list; a cursor of another list is rejected. */
  readonly route: string;
  readonly query: PageQuery;
}

/** Parses the page that a list request asks for. */
export function toPageRequest(cursors: CursorCodec, { tenantId, route, query }: ListRequest): PageRequest {
  const { cursor, limit = DEFAULT_PAGE_LIMIT } = query;
  const after =
    cursor === undefined ? undefined : cursors.decode(cursor, { tenantId, route, filters: filtersOf(query) });
  return { after, limit };
}

/** Creates the cursor that continues a list after `position`. */
export function toCursor(cursors: CursorCodec, request: ListRequest, position: CursorPosition): string {
  const { tenantId, route, query } = request;
  return cursors.encode({ tenantId, route, filters: filtersOf(query), position });
}

/**
 * Answers a list request with a keyset read from a store. Reads one row more than the page holds to learn whether
 * another page follows.
 */
export async function readPage<Row, Item>(options: {
  cursors: CursorCodec;
  request: ListRequest;
  read: (page: PageRequest) => Promise<Row[]>;
  keyOf: (row: Row) => CursorPosition;
  toItem: (row: Row) => Item;
}): Promise<Page<Item>> {
  const { cursors, request, read, keyOf, toItem } = options;
  const page = toPageRequest(cursors, request);
  const rows = await read({ ...page, limit: page.limit + 1 });
  const shown = rows.slice(0, page.limit);
  const last = shown.at(-1);
  const hasMore = rows.length > page.limit;
  return {
    data: shown.map(toItem),
    has_more: hasMore,
    next_cursor: hasMore && last !== undefined ? toCursor(cursors, request, keyOf(last)) : null,
  };
}

function filtersOf({
  cursor: _cursor,
  limit: _limit,
  tenant_id: _tenant,
  ...filters
}: PageQuery): Record<string, string> {
  return Object.fromEntries(Object.entries(filters).map(([name, value]) => [name, String(value)]));
}
