import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'undici';
import { generateKeys, registerFleet } from '../load/signed-fleet.ts';
import { trickle } from '../load/trickle.ts';
import { residentBytesOf } from '../process-usage.ts';
import { startService } from '../servers/service-process.ts';
import type { BenchStore } from '../stores/bench-store.ts';
import { createTenants } from '../stores/create-tenants.ts';

const DEVICES = 24;
const READ_PATHS = ['/events?limit=20', '/incidents?limit=20'];
/** The size after this time is the one that the others are compared with. */
const REFERENCE_MINUTE = 5;
/** What the metrics of the process call its parts. */
const PARTS = {
  heap: 'nodejs_heap_size_used_bytes',
  'heap reserved': 'nodejs_heap_size_total_bytes',
  external: 'nodejs_external_memory_bytes',
};
const MEGABYTE = 2 ** 20;

/** Prints the resident size of a service each minute during light use. */
export async function measureMemory(
  store: BenchStore,
  { minutes, print }: { readonly minutes: number; readonly print: (line: string) => void },
): Promise<void> {
  const service = await startService(store.url);
  const pool = new Pool(service.baseUrl, { connections: 2, pipelining: 1 });
  try {
    const [tenant] = await createTenants(store.url, 1);
    if (tenant === undefined) throw new Error('no tenant was created');
    const { credential } = tenant;
    const target = { ...tenant, baseUrl: service.baseUrl };
    const fleet = await registerFleet([target], { keys: await generateKeys(), devices: DEVICES });
    let reference: number | undefined;
    for (let minute = 1; minute <= minutes; minute += 1) {
      const requests = await fleet.sign(60, 1);
      const reads = readEachSecond(pool, credential);
      await trickle(requests, { origin: service.baseUrl, perSecond: 1 });
      await reads;
      const size = residentBytesOf(service.pid);
      if (minute === Math.min(REFERENCE_MINUTE, minutes)) reference = size;
      const ratio = reference === undefined ? '' : `, ratio ${(size / reference).toFixed(3)}`;
      const parts = await readParts(service.metricsUrl);
      print(`minute ${minute}: resident ${toMegabytes(size)} MB${ratio} (${parts})`);
    }
  } finally {
    await pool.close();
    await service.stop();
  }
}

async function readEachSecond(pool: Pool, credential: string): Promise<void> {
  for (let second = 0; second < 60; second += 1) {
    for (const path of READ_PATHS) {
      const headers = { authorization: `Bearer ${credential}` };
      const { statusCode, body } = await pool.request({ method: 'GET', path, headers });
      await body.dump();
      if (statusCode !== 200) throw new Error(`${path} answered ${statusCode}`);
    }
    await sleep(1000);
  }
}

async function readParts(metricsUrl: string): Promise<string> {
  const text = await (await fetch(metricsUrl)).text();
  const parts = Object.entries(PARTS).map(([name, metric]) => {
    const value = new RegExp(`^${metric} (\\S+)$`, 'm').exec(text)?.[1];
    return `${name} ${toMegabytes(Number(value))}`;
  });
  return parts.join(', ');
}

function toMegabytes(bytes: number): string {
  return (bytes / MEGABYTE).toFixed(0);
}
