import { UnexpectedAnswerError } from '../errors/transport-errors.ts';

/** One page of a list, as the service gives it. */
export interface Page<Item> {
  readonly data: readonly Item[];
  readonly has_more: boolean;
  readonly next_cursor: string | null;
}

export type ItemOf<P> = P extends { readonly data: readonly (infer Item)[] } ? Item : never;

/**
 * A list that is read page by page while it is iterated. Nothing is asked for before that, and each iteration begins at
 * the start again.
 */
export interface List<P extends Page<unknown>> extends AsyncIterable<ItemOf<P>> {
  /**
   * Where to go on, once everything that was handed out has been dealt with: pass it as `cursor` to a list with the
   * same filters. Within a page it is where the page began, so whoever is stopped there and goes on sees the
   * page again; to go on exactly, deal with `pages()` and save each page's `next_cursor` along with its effects.
   * Null before the first page, and after the last one of a list that ends.
   */
  readonly cursor: string | null;
  /** Iterates over the pages, which also have what is about the whole list. */
  pages(): AsyncIterable<P>;
  /** Reads the first page alone. */
  page(): Promise<P>;
}

/** Reads the page at a cursor; the first one when there is none. */
export type ReadPage<P> = (cursor: string | null) => Promise<P>;

/** @throws UnexpectedAnswerError while iterating, when there is said to be more and no way leads there */
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

/** Makes a list of anything that gives pages. */
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

/** Gives the next cursor. One that leads nowhere would have the same page read for ever. */
export function advance(cursor: string | null, { next_cursor }: Page<unknown>): string {
  if (next_cursor === null || next_cursor === cursor) {
    throw new UnexpectedAnswerError('answer_not_understood', 'There is more, and no cursor leads to it.');
  }
  return next_cursor;
}
