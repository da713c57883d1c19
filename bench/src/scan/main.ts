import { describeMachine } from '../machine.ts';
import { type CallableProcess, startCallable } from '../process-calls.ts';
import { peakBytesOf, withCpuSeconds } from '../process-usage.ts';
import { createRecorder, type Recorder, type Sample } from '../recorder.ts';
import { printSample } from '../report/print-sample.ts';
import { toPlainText, toRowTable } from '../report/tables.ts';
import { type ServiceProcess, startService } from '../servers/service-process.ts';
import { openBenchStores } from '../stores/bench-store.ts';
import { timeFlush } from '../stores/one-commit.ts';
import { untilInterrupted } from '../until-interrupted.ts';
import type { ScanClientCalls } from './scan-client.ts';
import type { ScanEchoCalls } from './scan-echo.ts';
import { readScanOptions, SCAN_HELP, type ScanBenchOptions, type ScanGroup } from './scan-options.ts';

const options = readScanOptions(process.argv.slice(2), process.env);
if (options === undefined) console.log(SCAN_HELP);
else await run(options);

interface ScanBench {
  readonly options: ScanBenchOptions;
  readonly recorder: Recorder;
  readonly client: CallableProcess<ScanClientCalls>;
  readonly echo: CallableProcess<ScanEchoCalls>;
  readonly service: ServiceProcess;
}

async function run(options: ScanBenchOptions): Promise<void> {
  const stores = openBenchStores(options);
  const recorder = createRecorder(printSample);
  const client = startCallable<ScanClientCalls>('./scan/scan-client.js');
  const echo = startCallable<ScanEchoCalls>('./scan/scan-echo.js');
  let service: ServiceProcess | undefined;
  const work = async () => {
    console.log(describeMachine(await timeFlush(stores.directory, 1)).join('\n'));
    service = await startService((await stores.create('sqlite')).url);
    await measureAll({ options, recorder, client, echo, service });
    console.log(`\n${toPlainText(toRowTable(recorder))}\n`);
    for (const group of options.groups) {
      const ratio = recorder.ratio('requestsPerSecond', scanRow(group), echoRow(group));
      console.log(`${scanRow(group)} / ${echoRow(group)}: ${ratio?.toFixed(2)}`);
    }
  };
  await untilInterrupted(work, async () => {
    await Promise.all([client.stop(), echo.stop(), service?.stop()]);
    await stores.close();
  });
}

/** Round after round through all rows, so that a slow minute of the machine touches both sides of a ratio. */
async function measureAll(bench: ScanBench): Promise<void> {
  const { options, client, echo, service, recorder } = bench;
  const { baseUrl, pid, credential = '', readyMs } = service;
  const origin = await echo.call('listen');
  for (let round = 1; round <= options.repeats; round += 1) {
    console.log(`\nround ${round} of ${options.repeats}`);
    for (const group of options.groups) {
      await client.call('prepare', { group, credential });
      recorder.record(echoRow(group), await timed(bench, { origin, path: '/echo', pid: echo.pid }));
      const sample = await timed(bench, { origin: baseUrl, path: '/scan', pid });
      recorder.record(scanRow(group), { ...sample, readyMs });
    }
  }
}

async function timed(
  { client, options }: ScanBench,
  { origin, path, pid }: { origin: string; path: string; pid: number },
): Promise<Sample> {
  const target = { origin, path, connections: options.connections, repeat: true };
  await client.call('send', { ...target, seconds: 1 });
  const { result, cpuSeconds } = await withCpuSeconds(pid, () =>
    client.call('send', { ...target, seconds: options.seconds }),
  );
  return {
    requestsPerSecond: result.requests / result.seconds,
    p50Ms: result.p50Ms,
    p99Ms: result.p99Ms,
    serverCores: cpuSeconds / result.seconds,
    clientCores: result.clientCpuSeconds / result.seconds,
    peakMiB: peakBytesOf(pid) / 1024 ** 2,
  };
}

function scanRow(group: ScanGroup): string {
  return `POST /scan of a ${group}, SQLite`;
}

function echoRow(group: ScanGroup): string {
  return `Fastify echo of a ${group} with schema`;
}
