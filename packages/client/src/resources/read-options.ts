import type { operations } from '../generated/api.ts';
import { type CallOptions, type Connection, definedSignals, readData } from '../http/connection.ts';
import { createFeed, type FollowOptions } from '../paging/follow.ts';
import { createList, type List, type Page } from '../paging/list.ts';

/** The members of an operation's query, named as in the contract. */
type Query<Operation extends keyof operations> = NonNullable<operations[Operation]['parameters']['query']>;

/** What can be said when something is read: the members of the query, and what holds for every call. */
export type ReadOptions<Operation extends keyof operations> = Query<Operation> & CallOptions;

/** The same for a list, where a cursor may also be none yet: null is what `List.cursor` is before the first page. */
export type ListOptions<Operation extends keyof operations> = Omit<Query<Operation>, 'cursor'> & ListCall;

type ListCall = CallOptions & { readonly cursor?: string | null | undefined };

/** What every list takes; what else is in the query is the caller's to know. */
type PageQuery = { limit?: number };

/** What `openapi-fetch` is given for a page. */
type PageRequest = {
  params: { query: PageQuery & { cursor?: string } };
  fetch: (request: Request) => Promise<Response>;
};

type RequestPage<P> = (init: PageRequest) => Promise<{ data?: P; response: Response }>;

/** As much as every list gives at once; the feed gives up to 500. */
const PAGE_SIZE = 100;

/** Takes apart what goes into the query and what holds for the call. */
export function splitOptions<Q extends object>({ signal, timeoutMs, ...query }: Q & CallOptions) {
  return { query: query as unknown as Q, call: { signal, timeoutMs } };
}

/** Makes what `openapi-fetch` is given to read, or take away, the thing of an id. */
export function itemRequest<Q extends object>(connection: Connection, id: string, options: Q & CallOptions) {
  const { query, call } = splitOptions<Q>(options);
  return { params: { path: { id }, query }, ...connection.call(call, 'any-failure') };
}

/** Makes the list of an operation that gives pages. */
export function createListOf<P extends Page<unknown>>(
  connection: Connection,
  { signal, timeoutMs, cursor = null, ...query }: PageQuery & ListCall,
  request: RequestPage<P>,
): List<P> {
  const call = { signal, timeoutMs };
  return createList(cursor, pageReader(connection, { query, call, request }));
}

/** Makes a list that never ends of an operation that gives pages. */
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

function pageReader<P>(
  connection: Connection,
  { query, call, request }: { query: PageQuery; call: CallOptions; request: RequestPage<P> },
) {
  return (cursor: string | null) => {
    const at = { limit: PAGE_SIZE, ...query, ...(cursor !== null && { cursor }) };
    return readData(request({ params: { query: at }, ...connection.call(call, 'any-failure') }));
  };
}
