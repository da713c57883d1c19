import { ServiceError } from '../platform/service-error.ts';
import { isWorkAtFault } from './postgres/postgres-failures.ts';

/**
 * Does the work of several items in one transaction. When that fails, and not because the store is away, one of them is at
 * fault in a way nobody foresaw, or takes too long: each is then done alone, so that it takes no other down with it.
 *
 * @param transact does the given items in one transaction, and tells the outcome of each in order
 */
export async function batchWithFallback<Item, Result>(
  items: readonly Item[],
  transact: (items: readonly Item[]) => Promise<PromiseSettledResult<Result>[]>,
): Promise<PromiseSettledResult<Result>[]> {
  try {
    return await transact(items);
  } catch (error) {
    const isStoreAway = error instanceof ServiceError && !isWorkAtFault(error);
    if (isStoreAway || items.length === 1) throw error;
  }
  const results: PromiseSettledResult<Result>[] = [];
  for (const item of items) {
    const alone = transact([item]).then(([result]) => result as PromiseSettledResult<Result>);
    results.push(await alone.catch((reason: unknown) => ({ status: 'rejected', reason }) as const));
  }
  return results;
}
