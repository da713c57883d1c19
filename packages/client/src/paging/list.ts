import { UnexpectedAnswerError } from '../errors/transport-errors.ts';

/** One page of a list, as the service returns it. */
export interface Page<Item> {
  readonly data: readonly Item[];
  readonly has_more: boolean;
  readonly next_cursor: string | null;
}

/** The type of the items on a page. */
export type ItemOf<P> = P extends { readonly data: readonly (infer Item)[] } ? Item : never;

/**
 * A list that is fetched page by page while it is iterated. No request is sent before that, and each iteration starts from
 * the beginning.
 */
export interface List<P extends Page<unknown>> extends AsyncIterable<ItemOf<P>> {
  /**
   * Where to continue after everything yielded so far has been processed: pass it as `cursor` to a list with the same
   * filters. Within a page it is the start of that page, so that a consumer which stops there sees the page again. To
   * continue exactly, process `pages()` and save each page's `next_cursor` together with its effects.
   * Null before the first page, and after the last one of a list that ends.
   */
  readonly cursor: string | null;
  /** Iterates over the pages, which also contain members about the whole list. */
  pages(): AsyncIterable<P>;
  /** Fetches the first page only. */
  page(): Promise<P>;
}

/** Fetches the page at a cursor; with null, the first one. */
export type ReadPage<P> = (cursor: string | null) => Promise<P>;

/** @throws UnexpectedAnswerError while iterating, when a page has more but no new cursor */
export function createList<P extends Page<unknown>>(start: string | null, read: ReadPage<P>): List<P> {
  return iterateBy(
    start,
    async function* pages() {
      for (let cursor = start; ; ) {
        const page = await read(cursor);
        yield page;
        if (!page.has_more) return;
        cursor = advance(cursor, page);
      }
    },
    read,
  );
}

/** Creates a list from a generator of pages. */
export function iterateBy<P extends Page<unknown>>(
  start: string | null,
  pages: () => AsyncGenerator<P, void, void>,
  read: ReadPage<P>,
): List<P> {
  let cursor = start;
  return {
    get cursor() {
      return cursor;
    },
    page: () => read(start),
    async *pages() {
      cursor = start;
      for await (const page of pages()) {
        cursor = page.next_cursor;
        yield page;
      }
    },
    async *[Symbol.asyncIterator]() {
      cursor = start;
      for await (const page of pages()) {
        const last = page.data.length - 1;
        for (const [index, item] of page.data.entries()) {
          if (index === last) cursor = page.next_cursor;
          yield item as ItemOf<P>;
        }
        cursor = page.next_cursor;
      }
    },
  };
}

/** Returns the next cursor. A cursor that does not advance would fetch the same page forever. */
export function advance(cursor: string | null, { next_cursor }: Page<unknown>): string {
  if (next_cursor === null || next_cursor === cursor) {
    throw new UnexpectedAnswerError(
      'answer_not_understood',
      'The page has more after it, but no new cursor.',
    );
  }
  return next_cursor;
}
