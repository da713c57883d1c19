import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createSampleRecorder } from '../figures.ts';
import type { LoadClientCalls } from '../load/load-client.ts';
import { startCallable } from '../process-calls.ts';
import { measureLoad } from '../requests/service-load.ts';
import { type ServiceProcess, startService } from '../servers/service-process.ts';
import type { BenchStores } from '../stores/bench-store.ts';
import type { TimedWindow } from '../time-each.ts';

const DEVICES = 50;
const CONNECTIONS = 32;
const OFF = 'no tracing';

interface Variant {
  readonly row: string;
  readonly service: ServiceProcess;
  readonly tenant: { readonly tenantId: string; readonly credential: string };
}

/** All services run at the same time and are measured in turn, so that each round compares the same machine. */
export async function measureTracing({
  stores,
  window,
}: {
  stores: BenchStores;
  window: TimedWindow & { readonly repeats: number };
}): Promise<void> {
  const collector = await startCollector();
  const on = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url };
  const sampled = { OTEL_TRACES_SAMPLER: 'parentbased_traceidratio', OTEL_TRACES_SAMPLER_ARG: '0.01' };
  const variants: [string, Readonly<Record<string, string>>][] = [
    [OFF, {}],
    ['no tracing, again', {}],
    ['1 % of the traces', { ...on, ...sampled }],
    ['every trace', on],
  ];
  const client = startCallable<LoadClientCalls>('./load/load-client.ts');
  const recorder = createSampleRecorder();
  const options = { ...window, connections: CONNECTIONS, devices: DEVICES };
  const running: Variant[] = [];
  try {
    for (const [row, env] of variants) {
      const { url } = await stores.create('sqlite');
      const service = await startService(url, env);
      const tenant = await service.tenant();
      running.push({ row, service, tenant });
      await client.call('register', { baseUrl: service.baseUrl, ...tenant, devices: DEVICES });
    }
    for (let round = 0; round < window.repeats; round += 1) {
      // The first of a round is another one each time.
      for (const each of [
        ...running.slice(round % running.length),
        ...running.slice(0, round % running.length),
      ]) {
        const { row, service, tenant } = each;
        await client.call('adopt', { baseUrl: service.baseUrl, ...tenant, devices: DEVICES });
        const bench = { client, options, recorder, stores, atEnd: () => undefined };
        recorder.record(row, await measureLoad(bench, { service, storePid: undefined, kind: 'single' }));
      }
    }
    for (const [row] of variants) {
      const cpu = recorder.median(row, 'cpuMicros') ?? 0;
      const ratio = recorder.ratio('cpuMicros', row, OFF) ?? 0;
      const rate = recorder.ratio('requestsPerSecond', row, OFF) ?? 0;
      console.log(
        `${row}: processor time ${cpu.toFixed(0)} µs, ratio ${ratio.toFixed(3)}; requests/s ratio ${rate.toFixed(3)}`,
      );
    }
    console.log(`the collector got ${collector.bytes()} bytes`);
  } finally {
    await client.stop();
    for (const { service } of running) await service.stop();
    collector.close();
  }
}

/** Accepts everything. */
async function startCollector() {
  let bytes = 0;
  const server = createServer((request, response) => {
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
    });
    request.on('end', () => response.end());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const close = () => {
    server.close();
    server.closeAllConnections();
  };
  return { url: `http://127.0.0.1:${port}`, bytes: () => bytes, close };
}
