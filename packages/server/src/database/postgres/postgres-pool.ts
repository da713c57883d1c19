import pg from 'pg';
import type { DatabaseLog } from '../database.ts';

const CONNECT_WITHIN_MS = 5000;
const STATEMENT_WITHIN_MS = 10_000;

const { BOOL, INT8, NUMERIC } = pg.types.builtins;

/** Settings that each connection must report, regardless of the server, the role and the URL. */
const REQUIRED_SETTINGS = { synchronous_commit: 'on', default_transaction_isolation: 'read committed' };

/**
 * No sequential scans: for a small table they look cheapest, and a connection keeps the plan when the table has grown. Every
 * lookup has an index. No JIT: compiling an expensive plan takes longer than running one of our statements.
 */
const PLANNER_SETTINGS = { enable_seqscan: 'off', jit: 'off' };

interface PoolOptions {
  readonly size: number;
  /** A migration may take long, and waits for the migration of another node. */
  readonly isForMigrations?: boolean;
  /** How long a statement waits for a lock (default: as long as a statement may take). */
  readonly lockTimeoutMs?: number;
  readonly logger?: DatabaseLog | undefined;
}

/** Creates a pool that replaces lost connections. It returns numbers and flags as SQLite does. */
export function createPool(
  url: string,
  { size, isForMigrations = false, lockTimeoutMs = 0, logger }: PoolOptions,
): pg.Pool {
  const limitMs = isForMigrations ? 0 : STATEMENT_WITHIN_MS;
  const settings = Object.entries({ ...REQUIRED_SETTINGS, ...PLANNER_SETTINGS }).map(
    ([name, value]) => `-c ${name}=${value.replaceAll(' ', '\\ ')}`,
  );
  const pool = new pg.Pool({
    connectionString: url,
    max: size,
    application_name: 'threat-protection-service',
    options: settings.join(' '),
    connectionTimeoutMillis: CONNECT_WITHIN_MS,
    statement_timeout: limitMs,
    lock_timeout: lockTimeoutMs,
    // The server's own limit does not help if the network loses the response.
    query_timeout: limitMs * 1.5,
    idle_in_transaction_session_timeout: limitMs * 3,
    keepAlive: true,
    // Statements are sent without waiting for the results of earlier ones: see `PostgresTransaction`.
    pipeline: true,
    types: { getTypeParser: toParser },
    onConnect: assertSettings,
  });
  // A running query fails by itself. Without a listener, the event would end the process.
  pool.on('connect', (client) => client.on('error', () => undefined));
  pool.on('error', (error) => logger?.warn({ err: error }, 'idle store connection lost'));
  return pool;
}

async function assertSettings(client: pg.ClientBase): Promise<void> {
  for (const [name, expected] of Object.entries(REQUIRED_SETTINGS)) {
    const { rows } = await client.query<{ actual: string }>('select current_setting($1) as actual', [name]);
    const actual = rows[0]?.actual;
    if (actual !== expected)
      throw new Error(`PostgreSQL has ${name} = ${actual} where ${expected} is required.`);
  }
}

const toParser = ((oid: number, format?: 'text' | 'binary') => {
  if (format === 'binary') return pg.types.getTypeParser(oid, 'binary');
  if (oid === INT8 || oid === NUMERIC) return toExactNumber;
  if (oid === BOOL) return (text: string) => (text === 't' ? 1 : 0);
  return pg.types.getTypeParser(oid, 'text');
}) as typeof pg.types.getTypeParser;

/** For `bigint`, and for the `numeric` that `sum` returns for it. */
function toExactNumber(text: string): number {
  const value = Number(text);
  if (Number.isInteger(value) && !Number.isSafeInteger(value))
    throw new RangeError(`The store holds ${text}, beyond 2^53.`);
  return value;
}
