import type { Sample } from '../figures.ts';
import { type BenchOptions, type OptionTable, TIMED_WINDOW } from '../options.ts';
import { type CallableProcess, startCallable } from '../process-calls.ts';
import { peakBytesOf, withCpuSeconds } from '../process-usage.ts';
import { createPart, repeatRounds, runBench } from '../run-bench.ts';
import type { FastifyEchoCalls } from '../servers/fastify-echo.ts';
import { startService } from '../servers/service-process.ts';
import { SCAN_GROUPS, type ScanGroup } from './sample-scans.ts';
import type { ScanClientCalls } from './scan-client.ts';

const HELP = `Measures POST /scan beside a Fastify echo of the same bodies, in one run.

  npm run bench:scan                  everything: about 2 minutes
  npm run bench:scan -- --quick       1 round of 1 s per row
  npm run bench:scan -- --only text   only some groups of rows`;

const table = {
  name: 'scans',
  groups: SCAN_GROUPS,
  engines: [],
  settings: {
    ...TIMED_WINDOW,
    connections: { env: 'BENCH_CONNECTIONS', usual: 16, help: 'connections, one request at a time on each' },
  },
} as const satisfies OptionTable;
type ScanOptions = BenchOptions<typeof table>;

const part = createPart({
  table,
  async measure({ options, recorder, stores, atEnd }) {
    const client = startCallable<ScanClientCalls>('./scan/scan-client.ts');
    atEnd(() => client.stop());
    const echo = startCallable<FastifyEchoCalls>('./servers/fastify-echo.ts');
    atEnd(() => echo.stop());
    const service = await startService((await stores.create('sqlite')).url);
    atEnd(() => service.stop());
    const { baseUrl, pid, readyMs } = service;
    const { credential } = await service.tenant();
    const origin = await echo.call('listen', 'scan');
    await repeatRounds(options.repeats, async () => {
      for (const group of options.groups) {
        await client.call('prepare', { group, credential });
        const echoed = { origin, path: '/echo', pid: echo.pid };
        recorder.record(toEchoRow(group), await timed(client, options, echoed));
        const scanned = { origin: baseUrl, path: '/scan', pid };
        recorder.record(toScanRow(group), { ...(await timed(client, options, scanned)), readyMs });
      }
    });
    for (const group of options.groups) {
      const [scan, base] = [toScanRow(group), toEchoRow(group)];
      console.log(`${scan} / ${base}: ${recorder.ratio('requestsPerSecond', scan, base)?.toFixed(2)}`);
    }
  },
});

await runBench(HELP, [part]);

async function timed(
  client: CallableProcess<ScanClientCalls>,
  { connections, seconds, warmUp }: ScanOptions,
  { origin, path, pid }: { origin: string; path: string; pid: number },
): Promise<Sample> {
  const target = { origin, path, connections, repeat: true };
  await client.call('send', { ...target, seconds: warmUp });
  const { result, cpuSeconds } = await withCpuSeconds(pid, () => client.call('send', { ...target, seconds }));
  return {
    requestsPerSecond: result.requests / result.seconds,
    p50Ms: result.p50Ms,
    p99Ms: result.p99Ms,
    serverCores: cpuSeconds / result.seconds,
    clientCores: result.clientCpuSeconds / result.seconds,
    peakMiB: peakBytesOf(pid) / 1024 ** 2,
  };
}

function toScanRow(group: ScanGroup): string {
  return `POST /scan of a ${group}, SQLite`;
}

function toEchoRow(group: ScanGroup): string {
  return `Fastify echo of a ${group} with schema`;
}
