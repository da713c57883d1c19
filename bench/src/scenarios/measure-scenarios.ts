import { dirname } from 'node:path';
import { openDatabase } from '@tps/server/store';
import { type BenchEngine, STORE_NAMES } from '../options.ts';
import { type LoadBench, measureLoad, registerDevices, withService } from '../requests/service-load.ts';
import { type BenchStore, openBenchStores, withStore } from '../stores/bench-store.ts';
import { type BenchTenant, createTenants } from '../stores/create-tenants.ts';
import { fillDevices } from '../stores/fill-devices.ts';
import { fillFeed } from '../stores/fill-feed.ts';
import { compileSlowFlush } from '../stores/slow-flush.ts';
import type { ScenarioOptions } from './scenario-options.ts';

export type ScenarioBench = LoadBench & { readonly options: ScenarioOptions };

const SMALL_FEED = 1000;

/** Single events on a disk whose flushes take longer: of the service on SQLite, of the server on PostgreSQL. */
export async function measureSlowDisk(bench: ScenarioBench, engine: BenchEngine): Promise<void> {
  const { flushMs } = bench.options;
  const slow = compileSlowFlush(flushMs);
  if (!slow) return console.log('  slow-disk: skipped, because this machine has no C compiler (cc)');
  const stores = openBenchStores({ directory: dirname(bench.stores.directory), env: slow.env });
  bench.atEnd(async () => {
    await stores.close();
    slow.remove();
  });
  await withStore(stores, engine, (store) =>
    withService(
      store,
      async (service) => {
        await registerDevices(bench, service);
        const sample = await measureLoad(bench, { service, storePid: store.pid, kind: 'single' });
        bench.recorder.record(toRow(engine, `${flushMs} ms more per flush`), sample);
      },
      engine === 'sqlite' ? slow.env : {},
    ),
  );
}

/** Single events of a tenant with few events, then of its neighbour with very many. */
export async function measureLargeTenant(bench: ScenarioBench, engine: BenchEngine): Promise<void> {
  const { client, options, recorder, stores } = bench;
  await withStore(stores, engine, async (store) => {
    const [small, large] = await prepareTenants(store, 2);
    const feeds = [
      { ...small, count: SMALL_FEED, neighbour: options.largeFeed },
      { ...large, count: options.largeFeed, neighbour: SMALL_FEED },
    ];
    const nowMs = Date.now();
    for (const { tenantId = '', count } of feeds) await fillFeed(store.url, { tenantId, count, nowMs });
    await withService(store, async (service) => {
      for (const { tenantId = '', credential = '', count, neighbour } of feeds) {
        const { baseUrl } = service;
        await client.call('register', { baseUrl, tenantId, credential, devices: options.devices });
        const sample = await measureLoad(bench, { service, storePid: store.pid, kind: 'single' });
        const [own, other] = [count, neighbour].map((events) => events.toLocaleString('en'));
        recorder.record(toRow(engine, `tenant with ${own} events beside ${other}`), sample);
      }
    });
  });
}

/** Single events of the devices of one tenant, then of more tenants. Each tenant has a device at least. */
export async function measureTenants(bench: ScenarioBench, engine: BenchEngine): Promise<void> {
  const { client, options, recorder, stores } = bench;
  for (const count of [1, 10, options.manyTenants]) {
    await withStore(stores, engine, async (store) => {
      const tenants = await prepareTenants(store, count);
      await withService(store, async (service) => {
        const targets = tenants.map((tenant) => ({ baseUrl: service.baseUrl, ...tenant }));
        await client.call('registerAtEach', { targets, devices: Math.max(count, options.devices) });
        const sample = await measureLoad(bench, { service, storePid: store.pid, kind: 'single' });
        const tenantsText = count === 1 ? '1 tenant' : `${count.toLocaleString('en')} tenants`;
        recorder.record(toRow(engine, tenantsText), sample);
      });
    });
  }
}

/** Single events of many devices in turn: most of their keys are in no cache. */
export async function measureManyDevices(bench: ScenarioBench, engine: BenchEngine): Promise<void> {
  const { client, options, recorder, stores } = bench;
  const { manyDevices: devices } = options;
  await withStore(stores, engine, async (store) => {
    const [tenant = { tenantId: '', credential: '' }] = await prepareTenants(store, 1);
    const publicKeys = await client.call('publicKeys');
    await fillDevices(store.url, { tenantId: tenant.tenantId, count: devices, publicKeys });
    await withService(store, async (service) => {
      await client.call('adopt', { baseUrl: service.baseUrl, ...tenant, devices });
      const sample = await measureLoad(bench, { service, storePid: store.pid, kind: 'single' });
      recorder.record(toRow(engine, `${devices.toLocaleString('en')} devices`), sample);
    });
  });
}

/** Creates the schema and tenants before the service starts. */
async function prepareTenants({ url }: BenchStore, count: number): Promise<BenchTenant[]> {
  await (await openDatabase(url)).close();
  return createTenants(url, count);
}

function toRow(engine: BenchEngine, scenario: string): string {
  return `POST /events, ${STORE_NAMES[engine]}, ${scenario}`;
}
