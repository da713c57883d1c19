import type { Bench } from './measure-requests.ts';
import type { BenchEngine } from './options.ts';
import { ROWS } from './row-names.ts';
import { timeOneCommit } from './stores/one-commit.ts';

/** One transaction after the other, each writing one row: the floor under every answer to a write. */
export async function measureCommits(
  { options, recorder, stores }: Pick<Bench, 'options' | 'recorder' | 'stores'>,
  engine: BenchEngine,
): Promise<void> {
  const store = await stores.create(engine);
  try {
    const { perSecond, p50Ms, p99Ms } = await timeOneCommit(store.url, options.seconds);
    recorder.record(ROWS.commit(engine), { requestsPerSecond: perSecond, p50Ms, p99Ms });
  } finally {
    await store.drop();
  }
}
