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

/** What pg and its pool say without a code. */
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
 * SQLSTATEs after which this connection is of no use: connection exceptions, shut down or crashed, ended for idling in a transaction,
 * and a server that has become read-only, as after a failover.
 */
const CONNECTION_IS_LOST = /^(08...|57P0.|25006|25P03|25P04)$/;

/** No resources, I/O errors, statement timeout, refused at login, no such database. */
const STORE_IS_GONE = /^(53...|58...|57014|28...|3D000)$/;

/** A database that takes no connections just now. From a statement it means a mistake in that, so it counts at login alone. */
const LOGIN_IS_CLOSED = '55000';

/** Serialization failure and deadlock: the same work will most likely succeed. */
const WORTH_REPEATING = /^(40001|40P01)$/;

type Failure = 'lost' | 'gone' | 'repeat' | 'other';

/** Turns what means "the store is full or gone" into `unavailable`; everything else stays as it is. */
export function toPostgresFailure(error: unknown): unknown {
  return classify(error) === 'other' ? error : storeUnavailable(error);
}

/** The same for what went wrong before there was a connection. */
export function toLoginFailure(error: unknown): unknown {
  return codeOf(error) === LOGIN_IS_CLOSED ? storeUnavailable(error) : toPostgresFailure(error);
}

/** The work took too long or met another's locks: what it asked for is at fault, not the store. */
const WORK_IS_AT_FAULT = /^(57014|40001|40P01)$/;

/** Tells whether a failure, wrapped in `unavailable`, is that of this work alone: other work may well succeed. */
export function isWorkAtFault(error: unknown): boolean {
  return WORK_IS_AT_FAULT.test(codeOf(error instanceof Error && error.cause ? error.cause : error));
}

/** Tells whether the connection on which this happened must not be used again. */
export function isLostConnection(error: unknown): boolean {
  return classify(error) === 'lost';
}

/** Tells whether a transaction that failed so, possibly wrapped in `unavailable`, may simply be run again if it is idempotent. */
export function isWorthRepeating(error: unknown): boolean {
  const failure = classify(error instanceof Error && error.cause ? error.cause : error);
  return failure === 'lost' || failure === 'repeat';
}

function classify(error: unknown): Failure {
  if (!(error instanceof Error)) return 'other';
  const code = codeOf(error);
  if (CONNECTION_IS_LOST.test(code) || NETWORK_CODES.has(code)) return 'lost';
  if (STORE_IS_GONE.test(code)) return 'gone';
  if (WORTH_REPEATING.test(code)) return 'repeat';
  return code === '' && NETWORK_MESSAGES.some((start) => error.message.startsWith(start)) ? 'lost' : 'other';
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}
