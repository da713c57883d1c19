import pg from 'pg';
import type { DatabaseLog } from '../database.ts';

const CONNECT_WITHIN_MS = 5000;
const STATEMENT_WITHIN_MS = 10_000;

const { BOOL, INT8, NUMERIC } = pg.types.builtins;

/** Settings that hold regardless of the server, the role and the URL. */
const REQUIRED_SETTINGS = { synchronous_commit: 'on', default_transaction_isolation: 'read committed' };

/**
 * No sequential scans: for a small table they look cheapest, and a connection keeps the plan when the table has grown. Every
 * lookup has an index. No JIT: compiling an expensive plan takes longer than running one of our statements.
 */
const PLANNER_SETTINGS = { enable_seqscan: 'off', jit: 'off' };

export interface PoolOptions {
  readonly size: number;
  /** A migration may take long. */
  readonly isForMigrations?: boolean;
  /** How long a statement waits for a lock (default: as long as a statement may take). */
  readonly lockTimeoutMs?: number;
  readonly logger?: DatabaseLog | undefined;
}

export interface PostgresPool {
  readonly pool: pg.Pool;
  /**
   * Returns the statements that begin a transaction. Behind a pooler they contain the settings: the session can be another
   * one in the next transaction, and others use it.
   */
  toBegin(client: pg.ClientBase): string;
  /** Returns whether the connection leads to a pooler: what a session keeps (settings, prepared statements) is lost there. */
  isPooled(client: pg.ClientBase): boolean;
}

/**
 * Creates a pool that replaces lost connections. It returns numbers and flags as SQLite does. No setting is a startup
 * parameter: poolers such as PgBouncer refuse these.
 */
export function createPool(url: string, options: PoolOptions): PostgresPool {
  const limitMs = options.isForMigrations ? 0 : STATEMENT_WITHIN_MS;
  const settings = {
    ...REQUIRED_SETTINGS,
    ...PLANNER_SETTINGS,
    statement_timeout: `${limitMs}ms`,
    lock_timeout: `${options.lockTimeoutMs ?? 0}ms`,
    idle_in_transaction_session_timeout: `${limitMs * 3}ms`,
  };
  const pooled = new WeakSet<pg.ClientBase>();
  const pool = new pg.Pool({
    connectionString: url,
    max: options.size,
    application_name: 'threat-protection-service',
    connectionTimeoutMillis: CONNECT_WITHIN_MS,
    // The server's own limit does not help if the network loses the response.
    query_timeout: limitMs * 1.5,
    keepAlive: true,
    // Statements are sent without waiting for the results of earlier ones: see `PostgresTransaction`.
    pipeline: true,
    types: { getTypeParser: toParser },
    onConnect: async (client) => {
      if (await leadsToPooler(client)) pooled.add(client);
      else await applySettings(client, settings);
    },
  });
  // A running query fails by itself. Without a listener, the event would end the process.
  pool.on('connect', (client) => client.on('error', () => undefined));
  pool.on('error', (error) => options.logger?.warn({ err: error }, 'idle store connection lost'));
  const begin = toBeginWith(settings);
  const isPooled = (client: pg.ClientBase) => pooled.has(client);
  return { pool, isPooled, toBegin: (client) => (isPooled(client) ? begin : 'begin') };
}

/** A pooler announces an invented process id for cancel requests, because it handles these itself. */
async function leadsToPooler(client: pg.ClientBase): Promise<boolean> {
  const announced = (client as pg.ClientBase & { readonly processID: number }).processID;
  // A pooler accepts connections without a server, and lets statements wait for one.
  const query = { text: 'select pg_backend_pid() as pid', query_timeout: CONNECT_WITHIN_MS };
  const { rows } = await client.query<{ pid: number }>(query);
  return rows[0]?.pid !== announced;
}

type Settings = Readonly<Record<string, string>>;

async function applySettings(client: pg.ClientBase, settings: Settings): Promise<void> {
  const names = Object.keys(settings);
  const calls = names.map((name, at) => `set_config('${name}', $${at + 1}, false) as ${name}`);
  const text = `select ${calls.join(', ')}`;
  const { rows } = await client.query<Record<string, string>>(text, Object.values(settings));
  for (const [name, expected] of Object.entries(REQUIRED_SETTINGS)) {
    const actual = rows[0]?.[name];
    if (actual !== expected)
      throw new Error(`PostgreSQL has ${name} = ${actual} where ${expected} is required.`);
  }
}

function toBeginWith(settings: Settings): string {
  const { default_transaction_isolation: isolation, ...others } = settings;
  const locals = Object.entries(others).map(([name, value]) => `set local ${name} = '${value}'`);
  return [`begin isolation level ${isolation}`, ...locals].join('; ');
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
