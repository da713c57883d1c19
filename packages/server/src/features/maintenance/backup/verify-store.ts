import {
  type InspectedStore,
  inspectSqlite,
  inspectStore,
  readSchemaState,
} from '../../../database/index.ts';
import { type Clock, systemClock } from '../../../platform/clock.ts';
import * as feedCheckReadModel from './feed-check-read-model.ts';
import { verifyFeed } from './verify-feed.ts';

/** A longer list would not help: a store with this many problems is not repaired one by one. */
const MAX_PROBLEMS = 20;

/** The contents of a store and its problems. */
export interface Verification {
  /** Descriptions; empty if the store is sound. */
  readonly problems: readonly string[];
  readonly tenants: number;
  readonly events: number;
}

/** Verifies the store of a URL, also while the service runs. @throws Error if it cannot be opened */
export async function verifyStore(url: string, clock: Clock = systemClock): Promise<Verification> {
  return verifyAndClose(inspectStore(url), clock);
}

/** Verifies a file, such as a backup. @throws Error if it cannot be opened */
export async function verifyFile(path: string, clock: Clock = systemClock): Promise<Verification> {
  return verifyAndClose(inspectSqlite(path), clock);
}

async function verifyAndClose(store: InspectedStore, clock: Clock): Promise<Verification> {
  try {
    return await verify(store, clock);
  } finally {
    await store.close();
  }
}

async function verify(store: InspectedStore, clock: Clock): Promise<Verification> {
  const damage = store.findDamage();
  // A damaged file cannot be read to its end.
  if (damage.length > 0) return { problems: damage, tenants: 0, events: 0 };
  const unknown = await readUnknownMigrations(store);
  if (unknown !== undefined) return { problems: [unknown], tenants: 0, events: 0 };

  const problems: string[] = [];
  let events = 0;
  let tenantId = await feedCheckReadModel.findNextTenant(store.read, '');
  while (tenantId !== undefined && problems.length < MAX_PROBLEMS) {
    const feed = await verifyFeed(store.read, tenantId, clock);
    events += feed.events;
    if (feed.problem !== undefined) problems.push(`feed of ${tenantId}: ${feed.problem}`);
    tenantId = await feedCheckReadModel.findNextTenant(store.read, tenantId);
  }
  return { problems, tenants: await feedCheckReadModel.countTenants(store.read), events };
}

async function readUnknownMigrations({ read }: InspectedStore): Promise<string | undefined> {
  const schema = await readSchemaState(read);
  if (schema === undefined) return 'it is not a store of this service';
  const { unknown } = schema;
  return unknown.length === 0
    ? undefined
    : `it was migrated by a newer version of the service (${unknown.join(', ')})`;
}
