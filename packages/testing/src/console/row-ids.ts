import type { Page } from 'playwright-core';

/** Returns the ids of the rows of a list from top to bottom: in the document, their elements are in another order. */
export function rowIdsOf(page: Page): Promise<(string | null)[]> {
  return page.locator('[role=row][data-id]').evaluateAll((rows) =>
    rows
      .map((row) => ({ index: Number(row.getAttribute('data-index')), id: row.getAttribute('data-id') }))
      .sort((one, other) => one.index - other.index)
      .map(({ id }) => id),
  );
}
