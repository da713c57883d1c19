import type { LastWrite, Queries } from './database.ts';

/** Runs the work of a transaction, and then what it has left for its end. */
export async function runToEnd<R>(
  work: (tx: Queries) => Promise<R>,
  createQueries: (atEnd: Queries['atEnd']) => Queries,
): Promise<R> {
  const left = new Map<LastWrite<never>, unknown[]>();
  const tx = createQueries((write, item) => {
    const items = left.get(write);
    if (items) items.push(item);
    else left.set(write, [item]);
  });
  const result = await work(tx);
  for (const [write, items] of left) await write(tx, items as never[]);
  return result;
}
