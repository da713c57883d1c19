import { setTimeout as sleep } from 'node:timers/promises';
import { withCores } from '../process-usage.ts';
import { startService } from '../servers/service-process.ts';
import type { BenchStore } from '../stores/bench-store.ts';

/** After the start, the service compiles code, and Node.js collects for a while what the start has left. */
const SETTLE_MS = 120_000;
const MEASURED_MS = 60_000;

/** Measures the processor time of a service without requests, and that of its PostgreSQL. */
export async function measureIdle(store: BenchStore, print: (line: string) => void): Promise<void> {
  const service = await startService(store.url);
  try {
    await sleep(SETTLE_MS);
    const pids = { service: service.pid, ...(store.pid === undefined ? {} : { PostgreSQL: store.pid }) };
    const { cores } = await withCores(pids, () => sleep(MEASURED_MS));
    for (const [name, share] of Object.entries(cores))
      print(`${name} ${(share * 100).toFixed(2)} % of a core`);
  } finally {
    await service.stop();
  }
}
