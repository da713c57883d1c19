import { existsSync } from 'node:fs';
import { type Database, type DatabaseOptions, openDatabase, toSqlitePath } from '../../database/index.ts';
import { TenantService } from '../../features/tenants/tenant-service.ts';
import { TokenService } from '../../features/tokens/token-service.ts';
import { systemClock } from '../../platform/clock.ts';
import { type Config, loadConfig } from '../../platform/config/config.ts';
import type { CommandContext } from './command-context.ts';

/** What a command works with. */
export interface StoreParts {
  readonly database: Database;
  readonly tenants: TenantService;
  readonly tokens: TokenService;
  readonly config: Config;
}

/** A command that waits says so apart from its output. */
const toStandardError: NonNullable<DatabaseOptions['logger']> = {
  info: () => undefined,
  warn: (details, message) => void process.stderr.write(`${message} ${JSON.stringify(details)}\n`),
};

/**
 * Opens the store, also beside a running service, and closes it when the work is done or has failed.
 *
 * @throws Error when there is no store, unless it may be created
 */
export async function withStore(
  env: CommandContext['env'],
  work: (parts: StoreParts) => Promise<void>,
  { mayMake = false }: { mayMake?: boolean } = {},
): Promise<void> {
  const config = loadConfig(env);
  if (!mayMake) requireStore(config.database);
  const database = await openDatabase(config.database.url.reveal(), {
    poolSize: 1,
    exclusive: false,
    logger: toStandardError,
  });
  try {
    const parts = { database, clock: systemClock };
    await work({ config, database, tenants: new TenantService(parts), tokens: new TokenService(parts) });
  } finally {
    await database.close();
  }
}

/** With a mistyped path, the command would succeed on a new, empty store. */
function requireStore({ engine, url }: Config['database']): void {
  if (engine !== 'sqlite') return;
  const path = toSqlitePath(url.reveal());
  if (!existsSync(path))
    throw new Error(`There is no store at ${path}. Set SERVICE_DATABASE_URL to its location.`);
}
