import { tmpdir } from 'node:os';
import { parseArgs } from 'node:util';
import { ENGINES, STORE_NAMES } from '../options.ts';
import { openBenchStores } from '../stores/bench-store.ts';
import { measureIdle } from './measure-idle.ts';
import { measureMemory } from './measure-memory.ts';

const HELP = `Measures a service with little to do: the processor time of one without requests in 60 s, and its resident size
during light use (an event and two reads a second). Targets: at most 0.5 % of a core, and at most 10 % more memory at the
end than after five minutes.

  npm run bench:idle                                  both stores, 60 minutes of light use each
  npm run bench:idle -- --minutes 0                   only the processor time
  npm run bench:idle -- --engine sqlite --minutes 20  one store`;

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '60' },
    engine: { type: 'string', multiple: true, default: [...ENGINES] as string[] },
    help: { type: 'boolean' },
  },
});
const minutes = Number(values.minutes);
if (values.help || !Number.isFinite(minutes)) console.log(HELP);
else await measure(minutes);

async function measure(lengthMinutes: number): Promise<void> {
  const stores = openBenchStores({ directory: process.env.BENCH_DIR ?? tmpdir() });
  const print = (line: string) => console.log(`  ${line}`);
  try {
    for (const engine of ENGINES.filter((name) => values.engine.includes(name))) {
      const store = await stores.create(engine);
      console.log(`${STORE_NAMES[engine]}, without requests (wanted: at most 0.5 % of a core)`);
      await measureIdle(store, print);
      if (lengthMinutes > 0) {
        console.log(`${STORE_NAMES[engine]}, light use (wanted: at the end at most 1.10 of minute 5)`);
        await measureMemory(store, { minutes: lengthMinutes, print });
      }
      await store.drop();
    }
  } finally {
    await stores.close();
  }
}
