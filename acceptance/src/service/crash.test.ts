import { setTimeout as sleep } from 'node:timers/promises';
import type { Alert, Event } from '@tps/contract';
import { registerDevice } from '@tps/simulator';
import { type SpawnedService, spawnService } from '@tps/testing/process';
import { repetitions } from '@tps/testing/soak';
import { createTestStore } from '@tps/testing/store';
import { waitUntil } from '@tps/testing/time';
import { expect, onTestFinished, test } from 'vitest';
import { type EventLedger, type EventLoad, startLoad } from './event-load.ts';
import { findBrokenLink, readFeedTable } from './feed-table.ts';
import { readList } from './read-api.ts';

const ROUNDS = repetitions({ short: 1, soak: 15 });
const DEVICES = 3;
const MAX_LOAD_MS = 500;
/** Acknowledged before each kill: enough for more than ten blocks, which become alerts. */
const MIN_EVENTS = 60;
const CHECKED = 'database checked after an unclean stop: no damage';

/** Kills the service under load at a random moment. Returns a new one on the same store. */
async function killUnderLoad(
  service: SpawnedService,
  { env, load, ledger }: { env: Record<string, string>; load: EventLoad; ledger: EventLedger },
): Promise<SpawnedService> {
  const before = ledger.acknowledged.size;
  await waitUntil(() => ledger.acknowledged.size > before + MIN_EVENTS);
  await sleep(Math.random() * MAX_LOAD_MS);
  await service.kill();
  await load.ended;
  return spawnService({ env });
}

/** Returns the batches of which only a part is in the feed. */
function findTornBatches(ledger: EventLedger, stored: ReadonlySet<string>): string[][] {
  return ledger.batches.filter((ids) => {
    const count = ids.filter((id) => stored.has(id)).length;
    return count !== 0 && count !== ids.length;
  });
}

async function expectAlertsForBlocks(service: SpawnedService, credential: string, ledger: EventLedger) {
  const { items } = await readList<Alert>(service.baseUrl, '/alerts', { credential, limit: 100 });
  const alerted = new Set(items.flatMap((alert) => alert.event_ids));
  const blocks = [...ledger.acknowledged.values()].filter((event) => event.action_taken === 'block');
  expect(blocks.length).toBeGreaterThan(10);
  expect(blocks.filter((event) => !alerted.has(event.event_id))).toEqual([]);
}

test(`${ROUNDS} kills under load lose, repeat and tear no acknowledged event or batch`, async () => {
  const store = await createTestStore('empty');
  onTestFinished(store.drop);
  const env = { SERVICE_DATABASE_URL: store.url };
  let service = await spawnService({ env });
  const { tenantId, admin: credential } = service.credentials();
  const devices = await Promise.all(
    Array.from({ length: DEVICES }, () => registerDevice({ baseUrl: service.baseUrl, tenantId, credential })),
  );
  const ledger: EventLedger = { acknowledged: new Map(), batches: [] };
  const seen: string[] = [];
  let cursor: string | undefined;

  for (let round = 1; round <= ROUNDS; round += 1) {
    const load = startLoad(devices, service.baseUrl, ledger);
    service = await killUnderLoad(service, { env, load, ledger });
    if (store.url.startsWith('sqlite:')) expect(service.output()).toContain(CHECKED);

    const tail = await readList<Event>(service.baseUrl, '/events', { credential, limit: 500, cursor });
    seen.push(...tail.items.map((event) => event.event_id));
    cursor = tail.cursor;
    const stored = new Set(seen);
    const lost = [...ledger.acknowledged.keys()].filter((id) => !stored.has(id));
    expect(lost, `round ${round}`).toEqual([]);
  }

  const stored = new Set(seen);
  expect(stored.size).toBe(seen.length);
  expect(findTornBatches(ledger, stored)).toEqual([]);
  const { rows, head } = await readFeedTable(store.url, tenantId);
  expect(rows.map((row) => row.event_id)).toEqual(seen);
  expect(findBrokenLink(rows)).toBeUndefined();
  expect(head).toEqual({ position: rows.length, chain_hash: rows.at(-1)?.chain_hash });
  await expectAlertsForBlocks(service, credential, ledger);
  expect((await service.stop()).code).toBe(0);
}, 600_000);
