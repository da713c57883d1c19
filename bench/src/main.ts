import type { LoadClientCalls } from './load/load-client.ts';
import { describeMachine } from './machine.ts';
import { measureCommits } from './measure-commits.ts';
import { measureFeed } from './measure-feed.ts';
import { type Bench, measureBatches, measureEchoes, measureSingles } from './measure-requests.ts';
import { type BenchOptions, HELP, readOptions } from './options.ts';
import { startCallable } from './process-calls.ts';
import { createRecorder } from './recorder.ts';
import { printSample } from './report/print-sample.ts';
import { writeRequestsPart } from './report/requests-part.ts';
import { toPlainText, toRowTable, toTargetTable } from './report/tables.ts';
import { judgeTargets } from './report/targets.ts';
import { openBenchStores } from './stores/bench-store.ts';
import { timeFlush } from './stores/one-commit.ts';
import { untilInterrupted } from './until-interrupted.ts';

const options = readOptions(process.argv.slice(2), process.env);
if (options === undefined) console.log(HELP);
else await run(options);

async function run(options: BenchOptions): Promise<void> {
  const stores = openBenchStores(options);
  const client = startCallable<LoadClientCalls>('./load/load-client.js');
  const bench: Bench = { options, stores, client, recorder: createRecorder(printSample) };
  const work = async () => {
    const machine = describeMachine(await timeFlush(stores.directory, 1));
    console.log(machine.join('\n'));
    await measureAll(bench);
    const rows = toRowTable(bench.recorder);
    const targets = toTargetTable(judgeTargets(bench.recorder, options.feedRows));
    console.log(`\n${toPlainText(rows)}\n\n${toPlainText(targets)}`);
    if (options.write) writeRequestsPart({ machine, rows, targets, options });
  };
  await untilInterrupted(work, async () => {
    await client.stop();
    await stores.close();
  });
}

/** Round after round through all rows, so that a slow minute of the machine touches both sides of a ratio. */
async function measureAll(bench: Bench): Promise<void> {
  const { groups, engines, repeats } = bench.options;
  for (let round = 1; round <= repeats; round += 1) {
    console.log(`\nround ${round} of ${repeats}`);
    if (groups.includes('single')) await measureEchoes(bench);
    for (const engine of engines) {
      if (groups.includes('single')) await measureSingles(bench, engine);
      if (groups.includes('batch')) await measureBatches(bench, engine);
      if (groups.includes('commit')) await measureCommits(bench, engine);
    }
  }
  if (!groups.includes('feed')) return;
  console.log('\nthe feed');
  for (const engine of engines) await measureFeed(bench, engine);
}
