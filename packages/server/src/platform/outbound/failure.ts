import { errors } from 'undici';
import type { PostOutcome } from './outcome.ts';
import { HostUnresolvedError } from './resolve-host.ts';
import { TargetRejectedError } from './target-rejected-error.ts';
import { ConnectTimeoutError } from './vetted-connector.ts';

/** Why a request got no response. */
export type Failure = Pick<Extract<PostOutcome, { kind: 'failed' }>, 'reason' | 'message'>;

export type Timeouts = {
  /** For the connection, from the name lookup to the end of the TLS handshake. */
  readonly connectMs: number;
  /** From the start of the request to the end of the response head. */
  readonly answerMs: number;
  /** How long an idle connection is kept for the next request. */
  readonly idleMs: number;
  /**
   * How long a connection is reused. Then the host is resolved again: it may have moved to an address that is not
   * allowed.
   */
  readonly lifeMs: number;
};

const CLOSED = 'The receiver closed the connection before responding';
const UNREACHABLE = 'The receiver could not be reached';
const UNTRUSTED = "The receiver's certificate is not trusted";
const NOT_HTTP = "The receiver's response is not valid HTTP";

/** Error codes of Node, OpenSSL and undici, and what we report for each. */
const BY_CODE: Readonly<Record<string, Failure>> = {
  ECONNRESET: { reason: 'connection', message: CLOSED },
  EPIPE: { reason: 'connection', message: CLOSED },
  // The receiver closed the connection, or the HTTP/2 stream.
  UND_ERR_SOCKET: { reason: 'connection', message: CLOSED },
  UND_ERR_INFO: { reason: 'connection', message: CLOSED },
  UND_ERR_INVALID_ARG: { reason: 'connection', message: 'The request could not be sent' },
  ECONNREFUSED: { reason: 'connection', message: 'The receiver refused the connection' },
  EHOSTUNREACH: { reason: 'connection', message: UNREACHABLE },
  ENETUNREACH: { reason: 'connection', message: UNREACHABLE },
  EADDRNOTAVAIL: { reason: 'connection', message: UNREACHABLE },
  ETIMEDOUT: { reason: 'timeout', message: UNREACHABLE },
  UND_ERR_HEADERS_OVERFLOW: { reason: 'connection', message: 'The response head is too long' },
  CERT_HAS_EXPIRED: { reason: 'tls', message: "The receiver's certificate has expired" },
  CERT_NOT_YET_VALID: { reason: 'tls', message: "The receiver's certificate is not valid yet" },
  CERT_REVOKED: { reason: 'tls', message: "The receiver's certificate was revoked" },
  ERR_TLS_CERT_ALTNAME_INVALID: {
    reason: 'tls',
    message: "The receiver's certificate is for another name",
  },
  CERT_SIGNATURE_FAILURE: { reason: 'tls', message: UNTRUSTED },
  CERT_UNTRUSTED: { reason: 'tls', message: UNTRUSTED },
  CERT_REJECTED: { reason: 'tls', message: UNTRUSTED },
  CERT_CHAIN_TOO_LONG: { reason: 'tls', message: UNTRUSTED },
  INVALID_CA: { reason: 'tls', message: UNTRUSTED },
  INVALID_PURPOSE: { reason: 'tls', message: UNTRUSTED },
  DEPTH_ZERO_SELF_SIGNED_CERT: { reason: 'tls', message: UNTRUSTED },
  SELF_SIGNED_CERT_IN_CHAIN: { reason: 'tls', message: UNTRUSTED },
  UNABLE_TO_GET_ISSUER_CERT: { reason: 'tls', message: UNTRUSTED },
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: { reason: 'tls', message: UNTRUSTED },
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: { reason: 'tls', message: UNTRUSTED },
  PATH_LENGTH_EXCEEDED: { reason: 'tls', message: UNTRUSTED },
};

/** The failure of a request that was under way when the service stopped. */
export const ABORTED: Failure = {
  reason: 'connection',
  message: 'The request was aborted because the service is stopping',
};

/** Describes in one sentence why a request failed. Never repeats the error's own message: it contains addresses. */
export function toFailure(error: unknown, { connectMs }: Timeouts): Failure {
  if (error instanceof TargetRejectedError) return { reason: 'target', message: asSentence(error.message) };
  if (error instanceof HostUnresolvedError) {
    return { reason: 'connection', message: 'The host of the URL could not be resolved' };
  }
  if (error instanceof ConnectTimeoutError) {
    return { reason: 'timeout', message: `The connection was not established within ${seconds(connectMs)}` };
  }
  const code = codeOf(error);
  const known = BY_CODE[code];
  if (known) return known;
  if (code === 'EPROTO' || code.startsWith('ERR_SSL_') || code.startsWith('ERR_TLS_')) {
    return { reason: 'tls', message: 'The TLS handshake with the receiver failed' };
  }
  if (code === 'UND_ERR_INVALID_ARG')
    return { reason: 'connection', message: 'The request could not be sent' };
  if (error instanceof errors.HTTPParserError || code === 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH') {
    return { reason: 'connection', message: NOT_HTTP };
  }
  if (code.startsWith('ERR_HTTP2_')) return { reason: 'connection', message: CLOSED };
  return { reason: 'connection', message: 'The request failed' };
}

/** The failure of a request that got no response in time. */
export function answerTimeout({ answerMs }: Timeouts): Failure {
  return { reason: 'timeout', message: `The receiver did not respond within ${seconds(answerMs)}` };
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}

function asSentence(fragment: string): string {
  return fragment.charAt(0).toUpperCase() + fragment.slice(1);
}

function seconds(ms: number): string {
  return `${ms / 1000} s`;
}
