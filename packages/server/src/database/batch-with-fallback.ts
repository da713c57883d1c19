import { ServiceError } from '../platform/service-error.ts';
import { isWorkAtFault } from './postgres/postgres-failures.ts';

/**
 * Runs the work of several items in one transaction. If that fails although the store is available, an item failed
 * unexpectedly or waited too long for a lock. Each owner's items then run in a separate transaction. If that also fails
 * unexpectedly, each item runs alone, so that a failing item does not fail the others.
 *
 * @param transact runs the given items in one transaction and returns the outcome of each, in order
 * @param ownerOf returns the tenant, whose items must not fail or delay those of other tenants
 */
export async function batchWithFallback<Item, Result>(
  items: readonly Item[],
  transact: (items: readonly Item[]) => Promise<PromiseSettledResult<Result>[]>,
  ownerOf: (item: Item) => string,
): Promise<PromiseSettledResult<Result>[]> {
  try {
    return await transact(items);
  } catch (error) {
    const isUnavailable = error instanceof ServiceError;
    if (items.length === 1 || (isUnavailable && !isWorkAtFault(error))) throw error;
    const parts = partsOf(items, ownerOf);
    // All items of an owner wait for the same lock: trying them one by one would only take longer.
    if (isUnavailable && parts.length === 1) throw error;
    return runParts(items, parts.length === 1 ? items.map((item) => [item]) : parts, (part) =>
      batchWithFallback(part, transact, ownerOf),
    );
  }
}

function partsOf<Item>(items: readonly Item[], ownerOf: (item: Item) => string): Item[][] {
  const parts = new Map<string, Item[]>();
  for (const item of items) {
    const part = parts.get(ownerOf(item));
    if (part) part.push(item);
    else parts.set(ownerOf(item), [item]);
  }
  return [...parts.values()];
}

/** Runs parts beside each other, as far as there are connections, and returns the outcomes in the order of the items. */
async function runParts<Item, Result>(
  items: readonly Item[],
  parts: readonly (readonly Item[])[],
  run: (part: readonly Item[]) => Promise<PromiseSettledResult<Result>[]>,
): Promise<PromiseSettledResult<Result>[]> {
  const outcomes = new Map<Item, PromiseSettledResult<Result>>();
  const runPart = async (part: readonly Item[]) => {
    const settled = await run(part).catch((reason: unknown) =>
      part.map(() => ({ status: 'rejected', reason }) as const),
    );
    for (const [index, item] of part.entries()) {
      outcomes.set(item, settled[index] as PromiseSettledResult<Result>);
    }
  };
  await Promise.all(parts.map(runPart));
  return items.map((item) => outcomes.get(item) as PromiseSettledResult<Result>);
}
