import { openDatabase } from '@tps/server/store';
import { serveCalls } from '../process-calls.ts';
import type { TimedWindow } from '../time-each.ts';
import { openBarePostgres, openBareSqlite } from './bare-store.ts';
import { readSampleRows, SAMPLE_TABLES, type SampleTables } from './sample-rows.ts';

/** Events per transaction of the loop. */
const EVENTS_PER_TRANSACTION = 200;

interface BareLoopOptions {
  /** A store that the service has filled. */
  readonly sampleUrl: string;
  /** An empty store. */
  readonly url: string;
  readonly window: TimedWindow;
}

interface BareLoopResult {
  readonly events: number;
  readonly seconds: number;
  readonly cpuSeconds: number;
}

/**
 * Inserts the rows that the service wrote into the same tables and indexes, and does nothing else: no request, no
 * signature, no validation, no derivation. When all are inserted, it inserts them again for another tenant.
 */
async function run({ sampleUrl, url, window }: BareLoopOptions): Promise<BareLoopResult> {
  const sample = await readSampleRows(sampleUrl);
  const transactions = toTransactions(sample);
  await (await openDatabase(url)).close();
  const store = url.startsWith('sqlite:') ? openBareSqlite(url) : await openBarePostgres(url);
  let turn = 0;
  const insertFor = async (seconds: number): Promise<number> => {
    let events = 0;
    for (const until = performance.now() + seconds * 1000; performance.now() < until; turn += 1) {
      const transaction = transactions[turn % transactions.length];
      if (!transaction) throw new Error('the service has stored no events');
      if (turn >= transactions.length) renameTenant(transaction);
      await store.insert(transaction);
      events += transaction.events.rows.length;
    }
    return events;
  };
  await insertFor(window.warmUp);
  const cpuBefore = process.cpuUsage();
  const startedAt = performance.now();
  const events = await insertFor(window.seconds);
  const elapsed = (performance.now() - startedAt) / 1000;
  const { user, system } = process.cpuUsage(cpuBefore);
  await store.close();
  return { events, seconds: elapsed, cpuSeconds: (user + system) / 1e6 };
}

/** Splits the rows of each table over the transactions. */
function toTransactions(sample: SampleTables): SampleTables[] {
  const count = Math.ceil(sample.events.rows.length / EVENTS_PER_TRANSACTION);
  return Array.from({ length: count }, (_, index) => {
    const part = (table: keyof SampleTables) => {
      const { columns, rows } = sample[table];
      const size = table === 'events' ? EVENTS_PER_TRANSACTION : Math.ceil(rows.length / count);
      return { columns, rows: rows.slice(index * size, (index + 1) * size) };
    };
    return { events: part('events'), alerts: part('alerts'), incident_members: part('incident_members') };
  });
}

/** The tenant is the first column of every table. */
function renameTenant(tables: SampleTables): void {
  for (const table of SAMPLE_TABLES) {
    for (const row of tables[table].rows as unknown[][]) row[0] = `${String(row[0])}+`;
  }
}

const calls = { run };
export type BareLoopCalls = typeof calls;

serveCalls(calls);
