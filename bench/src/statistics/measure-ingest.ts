import { randomBytes } from 'node:crypto';
import { loadConfig } from '@tps/server/service';
import {
  appendEvents,
  type Database,
  deviceStore,
  prepareEvent,
  systemClock,
  type TenantId,
  toDerivationSettings,
  toStorable,
} from '@tps/server/store';
import { percentile } from '../figures.ts';
import { sampleEvent } from '../sample-event.ts';

const TENANT = 'tnt_ingest' as TenantId;
const DEVICES = 20;
const SETTINGS = toDerivationSettings(loadConfig({}).derivation);
const TABLES = ['event_statistics', 'incident_statistics'];

export interface IngestCost {
  readonly events: number;
  /** The tenth percentile of a transaction with and without statistics, in microseconds. */
  readonly withUs: number;
  readonly withoutUs: number;
  readonly ratio: number;
  /** The ratio of the processor times of this process, which other programs affect least. */
  readonly cpuRatio: number;
}

/**
 * Appends groups of events, in pairs with and without writing their statistics, so that a slow minute of the machine affects
 * both. The order of a pair is random: when pairs alternated, SQLite's checkpoints fell on one kind more often (ratios of
 * processor time for 200 events from 1.10 to 1.20, and at random from 0.92 to 1.00). Both include the counting without
 * writing, 1 to 10 µs.
 */
export async function measureIngest(
  database: Database,
  { events, pairs }: { events: number; pairs: number },
): Promise<IngestCost> {
  await registerDevices(database);
  const times: [number, number][] = [];
  const cpuUs = { counted: 0, plain: 0 };
  let index = 0;
  const append = async (isCounted: boolean): Promise<number> => {
    const submissions = toSubmissions(index, events);
    index += events;
    const startedAt = performance.now();
    const before = process.cpuUsage();
    await database.transaction((tx) => {
      const addMany: typeof tx.addMany = (table, keys, rows) =>
        isCounted || !TABLES.includes(table) ? tx.addMany(table, keys, rows) : Promise.resolve();
      const parts = { submissions, nowMs: systemClock.now(), settings: SETTINGS };
      return appendEvents({ ...tx, addMany }, TENANT, parts);
    });
    const { user, system } = process.cpuUsage(before);
    cpuUs[isCounted ? 'counted' : 'plain'] += user + system;
    return (performance.now() - startedAt) * 1000;
  };
  for (let pair = -20; pair < pairs; pair += 1) {
    const isFirst = Math.random() < 0.5;
    const first = await append(isFirst);
    const second = await append(!isFirst);
    if (pair >= 0) times.push(isFirst ? [first, second] : [second, first]);
  }
  const withUs = fastTenth(times.map(([counted]) => counted));
  const withoutUs = fastTenth(times.map(([, plain]) => plain));
  const cpuRatio = cpuUs.counted / cpuUs.plain;
  return { events, withUs, withoutUs, ratio: withUs / withoutUs, cpuRatio };
}

function toSubmissions(from: number, events: number) {
  const nowMs = systemClock.now();
  return Array.from({ length: events }, (_, offset) => {
    const deviceId = `dev_${(from + offset) % DEVICES}`;
    const event = sampleEvent(from + offset, { tenantId: TENANT, deviceId, nowMs });
    return toStorable({
      deviceId,
      deviceVersion: 1,
      nonce: randomBytes(16).toString('base64url'),
      created: Math.floor(nowMs / 1000),
      signedDigest: '00'.repeat(32),
      events: [prepareEvent(event, { nowMs, retentionDays: 180 })],
    });
  });
}

async function registerDevices(database: Database): Promise<void> {
  await database.transaction(async (tx) => {
    for (let number = 0; number < DEVICES; number += 1) {
      await deviceStore.create(tx, {
        tenantId: TENANT,
        deviceId: `dev_${number}`,
        platform: 'android',
        status: 'active',
        publicKey: new Uint8Array(44),
        agentVersion: null,
        name: null,
        registeredAtMs: systemClock.now(),
        revokedAtMs: null,
        version: 1,
        lastSeenAtMs: null,
      });
    }
  });
}

function fastTenth(values: readonly number[]): number {
  return percentile(Float64Array.from(values).sort(), 0.1);
}
