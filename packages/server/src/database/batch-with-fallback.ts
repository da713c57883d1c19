import { ServiceError } from '../platform/service-error.ts';
import { isWorkAtFault } from './postgres/postgres-failures.ts';

/**
 * Runs the work of several items in one transaction. If that fails although the store is available, one item failed
 * unexpectedly or took too long: each item then runs alone, so that a failing item does not fail the others.
 *
 * @param transact runs the given items in one transaction and returns the outcome of each, in order
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
