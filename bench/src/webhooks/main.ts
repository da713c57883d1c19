import { randomBytes } from 'node:crypto';
import type { LoadClientCalls } from '../load/load-client.ts';
import { describeMachine } from '../machine.ts';
import { startCallable } from '../process-calls.ts';
import { createRecorder } from '../recorder.ts';
import { printSample } from '../report/print-sample.ts';
import { toPlainText, toRowTable, toTargetTable } from '../report/tables.ts';
import { openBenchStores } from '../stores/bench-store.ts';
import { timeFlush } from '../stores/one-commit.ts';
import { untilInterrupted } from '../until-interrupted.ts';
import { measureLatency } from './measure-latency.ts';
import { measureQueue } from './measure-queue.ts';
import { QUEUES } from './queue-shape.ts';
import type { ReceiverCalls } from './receivers.ts';
import type { WebhookBench } from './webhook-bench.ts';
import { readWebhookOptions, WEBHOOK_HELP, type WebhookBenchOptions } from './webhook-options.ts';
import { judgeWebhookTargets } from './webhook-targets.ts';
import { writeWebhooksPart } from './webhooks-part.ts';

const options = readWebhookOptions(process.argv.slice(2), process.env);
if (options === undefined) console.log(WEBHOOK_HELP);
else await run(options);

async function run(options: WebhookBenchOptions): Promise<void> {
  const bench: WebhookBench = {
    options,
    recorder: createRecorder(printSample),
    stores: openBenchStores(options),
    client: startCallable<LoadClientCalls>('./load/load-client.js'),
    receivers: startCallable<ReceiverCalls>('./webhooks/receivers.js'),
    masterKey: randomBytes(32).toString('base64'),
  };
  const { recorder, stores, client, receivers } = bench;
  const work = async () => {
    const machine = describeMachine(await timeFlush(stores.directory, 1));
    console.log(machine.join('\n'));
    await measureAll(bench);
    const rows = toRowTable(recorder);
    const targets = toTargetTable(judgeWebhookTargets(recorder, options));
    console.log(`\n${toPlainText(rows)}\n\n${toPlainText(targets)}`);
    if (options.write) writeWebhooksPart({ machine, rows, targets, options });
  };
  await untilInterrupted(work, async () => {
    await Promise.all([client.stop(), receivers.stop()]);
    await stores.close();
  });
}

/** Round after round through all rows, so that a slow minute of the machine touches both sides of a ratio. */
async function measureAll(bench: WebhookBench): Promise<void> {
  const { groups, engines, repeats, isQuick } = bench.options;
  for (let round = 1; round <= repeats; round += 1) {
    console.log(`\nround ${round} of ${repeats}`);
    for (const engine of engines) {
      if (groups.includes('latency')) await measureLatency(bench, engine);
      for (const group of ['deliveries', 'hanging'] as const) {
        if (!groups.includes(group)) continue;
        const queues = QUEUES[group].filter(({ isExtra }) => !(isQuick && isExtra));
        for (const queue of queues) await measureQueue(bench, engine, queue);
      }
    }
  }
}
