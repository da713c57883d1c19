import type { CallOptions } from '../http/connection.ts';

/** What every bulk request and its answer have in common. */
interface BulkRequest {
  cursor?: string;
}
interface BulkAnswer<Result> {
  results: Result[];
  next_cursor: string | null;
}

/**
 * Repeats a bulk request until each selected item had its turn, and yields the results. An error ends the loop: the
 * results before it were yielded.
 */
async function* repeatBulk<Request extends BulkRequest, Result>(
  request: Request,
  send: (request: Request) => Promise<BulkAnswer<Result>>,
): AsyncGenerator<Result, void, undefined> {
  let next: Request | undefined = request;
  while (next !== undefined) {
    const { results, next_cursor: cursor }: BulkAnswer<Result> = await send(next);
    yield* results;
    next = cursor === null ? undefined : { ...request, cursor };
  }
}

/**
 * Returns the calls of a bulk operation. `bulk` changes up to 100 items, each by itself: one that is refused has the error in its
 * result. `bulkAll` repeats it until each selected item had its turn, and yields the results.
 */
export function bulkCalls<Request extends BulkRequest, Answer extends BulkAnswer<unknown>>(
  send: (request: Request, options: CallOptions) => Promise<Answer>,
) {
  return {
    bulk: (request: Request, options: CallOptions = {}): Promise<Answer> => send(request, options),
    bulkAll: (
      request: Request,
      options: CallOptions = {},
    ): AsyncGenerator<Answer['results'][number], void, undefined> =>
      repeatBulk<Request, Answer['results'][number]>(request, (part) => send(part, options)),
  };
}
