import { tmpdir } from 'node:os';
import { parseArgs } from 'node:util';
import { openBenchStores } from '../stores/bench-store.ts';
import { toBudgetTable } from './budgets.ts';
import { CONSOLE_GROUPS, type ConsoleGroup, measureConsole } from './measure-console.ts';

const HELP = `Measures the console in Chromium, with its processor four times slower and over a slow network.

  npm run bench:console                      everything: about 4 minutes
  npm run bench:console -- --only load       only some groups: ${CONSOLE_GROUPS.join(', ')}; may be repeated
  npm run bench:console -- --events 20000    the length of the feed (default 100000)

It prints each figure beside its budget, and exits with 1 when one is missed.`;

process.exitCode = await main(process.argv.slice(2));

async function main(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      help: { type: 'boolean', short: 'h', default: false },
      only: { type: 'string', multiple: true, default: [...CONSOLE_GROUPS] as string[] },
      events: { type: 'string', default: '100000' },
    },
  });
  if (values.help) {
    console.log(HELP);
    return 0;
  }
  const groups = values.only.map(toGroup);
  if (!/^[1-9]\d{2,6}$/.test(values.events)) throw new Error('--events must be between 100 and 9999999.');
  const stores = openBenchStores({ directory: process.env.BENCH_DIR ?? tmpdir() });
  try {
    const figures = await measureConsole({ stores, groups, events: Number(values.events) });
    const { text, areHeld } = toBudgetTable(figures);
    console.log(text);
    return areHeld ? 0 : 1;
  } finally {
    await stores.close();
  }
}

function toGroup(name: string): ConsoleGroup {
  const group = CONSOLE_GROUPS.find((one) => one === name);
  if (group === undefined) throw new Error(`--only must be ${CONSOLE_GROUPS.join(', ')}; not ${name}.`);
  return group;
}
