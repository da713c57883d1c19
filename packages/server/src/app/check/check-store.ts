import { statSync } from 'node:fs';
import {
  findConnectionRisk,
  type InspectedStore,
  inspectStore,
  readSchemaState,
  toSqlitePath,
} from '../../database/index.ts';
import { findUnreadableTotp } from '../../features/accounts/index.ts';
import { checkBundleKey } from '../../features/indicators/index.ts';
import { findUnreadableChannels } from '../../features/notices/index.ts';
import { findUnreadableSignOn } from '../../features/sign-on/index.ts';
import { checkStoredSecrets } from '../../features/webhooks/index.ts';
import { systemClock } from '../../platform/clock.ts';
import type { Config } from '../../platform/config/config.ts';
import { SecretBox } from '../../platform/crypto/secret-box.ts';
import { describeFailure } from '../describe-failure.ts';
import type { Problem } from './problem.ts';

const NOT_CREATED = 'The store does not exist yet; the first start creates it.';

export interface StoreState {
  readonly engine: 'sqlite' | 'postgres';
  readonly reachable: boolean;
  /** The last migration that has run; null if there is no store yet. */
  readonly schema_version: string | null;
  /** Migrations that the next start of the service runs. */
  readonly pending_migrations: readonly string[];
  readonly writable: boolean;
}

/** Opens the store for inspection, without creating or migrating it, and adds what is wrong to `problems`. */
export async function checkStore(config: Config, problems: Problem[]): Promise<StoreState> {
  const { engine, url } = config.database;
  const nothing = { engine, schema_version: null, pending_migrations: [] };
  if (engine === 'sqlite' && isWithoutContent(toSqlitePath(url.reveal()))) {
    problems.push({ part: 'store', level: 'warning', message: NOT_CREATED });
    return { ...nothing, reachable: false, writable: false };
  }
  let store: InspectedStore | undefined;
  try {
    const risk = engine === 'postgres' ? findConnectionRisk(url.reveal()) : undefined;
    if (risk !== undefined) problems.push({ part: 'store', level: 'warning', message: risk });
    store = inspectStore(url.reveal());
    return await look(store, { config, problems });
  } catch (error) {
    problems.push({ part: 'store', level: 'error', message: describeFailure(error) });
    return { ...nothing, reachable: false, writable: false };
  } finally {
    await store?.close();
  }
}

/** SQLite creates a database in a file without content. */
function isWithoutContent(path: string): boolean {
  return (statSync(path, { throwIfNoEntry: false })?.size ?? 0) === 0;
}

async function look(
  store: InspectedStore,
  { config, problems }: { config: Config; problems: Problem[] },
): Promise<StoreState> {
  const addError = (message: string) => problems.push({ part: 'store', level: 'error', message });
  const schema = await readSchemaState(store.read);
  if (!schema && (await store.isEmpty())) {
    problems.push({ part: 'store', level: 'warning', message: NOT_CREATED });
  } else if (!schema) addError('The database is not a store of this service.');
  if (schema && schema.unknown.length > 0) {
    addError(`The store was migrated by a newer version of the service (${schema.unknown.join(', ')}).`);
  }
  const obstacle = await store.findWriteObstacle();
  if (obstacle !== undefined) addError(obstacle);
  // A store with pending migrations must be migrated before its webhooks can be read.
  if (schema?.unknown.length === 0 && schema.pending.length === 0)
    await checkSecrets(store, { config, problems });
  return {
    engine: config.database.engine,
    reachable: true,
    schema_version: schema?.version ?? null,
    pending_migrations: schema?.pending ?? [],
    writable: obstacle === undefined,
  };
}

async function checkSecrets(
  store: InspectedStore,
  { config, problems }: { config: Config; problems: Problem[] },
): Promise<void> {
  const parts = { database: store, secrets: new SecretBox(config.secrets), clock: systemClock };
  for (const check of [checkStoredSecrets, checkBundleKey]) {
    try {
      await check(parts);
    } catch (error) {
      problems.push({ part: 'secrets', level: 'error', message: describeFailure(error) });
    }
  }
  for (const find of [findUnreadableTotp, findUnreadableSignOn, findUnreadableChannels]) {
    const message = await find(parts);
    if (message !== undefined) problems.push({ part: 'secrets', level: 'error', message });
  }
}
