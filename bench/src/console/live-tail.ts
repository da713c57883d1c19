import type { SignedFleet } from '../load/signed-fleet.ts';
import type { ServiceProcess } from '../servers/service-process.ts';
import type { Figures } from './budgets.ts';
import type { SlowBrowser, SlowPage } from './slow-browser.ts';

/** An hour at 50 events a second, as fast as the service takes them. */
const EVENTS = 50 * 3600;
const EVENTS_PER_BATCH = 500;
const PARTS = 4;

/** Keeps the live tail open while the events of an hour arrive, and compares the heap at half time with the end. */
export async function measureTail(
  { slow, address, service }: { slow: SlowBrowser; address: string; service: ServiceProcess },
  fleet: SignedFleet,
): Promise<Figures> {
  const page = await slow.openPage();
  await page.open(`${address}/events?live=1`);
  await page.waitFor("document.querySelector('[data-live-state=connected]') !== null");
  const heaps: number[] = [];
  for (let part = 0; part < PARTS; part += 1) {
    const batches = EVENTS / EVENTS_PER_BATCH / PARTS;
    for (let batch = 0; batch < batches; batch += 1) await sendBatch(service, fleet);
    heaps.push(await heapMiB(page));
  }
  console.log(`heap of the live tail, MiB: ${heaps.map((heap) => heap.toFixed(1)).join(', ')}`);
  await page.close();
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

async function heapMiB(page: SlowPage): Promise<number> {
  await page.send('HeapProfiler.collectGarbage');
  const { usedSize } = await page.send<{ usedSize: number }>('Runtime.getHeapUsage');
  return usedSize / 1024 ** 2;
}
