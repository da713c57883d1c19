import type { AfterCommit, LastWrite, Queries } from './database.ts';

/** The part of the queries that leaves work for later. */
export type LaterWork = Pick<Queries, 'atEnd' | 'afterCommit'>;

/** What a transaction has resolved with, and what it has left for after its commit. */
export interface TransactionResult<R> {
  readonly result: R;
  readonly acts: readonly AfterCommit[];
}

/** Runs the work of a transaction, and then what it has left for its end. */
export async function runToEnd<R>(
  work: (tx: Queries) => Promise<R>,
  createQueries: (later: LaterWork) => Queries,
): Promise<TransactionResult<R>> {
  const left = new Map<LastWrite<never>, unknown[]>();
  const acts: AfterCommit[] = [];
  const tx = createQueries({
    atEnd(write, item) {
      const items = left.get(write);
      if (items) items.push(item);
      else left.set(write, [item]);
    },
    afterCommit: (act) => void acts.push(act),
  });
  const result = await work(tx);
  for (const [write, items] of left) await write(tx, items as never[]);
  return { result, acts };
}

/** Runs what a transaction has left for after its commit, and returns its result. */
export async function afterCommit<R>(
  { result, acts }: TransactionResult<R>,
  database: Parameters<AfterCommit>[0],
): Promise<R> {
  for (const act of acts) await act(database);
  return result;
}
