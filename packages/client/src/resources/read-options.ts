import type { operations } from '../generated/api.ts';
import { type CallOptions, type Connection, dataOf, presentOf } from '../http/connection.ts';
import { createFeed, type FollowOptions } from '../paging/follow.ts';
import { createList, type List, type Page } from '../paging/list.ts';

/** The members of an operation's query, named as in the contract. */
type Query<Operation extends keyof operations> = NonNullable<operations[Operation]['parameters']['query']>;

/** What can be said when something is read: the members of the query, and what holds for every call. */
export type ReadOptions<Operation extends keyof operations> = Query<Operation> & CallOptions;

type PageQuery = { cursor?: string; limit?: number };

/** What `openapi-fetch` is given for a page. */
type PageRequest<Q> = {
  params: { query: Q };
  fetch: (request: Request) => Promise<Response>;
};

type RequestPage<Q, P> = (init: PageRequest<Q>) => Promise<{ data?: P; response: Response }>;

/** As much as every list gives at once; the feed gives up to 500. */
const PAGE_SIZE = 100;

/** Takes apart what goes into the query and what holds for the call. */
export function readingOf<Q extends object>({ signal, timeoutMs, ...query }: Q & CallOptions) {
  return { query: query as unknown as Q, call: { signal, timeoutMs } };
}

/** Makes the list of an operation that gives pages. */
export function listOf<Q extends PageQuery, P extends Page<unknown>>(
  connection: Connection,
  options: Q & CallOptions,
  request: RequestPage<Q, P>,
): List<P> {
  const { query, call } = readingOf<Q>(options);
  return createList(query.cursor ?? null, pageReader(connection, { query, call, request }));
}

/** Makes a list that never ends of an operation that gives pages. */
export function feedOf<Q extends PageQuery, P extends Page<unknown>>(
  connection: Connection,
  { pollMs, onOutage, ...options }: Q & CallOptions & FollowOptions,
  request: RequestPage<Q, P>,
): List<P> {
  const { query, call } = readingOf<Q>(options as unknown as Q & CallOptions);
  const signals = presentOf([call.signal, connection.signal]);
  const read = pageReader(connection, { query, call, request });
  return createFeed(query.cursor ?? null, read, { pollMs, onOutage, signals });
}

function pageReader<Q extends PageQuery, P>(
  connection: Connection,
  { query, call, request }: { query: Q; call: CallOptions; request: RequestPage<Q, P> },
) {
  return (cursor: string | null) => {
    const at = { limit: PAGE_SIZE, ...query, ...(cursor !== null && { cursor }) };
    return dataOf(request({ params: { query: at }, ...connection.call(call, 'any-failure') }));
  };
}
