import type { FastifyReply, FastifyRequest } from 'fastify';
import type { DestinationStream } from 'pino';
import { isCredentialExposed } from '../../platform/http/exposed-credential.ts';
import { createLogger, type Logger } from '../../platform/logger.ts';
import { peerOf } from '../../platform/rate-limit/peer-key.ts';
import { toLogFields } from './log-fields.ts';

/** A longer path is cut. With all other fields, a line then stays below 4 KiB. */
const MAX_PATH = 512;

/** One line of the access log. Never contains a query, a header or a body. */
export interface AccessEntry {
  readonly method?: string;
  /** The template of the path, such as `/events/{id}`; undefined for a path that does not exist. */
  readonly route?: string | undefined;
  readonly path?: string;
  readonly status?: number;
  /** The error code of a refused request. */
  readonly code?: string;
  readonly ms?: number;
  /** Bytes of the response's body. */
  readonly bytes?: number;
  /** Whether the client left before it had the whole response. */
  readonly aborted?: true;
  readonly requestId?: string;
  readonly traceId?: string;
  readonly tenantId?: string | null;
  readonly tokenId?: string;
  readonly deviceId?: string;
  /** The client: an IPv4 address or an IPv6 /64. Personal data. */
  readonly address: string;
  /** Why a connection was refused. */
  readonly reason?: string;
}

export interface AccessLog {
  write(entry: AccessEntry): void;
}

export function createAccessLog(destination: DestinationStream): AccessLog {
  const logger: Logger = createLogger({ level: 'info', destination }).child({ log: 'access' });
  return {
    write: (entry) => logger.info(entry, entry.reason === undefined ? 'request' : 'connection refused'),
  };
}

/** What must be read when a request begins, because its socket may be gone when it ends. */
export interface AccessStart {
  readonly address: string;
  readonly bytesWritten: number;
}

export function beginAccess({ raw }: FastifyRequest, trustProxy: boolean): AccessStart {
  return { address: peerOf(raw, trustProxy), bytesWritten: raw.socket.bytesWritten };
}

export function toAccessEntry(request: FastifyRequest, reply: FastifyReply, start: AccessStart): AccessEntry {
  const { authenticated: caller, method, id, originalUrl, span } = request;
  const route = routeOf(request);
  return {
    method,
    route,
    path: pathOf(originalUrl, route, request.routeOptions.config.web === 'page'),
    status: reply.statusCode,
    ...toLogFields(request),
    ms: Math.round(reply.elapsedTime * 10) / 10,
    bytes: bytesOf(request, reply, start),
    ...(reply.raw.writableFinished ? {} : { aborted: true }),
    requestId: id,
    ...(span.context ? { traceId: span.context.traceId } : {}),
    ...(caller ? { tenantId: caller.tenantId, tokenId: caller.tokenId } : {}),
    address: start.address,
  };
}

/** Returns the template of the path; undefined if the path does not exist. */
export function routeOf({ routeOptions }: FastifyRequest): string | undefined {
  return routeOptions.config.operation?.path ?? routeOptions.url;
}

/** The path of a page can contain a secret, such as the one of an invitation. */
function pathOf(url: string, route: string | undefined, isPage: boolean): string {
  const [path = ''] = url.split('?', 1);
  if (isPage || isCredentialExposed(path)) return route ?? '[redacted]';
  return path.slice(0, MAX_PATH);
}

function bytesOf({ method, raw }: FastifyRequest, reply: FastifyReply, start: AccessStart): number {
  const { statusCode } = reply;
  if (method === 'HEAD' || statusCode === 204 || statusCode === 304) return 0;
  // The endpoints of the authorization server set their headers on the raw response.
  const length = Number(reply.getHeader('content-length') ?? reply.raw.getHeader('content-length'));
  if (Number.isSafeInteger(length) && reply.raw.writableFinished) return length;
  // A stream, or a response that broke off: what was written, with its head.
  return Math.max(0, raw.socket.bytesWritten - start.bytesWritten);
}
