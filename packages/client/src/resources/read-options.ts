import type { operations } from '../generated/api.ts';
import { type CallOptions, type Connection, definedSignals, readData } from '../http/connection.ts';
import { createFeed, type FollowOptions } from '../paging/follow.ts';
import { createList, type List, type Page } from '../paging/list.ts';

/** The members of an operation's query, named as in the contract. */
type Query<Operation extends keyof operations> = NonNullable<operations[Operation]['parameters']['query']>;

/** Options of a read: the members of the query, and the options of every call. */
export type ReadOptions<Operation extends keyof operations> = Query<Operation> & CallOptions;

/** The same for a list. `cursor` may also be null, like `List.cursor` before the first page. */
export type ListOptions<Operation extends keyof operations> = Omit<Query<Operation>, 'cursor'> & ListCall;

type ListCall = CallOptions & { readonly cursor?: string | null | undefined };

/** The query members that every list has. */
type PageQuery = { limit?: number };

/** The init for `openapi-fetch` to fetch a page. */
type PageRequest = {
  params: { query: PageQuery & { cursor?: string } };
  fetch: (request: Request) => Promise<Response>;
};

type RequestPage<P> = (init: PageRequest) => Promise<{ data?: P; response: Response }>;

/** The maximum of every list, except the feed, which returns up to 500. */
const PAGE_SIZE = 100;

/** Separates the members of the query from the options of the call. */
export function splitOptions<Q extends object>({ signal, timeoutMs, ...query }: Q & CallOptions) {
  return { query: query as unknown as Q, call: { signal, timeoutMs } };
}

/** Returns the init for `openapi-fetch` to read or remove an object by its id. */
export function itemRequest<Q extends object>(connection: Connection, id: string, options: Q & CallOptions) {
  const { query, call } = splitOptions<Q>(options);
  return { params: { path: { id }, query }, ...connection.call(call, 'any-failure') };
}

/** Returns the init for `openapi-fetch` to read what a query selects. */
export function queryRequest<Q extends object>(connection: Connection, options: Q & CallOptions) {
  const { query, call } = splitOptions<Q>(options);
  return { params: { query }, ...connection.call(call, 'any-failure') };
}

/** Creates the list of a paged operation. */
export function createListOf<P extends Page<unknown>>(
  connection: Connection,
  { signal, timeoutMs, cursor = null, ...query }: PageQuery & ListCall,
  request: RequestPage<P>,
): List<P> {
  const call = { signal, timeoutMs };
  return createList(cursor, pageReader(connection, { query, call, request }));
}

/** Creates the endless list of a paged operation. */
export function createFeedOf<P extends Page<unknown>>(
  connection: Connection,
  { pollMs, onOutage, signal, timeoutMs, cursor = null, ...query }: PageQuery & ListCall & FollowOptions,
  request: RequestPage<P>,
): List<P> {
  const call = { signal, timeoutMs };
  const signals = definedSignals([signal, connection.signal]);
  const read = pageReader(connection, { query, call, request });
  return createFeed(cursor, read, { pollMs, onOutage, signals });
}

/** Adds the id of the object to the init of a list that belongs to it. */
export function ofItem(id: string, { params: { query }, fetch }: PageRequest) {
  return { params: { path: { id }, query }, fetch };
}

function pageReader<P>(
  connection: Connection,
  { query, call, request }: { query: PageQuery; call: CallOptions; request: RequestPage<P> },
) {
  return (cursor: string | null) => {
    const at = { limit: PAGE_SIZE, ...query, ...(cursor !== null && { cursor }) };
    return readData(request({ params: { query: at }, ...connection.call(call, 'any-failure') }));
  };
}
