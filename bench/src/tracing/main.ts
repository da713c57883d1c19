import { tmpdir } from 'node:os';
import { parseArgs } from 'node:util';
import { openBenchStores } from '../stores/bench-store.ts';
import { measureTracing } from './measure-tracing.ts';

const HELP = `Measures what tracing costs a request, as a ratio within one run: one service exports to a collector that answers, one
samples, and two do not trace, which shows by how much equal services differ.

  npm run bench:tracing              6 rounds of 1 s, about 2 minutes
  npm run bench:tracing -- --quick   2 rounds of 1 s`;

const { values } = parseArgs({ options: { quick: { type: 'boolean' }, help: { type: 'boolean' } } });
if (values.help) console.log(HELP);
else {
  const stores = openBenchStores({ directory: process.env.BENCH_DIR ?? tmpdir() });
  const window = values.quick ? { repeats: 2, seconds: 1, warmUp: 1 } : { repeats: 6, seconds: 1, warmUp: 1 };
  try {
    await measureTracing({ stores, window });
  } finally {
    await stores.close();
  }
}
