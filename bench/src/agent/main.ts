import { join } from 'node:path';
import { describeMachine } from '../machine.ts';
import { createRecorder, type Recorder } from '../recorder.ts';
import { printSample } from '../report/print-sample.ts';
import { toPlainText, toRowTable, toTargetTable } from '../report/tables.ts';
import { type ServiceProcess, startService } from '../servers/service-process.ts';
import { openBenchStores } from '../stores/bench-store.ts';
import { timeFlush } from '../stores/one-commit.ts';
import { untilInterrupted } from '../until-interrupted.ts';
import { AGENT_HELP, type AgentBenchOptions, readAgentOptions } from './agent-options.ts';
import { writeAgentPart } from './agent-part.ts';
import { judgeAgentTargets } from './agent-targets.ts';
import { type AgentBench, measureBuffer, measureRecording, measureUpload } from './measure-agent.ts';

const options = readAgentOptions(process.argv.slice(2), process.env);
if (options === undefined) console.log(AGENT_HELP);
else await run(options);

async function run(options: AgentBenchOptions): Promise<void> {
  const stores = openBenchStores(options);
  const recorder = createRecorder(printSample);
  let service: ServiceProcess | undefined;
  const work = async () => {
    const machine = describeMachine(await timeFlush(stores.directory, 1));
    console.log(machine.join('\n'));
    service = await startService((await stores.create('sqlite')).url);
    const { baseUrl, credential = '' } = service;
    let devices = 0;
    const newDevice = () => {
      devices += 1;
      return { baseUrl, credential, directory: join(stores.directory, `device-${devices}`) };
    };
    await measureAll({ options, recorder, directory: stores.directory, newDevice });
    report(recorder, { options, machine });
  };
  await untilInterrupted(work, async () => {
    await service?.stop();
    await stores.close();
  });
}

/** Round after round through all rows, so that a slow minute of the machine touches both sides of a ratio. */
async function measureAll(bench: AgentBench): Promise<void> {
  const { groups, repeats } = bench.options;
  for (let round = 1; round <= repeats; round += 1) {
    console.log(`\nround ${round} of ${repeats}`);
    if (groups.includes('record')) await measureRecording(bench);
    if (groups.includes('upload')) await measureUpload(bench);
    if (groups.includes('buffer')) await measureBuffer(bench);
  }
}

function report(
  recorder: Recorder,
  { options, machine }: { options: AgentBenchOptions; machine: readonly string[] },
): void {
  const rows = toRowTable(recorder);
  const targets = toTargetTable(judgeAgentTargets(recorder));
  console.log(`\n${toPlainText(rows)}\n\n${toPlainText(targets)}`);
  if (options.write) writeAgentPart({ machine, rows, targets, options });
}
