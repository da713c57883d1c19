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
export async function* repeatBulk<Request extends BulkRequest, Result>(
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
