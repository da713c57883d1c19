import { existsSync } from 'node:fs';
import { type Database, openDatabase, toSqlitePath } from '../../database/index.ts';
import { TenantService } from '../../features/tenants/index.ts';
import { TokenService } from '../../features/tokens/index.ts';
import { systemClock } from '../../platform/clock.ts';
import { type Config, loadConfig } from '../../platform/config/config.ts';
import type { CommandContext } from './command-context.ts';

/** What a command works on. */
export interface StoreParts {
  readonly database: Database;
  readonly tenants: TenantService;
  readonly tokens: TokenService;
  readonly config: Config;
}

/**
 * Opens the store beside a service that may be running on it, and closes it when the work is done or has failed.
 *
 * @throws Error when there is none, unless it may be made
 */
export async function withStore(
  env: CommandContext['env'],
  work: (parts: StoreParts) => Promise<void>,
  { mayMake = false }: { mayMake?: boolean } = {},
): Promise<void> {
  const config = loadConfig(env);
  if (!mayMake) requireStore(config.database);
  const database = await openDatabase(config.database.url.reveal(), { poolSize: 1, exclusive: false });
  try {
    const parts = { database, clock: systemClock };
    await work({ config, database, tenants: new TenantService(parts), tokens: new TokenService(parts) });
  } finally {
    await database.close();
  }
}

/** With a mistyped name the work would be done, and well, on a new store with nothing in it. */
function requireStore({ engine, url }: Config['database']): void {
  if (engine !== 'sqlite') return;
  const path = toSqlitePath(url.reveal());
  if (!existsSync(path))
    throw new Error(`There is no store at ${path}. SERVICE_DATABASE_URL says where it is.`);
}
