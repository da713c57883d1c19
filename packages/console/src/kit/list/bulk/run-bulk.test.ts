import type { Client } from '@tps/client';
import { expect, test } from 'vitest';
import type { BulkChange, BulkChunk, BulkTarget } from '../list-definition.ts';
import { BulkInterruptedError, runBulk } from './run-bulk.ts';

const client = {} as Client;

function start(
  target: BulkTarget,
  answer: (change: BulkChange<unknown>) => BulkChunk,
  signal = new AbortController().signal,
) {
  const changes: BulkChange<unknown>[] = [];
  const done: number[] = [];
  const run = async (_client: Client, change: BulkChange<unknown>) => {
    changes.push(change);
    return answer(change);
  };
  const outcome = runBulk({
    action: { run },
    client,
    target,
    input: 'x',
    signal,
    onProgress: ({ changed, failed }) => done.push(changed.length + failed.length),
  });
  return { outcome, changes, done };
}

const changed = (ids: readonly string[], next: string | null = null): BulkChunk => ({
  results: ids.map((id) => ({ id, status: 200 })),
  next_cursor: next,
});

test('chosen items are changed 100 at a time', async () => {
  const ids = Array.from({ length: 250 }, (_, index) => `inc_${index}`);
  const { outcome, changes, done } = start({ ids }, ({ target }) =>
    changed('ids' in target ? target.ids : []),
  );
  expect((await outcome).changed).toHaveLength(250);
  expect(changes.map(({ target }) => ('ids' in target ? target.ids.length : 0))).toEqual([100, 100, 50]);
  expect(done).toEqual([100, 200, 250]);
});

test('everything that matches is changed until no cursor is left', async () => {
  const { outcome, changes } = start({ filter: { severity: 'high' } }, ({ cursor }) =>
    cursor === null ? changed(['a'], 'c1') : changed(['b']),
  );
  expect((await outcome).changed.map(({ id }) => id)).toEqual(['a', 'b']);
  expect(changes.map(({ cursor }) => cursor)).toEqual([null, 'c1']);
});

test('refused items are listed, and the others are changed', async () => {
  const error = { code: 'invalid_state_transition', message: 'No' };
  const { outcome } = start({ ids: ['a', 'b'] }, () => ({
    results: [
      { id: 'a', status: 200 },
      { id: 'b', status: 422, error },
    ],
    next_cursor: null,
  }));
  expect(await outcome).toMatchObject({ changed: [{ id: 'a' }], failed: [{ id: 'b' }] });
});

test('an interruption keeps what was done', async () => {
  const { outcome } = start({ filter: {} }, ({ cursor }) => {
    if (cursor !== null) throw new Error('cut');
    return changed(['a'], 'c1');
  });
  const error = await outcome.catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(BulkInterruptedError);
  expect(error).toMatchObject({ message: 'cut', outcome: { changed: [{ id: 'a' }] } });
});

test('no chunk begins after a stop', async () => {
  const controller = new AbortController();
  const { outcome, changes } = start(
    { filter: {} },
    () => {
      controller.abort();
      return changed(['a'], 'c1');
    },
    controller.signal,
  );
  await expect(outcome).rejects.toBeInstanceOf(BulkInterruptedError);
  expect(changes).toHaveLength(1);
});
