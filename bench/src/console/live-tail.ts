import type { BrowserContext } from 'playwright-core';
import type { SignedFleet } from '../load/signed-fleet.ts';
import type { ServiceProcess } from '../servers/service-process.ts';
import type { Figures } from './budgets.ts';
import { openSlowPage, type SlowPage } from './slow-browser.ts';

/** An hour at 50 events a second, as fast as the service takes them. */
const EVENTS = 50 * 3600;
const EVENTS_PER_BATCH = 500;
const PARTS = 4;

/** Keeps the live tail open while the events of an hour arrive, and compares the heap at half time with the end. */
export async function measureTail(
  { context, address, service }: { context: BrowserContext; address: string; service: ServiceProcess },
  fleet: SignedFleet,
): Promise<Figures> {
  const slow = await openSlowPage(context);
  await slow.page.goto(`${address}/events?live=1`);
  await slow.page.locator('[data-live-state=connected]').waitFor();
  const heaps: number[] = [];
  for (let part = 0; part < PARTS; part += 1) {
    const batches = EVENTS / EVENTS_PER_BATCH / PARTS;
    for (let batch = 0; batch < batches; batch += 1) await sendBatch(service, fleet);
    heaps.push(await heapMiB(slow));
  }
  console.log(`heap of the live tail, MiB: ${heaps.map((heap) => heap.toFixed(1)).join(', ')}`);
  await slow.page.close();
  const [, half = 0, , end = 0] = heaps;
  return { tailGrowthMiB: end - half };
}

async function sendBatch({ baseUrl }: ServiceProcess, fleet: SignedFleet): Promise<void> {
  const [request] = await fleet.sign(1, EVENTS_PER_BATCH);
  if (!request) throw new Error('no request was signed');
  const response = await fetch(`${baseUrl}/events/batch`, {
    method: 'POST',
    headers: request.headers,
    body: new Uint8Array(request.body),
  });
  await response.arrayBuffer();
  if (!response.ok) throw new Error(`POST /events/batch responded with ${response.status}`);
}

async function heapMiB({ devtools }: SlowPage): Promise<number> {
  await devtools.send('HeapProfiler.collectGarbage');
  const { usedSize } = await devtools.send('Runtime.getHeapUsage');
  return usedSize / 1024 ** 2;
}
