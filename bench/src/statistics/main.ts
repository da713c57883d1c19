import { tmpdir } from 'node:os';
import { parseArgs } from 'node:util';
import { openDatabase } from '@tps/server/store';
import { STORE_NAMES } from '../options.ts';
import { openBenchStores } from '../stores/bench-store.ts';
import { measureIngest } from './measure-ingest.ts';
import { measureReading } from './measure-reading.ts';

const HELP = `Measures what statistics cost: reading a year of a tenant with 5 million events, and appending events with and
without counting them. Targets: at most 20 ms, and at most 2 %.

  npm run bench:statistics              both stores, about 2 minutes
  npm run bench:statistics -- --quick   a quarter of the transactions`;

const { values } = parseArgs({ options: { quick: { type: 'boolean' }, help: { type: 'boolean' } } });
if (values.help) console.log(HELP);
else await measure(values.quick ? 4 : 1);

async function measure(divisor: number): Promise<void> {
  const stores = openBenchStores({ directory: process.env.BENCH_DIR ?? tmpdir() });
  try {
    for (const engine of ['sqlite', 'postgres'] as const) {
      const store = await stores.create(engine);
      const database = await openDatabase(store.url);
      console.log(`${STORE_NAMES[engine]}, reading (wanted: at most 20 ms)`);
      const readings = await measureReading(database, { seconds: 4 / divisor, serverPid: store.pid });
      for (const { what, p10Ms, p50Ms, cpuMs } of readings) {
        console.log(
          `  ${what}: p10 ${p10Ms.toFixed(1)} ms, p50 ${p50Ms.toFixed(1)} ms, processor ${cpuMs.toFixed(1)} ms`,
        );
      }
      console.log(`${STORE_NAMES[engine]}, appending (wanted: at most 1.02)`);
      for (const [events, pairs] of [
        [1, 4_000],
        [20, 1_000],
        [200, 200],
      ] as const) {
        const cost = await measureIngest(database, { events, pairs: pairs / divisor });
        console.log(
          `  ${events} events: ${cost.withUs.toFixed(0)} µs with, ${cost.withoutUs.toFixed(0)} µs without, ratio ${cost.ratio.toFixed(3)}, of processor time ${cost.cpuRatio.toFixed(3)}`,
        );
      }
      await database.close();
      await store.drop();
    }
  } finally {
    await stores.close();
  }
}
