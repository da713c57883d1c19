import { BULK_LIMIT, ERROR_STATUS, type ErrorCode } from '@tps/contract';
import { ServiceError } from '../service-error.ts';
import type { TenantId } from '../tenant-id.ts';
import type { CursorCodec, CursorPosition } from './cursors.ts';
import { type PageRequest, readPage } from './page.ts';

/** The part of a bulk request that selects the items. */
interface Selection<Filter extends object> {
  readonly ids?: readonly string[];
  readonly filter?: Filter;
  readonly cursor?: string;
  readonly limit?: number;
}

/** How one item ended. */
interface ItemResult {
  readonly id: string;
  readonly status: number;
  readonly error?: { readonly code: ErrorCode; readonly message: string; readonly status: number };
}

export interface BulkResults<Outcome extends object> {
  readonly results: (ItemResult | (ItemResult & Outcome))[];
  readonly next_cursor: string | null;
}

/** Changes one item. Returns what its result shows beside the status. */
export type ChangeOne<Outcome extends object> = (id: string, index: number) => Promise<Outcome>;

/** The errors that end the whole request: the items that follow would fail in the same way. */
const OF_THE_REQUEST: readonly ErrorCode[] = ['invalid_credentials', 'insufficient_scope', 'unavailable'];

interface SelectionParts<Filter extends object, Row> {
  readonly cursors: CursorCodec;
  readonly request: { readonly tenantId: TenantId; readonly route: string };
  readonly selection: Selection<Filter>;
  /** Reads a page of the list in its own order. */
  readonly list: (filter: Filter, page: PageRequest) => Promise<Row[]>;
  readonly keyOf: (row: Row) => CursorPosition;
  readonly idOf: (row: Row) => string;
}

/**
 * Changes the selected items one after the other, each with the function that changes a single one. An item that is refused has
 * the error in its result, and the others are changed.
 * @throws ServiceError `invalid_field`, `invalid_cursor`, `cursor_filter_mismatch`, or the error of the first
 * item if it concerns the whole request
 */
export async function changeInBulk<Filter extends object, Row, Outcome extends object>(
  parts: SelectionParts<Filter, Row> & { readonly change: ChangeOne<Outcome> },
): Promise<BulkResults<Outcome>> {
  const { ids, nextCursor } = await select(parts);
  const results: (ItemResult | (ItemResult & Outcome))[] = [];
  let end: ServiceError | undefined;
  for (const [index, id] of ids.entries()) {
    if (end) {
      results.push({ id, ...toOutcome(end) });
      continue;
    }
    try {
      results.push({ id, status: 200, ...(await parts.change(id, index)) });
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      if (OF_THE_REQUEST.includes(error.code)) {
        if (index === 0) throw error;
        end = error;
      }
      results.push({ id, ...toOutcome(error) });
    }
  }
  return { results, next_cursor: nextCursor };
}

async function select<Filter extends object, Row>(
  parts: SelectionParts<Filter, Row>,
): Promise<{ ids: readonly string[]; nextCursor: string | null }> {
  const { cursors, request, selection, list, keyOf, idOf } = parts;
  const { ids, filter, cursor, limit = BULK_LIMIT } = selection;
  if (ids !== undefined) {
    if (filter !== undefined) throw new ServiceError('invalid_field', 'Set either ids or filter, not both');
    if (cursor !== undefined) throw new ServiceError('invalid_field', 'cursor is allowed only with filter');
    return { ids, nextCursor: null };
  }
  if (filter === undefined) throw new ServiceError('invalid_field', 'Set either ids or filter');
  const page = await readPage({
    cursors,
    request: { ...request, query: { ...filter, limit, ...(cursor === undefined ? {} : { cursor }) } },
    read: (wanted) => list(filter, wanted),
    keyOf,
    toItem: idOf,
  });
  return { ids: page.data, nextCursor: page.next_cursor };
}

function toOutcome({ code, message }: ServiceError): Omit<ItemResult, 'id'> {
  const status = ERROR_STATUS[code];
  return { status, error: { code, message, status } };
}
