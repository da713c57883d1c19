import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type AgentlessDevice, registerDevice } from '@tps/simulator';
import { newFolder } from '@tps/testing/fixture';
import { runCommand, type SpawnedService, spawnService, sqliteEnv } from '@tps/testing/process';
import { waitUntil } from '@tps/testing/time';
import SqliteDatabase from 'better-sqlite3';
import { type EventLedger, startLoad } from '../service/event-load.ts';

/** A service on an SQLite store in its own directory, with devices that can put it under load. */
export interface StoreInUse {
  readonly folder: string;
  readonly path: string;
  readonly env: Record<string, string>;
  readonly service: SpawnedService;
  readonly devices: readonly AgentlessDevice[];
}

const DEVICES = 3;

export async function useStore(): Promise<StoreInUse> {
  const folder = newFolder();
  const path = join(folder, 'service.db');
  const env = sqliteEnv(path);
  const service = await spawnService({ env });
  const { tenantId, admin: credential } = service.credentials();
  const devices = await Promise.all(
    Array.from({ length: DEVICES }, () => registerDevice({ baseUrl: service.baseUrl, tenantId, credential })),
  );
  return { folder, path, env, service, devices };
}

/** Lets the devices send until this many events are acknowledged. */
export async function fill({ devices, service }: StoreInUse, count: number): Promise<EventLedger> {
  const ledger: EventLedger = { acknowledged: new Map(), batches: [] };
  const load = startLoad(devices, service.baseUrl, ledger);
  await waitUntil(() => ledger.acknowledged.size >= count);
  load.stop();
  await load.ended;
  return ledger;
}

/** Runs a command that must succeed, and returns its output. */
export async function runWell(args: readonly string[], env: Record<string, string>): Promise<string> {
  const { code, output } = await runCommand(args, env);
  if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}: ${output}`);
  return output;
}

/** Reads the ids of all events from the file of a store. */
export function readEventIds(path: string): Set<string> {
  const database = new SqliteDatabase(path, { fileMustExist: true });
  try {
    return new Set(database.prepare<[], string>('select event_id from events').pluck().all());
  } finally {
    database.close();
  }
}

/** Files that unfinished backups and restores have left in a directory. */
export function listPartials(folder: string): string[] {
  return readdirSync(folder)
    .filter((name) => name.includes('.partial-'))
    .map((name) => join(folder, name));
}
