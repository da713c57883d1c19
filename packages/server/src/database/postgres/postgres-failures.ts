import { storeUnavailable } from '../store-unavailable.ts';

const NETWORK_CODES: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ENOENT',
]);

/** Messages of pg and its pool that come without a code. */
const NETWORK_MESSAGES = [
  'Connection terminated',
  'Connection ended unexpectedly',
  'Client has encountered a connection error',
  'Client was closed and is not queryable',
  'Query read timeout',
  'timeout exceeded when trying to connect',
  'timeout expired',
  'Cannot use a pool after calling end on the pool',
  'The server does not support SSL connections',
];

/**
 * SQLSTATEs after which a connection is unusable: connection exceptions, a shutdown or crash, an idle transaction that
 * timed out, and a server that became read-only, as after a failover.
 */
const CONNECTION_IS_LOST = /^(08...|57P0.|25006|25P03|25P04)$/;

/** No resources, I/O error, statement or lock timeout, login rejected, no such database. */
const STORE_IS_GONE = /^(53...|58...|57014|55P03|28...|3D000)$/;

/** The database accepts no connections at the moment. Counts at login only: for a statement, the code means a mistake in it. */
const LOGIN_IS_CLOSED = '55000';

/** Serialization failure and deadlock: a retry will most likely succeed. */
const WORTH_REPEATING = /^(40001|40P01)$/;

/**
 * A later version has added a column while this process runs: the result of a prepared `select *` would have other columns.
 * Other failures have this code, too. The name of the server's routine does not depend on the language of its messages.
 */
const PLAN_IS_STALE = { code: '0A000', routine: 'RevalidateCachedQuery' };

type Failure = 'lost' | 'gone' | 'repeat' | 'other';

/** Why a certificate of the server is refused, by the code of Node or OpenSSL. */
const REFUSED_CERTIFICATES: Readonly<Record<string, string>> = {
  ERR_TLS_CERT_ALTNAME_INVALID: 'is for another host name than the one in the database URL',
  SELF_SIGNED_CERT_IN_CHAIN: 'comes from an authority that is not trusted (sslrootcert)',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'comes from an authority that is not trusted (sslrootcert)',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'comes from an authority that is not trusted (sslrootcert)',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'comes from an authority that is not trusted (sslrootcert)',
  CERT_SIGNATURE_FAILURE: 'comes from an authority that is not trusted (sslrootcert)',
  CERT_HAS_EXPIRED: 'has expired',
  CERT_NOT_YET_VALID: 'is not valid yet',
};

/** What a pooler such as PgBouncer refuses, by its message, and what the operator can do. */
const REFUSED_BY_POOLER: readonly (readonly [RegExp, string])[] = [
  [
    /unsupported startup parameter/,
    'The pooler in front of PostgreSQL refuses a startup parameter. Remove it from the database URL, or add it to ' +
      'ignore_startup_parameters of PgBouncer.',
  ],
  [
    /statement pooling mode/,
    'The pooler in front of PostgreSQL allows no transactions. Set pool_mode = transaction or pool_mode = session for ' +
      'this database, or connect to PostgreSQL directly.',
  ],
];

/** Converts errors that mean "the store is full or gone" to `unavailable`; returns other errors unchanged. */
export function toPostgresFailure(error: unknown): unknown {
  const refused = REFUSED_BY_POOLER.find(([said]) => error instanceof Error && said.test(error.message));
  if (refused !== undefined) return storeUnavailable(new Error(refused[1], { cause: error }));
  return classify(error) === 'other' ? error : storeUnavailable(error);
}

/** Does the same for errors before a connection existed. */
export function toLoginFailure(error: unknown): unknown {
  const code = codeOf(error);
  const refused = REFUSED_CERTIFICATES[code];
  if (refused !== undefined) {
    const message = `The TLS certificate of PostgreSQL was refused: it ${refused}.`;
    return storeUnavailable(new Error(message, { cause: error }));
  }
  return code === LOGIN_IS_CLOSED ? storeUnavailable(error) : toPostgresFailure(error);
}

/** The work took too long or conflicted with other locks: the work is the cause, not the store. */
const WORK_IS_AT_FAULT = /^(57014|55P03|40001|40P01)$/;

/** Returns whether a failure, wrapped in `unavailable`, concerns this work only, so that other work may succeed. */
export function isWorkAtFault(error: unknown): boolean {
  return WORK_IS_AT_FAULT.test(codeOf(error instanceof Error && error.cause ? error.cause : error));
}

const LOCK_CONFLICT = /^(55P03|40P01)$/;

/** Returns whether other transactions hold locks that the work of this error needs. */
export function isLockConflict(error: unknown): boolean {
  return LOCK_CONFLICT.test(codeOf(error instanceof Error && error.cause ? error.cause : error));
}

/** Returns whether the connection that raised this error must not be used again. */
export function isLostConnection(error: unknown): boolean {
  return classify(error) === 'lost';
}

/** Returns whether a statement has to be prepared again, because its tables have changed. */
export function isStalePlan(error: unknown): boolean {
  return (
    codeOf(error) === PLAN_IS_STALE.code && (error as { routine?: unknown }).routine === PLAN_IS_STALE.routine
  );
}

/** Returns whether a transaction that failed with this error may be retried, given what its work permits. */
export function isWorthRepeating(
  error: unknown,
  { idempotent = false, repeatable = idempotent }: { idempotent?: boolean; repeatable?: boolean },
): boolean {
  const failure = classify(error instanceof Error && error.cause ? error.cause : error);
  return (failure === 'lost' && idempotent) || (failure === 'repeat' && repeatable);
}

function classify(error: unknown): Failure {
  if (!(error instanceof Error)) return 'other';
  const code = codeOf(error);
  if (CONNECTION_IS_LOST.test(code) || NETWORK_CODES.has(code)) return 'lost';
  if (STORE_IS_GONE.test(code)) return 'gone';
  if (WORTH_REPEATING.test(code) || isStalePlan(error)) return 'repeat';
  return code === '' && NETWORK_MESSAGES.some((start) => error.message.startsWith(start)) ? 'lost' : 'other';
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}
