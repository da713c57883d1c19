import { maxHeaderSize, type Server } from 'node:http';
import type { ErrorCode, Operation } from '@tps/contract';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { Activity } from '../../platform/concurrency/activity.ts';
import type { FairTurns } from '../../platform/concurrency/fair-turns.ts';
import { TenantSlots } from '../../platform/concurrency/tenant-slots.ts';
import type { Config } from '../../platform/config/config.ts';
import { refuseClearText } from '../../platform/http/clear-text.ts';
import type { PublicPaths } from '../../platform/http/public-paths.ts';
import { noteRefusal } from '../../platform/http/refusal-code.ts';
import { requestIdOf } from '../../platform/http/request-id.ts';
import type { Caller, Route } from '../../platform/http/route.ts';
import type { Logger } from '../../platform/logger.ts';
import { isDeviceEvent } from '../../platform/rate-limit/tenant-limits.ts';
import { ServiceError } from '../../platform/service-error.ts';
import type { TlsContext } from '../../platform/tls/tls-files.ts';
import { parseTraceparent } from '../../platform/tracing/trace-context.ts';
import { NO_TRACER, type Span, type Tracer } from '../../platform/tracing/tracer.ts';
import type { AccessControl } from './access/access.ts';
import { type AccessLog, beginAccess, routeOf, toAccessEntry } from './access-log.ts';
import { BodyBytes } from './body-bytes.ts';
import type { BrokenRequestAnswers } from './broken-request.ts';
import { createCrossOrigin } from './cors.ts';
import { discardRejectedBodies } from './discard-body.ts';
import type { HttpMetrics } from './http-metrics.ts';
import { toLogFields } from './log-fields.ts';
import { type ConsoleParts, mountConsole } from './mount-console.ts';
import { type MountOptions, mountRoute } from './mount-route.ts';
import { mountWeb, type WebParts } from './mount-web.ts';
import { methodsAt, methodsOfSiblings } from './path-methods.ts';
import { type BodyReader, readJsonBodies } from './read-body.ts';
import { refuseEncodedBody } from './refuse-body.ts';
import { securityHeaders } from './security-headers.ts';
import { sendError, toServiceError } from './send-error.ts';

/** Bodies of the largest size that a tenant may have under way: 64 MiB by default. */
const BODIES_PER_TENANT = 4;

/** Methods of requests that cause no work for background loops. */
const READS = new Set(['GET', 'HEAD', 'OPTIONS']);

declare module 'fastify' {
  interface FastifyContextConfig {
    operation?: Operation;
    reader?: BodyReader;
    /** A page for people, or an endpoint of the authorization server: neither is an operation of the API. */
    web?: 'page' | 'protocol';
  }
  interface FastifyRequest {
    /** Set when the request is admitted. */
    caller: Caller | undefined;
    /** Set when the credential is known, also if the request is then refused. For the logs only. */
    authenticated: Caller | undefined;
    /** Whether the request was admitted from memory: its credential was not read from the store. */
    isRecalled: boolean;
    rawBody: Buffer | undefined;
    rawMember: Buffer | undefined;
    span: Span;
  }
}

export interface HttpParts {
  readonly config: Config;
  readonly logger: Logger;
  readonly metrics: HttpMetrics;
  /** Called for each refused request with events. */
  readonly onEventsRefused: (reason: ErrorCode) => void;
  readonly tracer: Tracer;
  /** Undefined: none is written. */
  readonly accessLog: AccessLog | undefined;
  readonly answers: BrokenRequestAnswers;
  readonly access: AccessControl;
  readonly turns: FairTurns;
  readonly activity: Activity;
  readonly tls: TlsContext | undefined;
  readonly paths: PublicPaths;
  readonly routes: readonly Route[];
  readonly resolveTenant: MountOptions['resolveTenant'];
  /** Adds the routes that need no credential. */
  readonly mountOpenRoutes: (app: FastifyInstance) => Promise<void>;
  readonly web: WebParts;
  readonly console: ConsoleParts;
}

/** Builds the HTTP server. It does not listen yet. */
export async function buildHttp(parts: HttpParts): Promise<FastifyInstance> {
  const app = createServer(parts);
  app.decorateRequest('caller', undefined);
  app.decorateRequest('authenticated', undefined);
  app.decorateRequest('isRecalled', false);
  app.decorateRequest('rawBody', undefined);
  app.decorateRequest('rawMember', undefined);
  app.decorateRequest('span');
  addHooks(app, parts);
  discardRejectedBodies(app, { withinMs: parts.config.connections.deadlines.closeMs });
  readJsonBodies(app, parts.turns);
  const { paths } = parts;
  const slots = new TenantSlots();
  const { limits } = parts.config;
  for (const route of parts.routes) {
    mountRoute(app, route, {
      resolveTenant: parts.resolveTenant,
      turns: parts.turns,
      slots,
      bodyLimits: limits,
      paths,
    });
  }
  for (const { path, methods } of methodsOfSiblings()) {
    app.route({ url: path, method: methods, exposeHeadRoute: false, handler: refuseUnknownRoute });
  }
  await parts.mountOpenRoutes(app);
  await mountConsole(app, parts.console);
  await mountWeb(app, parts.web);
  return app;
}

function createServer({ tls, config, answers, paths }: HttpParts): FastifyInstance {
  const app = Fastify({
    // Typed as a generic server: with or without TLS, the same routes are mounted.
    ...((tls ? { https: tls } : {}) as object),
    logger: false,
    genReqId: requestIdOf,
    requestIdHeader: false,
    // Requests under way when the service stops get a response, on connections that then close.
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    // Responses announce it. All time limits of connections are kept by their guard, from outside.
    keepAliveTimeout: config.connections.deadlines.idleMs,
    exposeHeadRoutes: true,
    rewriteUrl: (request) => paths.toOwn(toDecodableUrl(request)),
    // As long as Node allows a request line to be: an id that is too long is an id that does not exist.
    routerOptions: { maxParamLength: maxHeaderSize },
    clientErrorHandler: answers.broken,
  });
  app.server.headersTimeout = 0;
  // No DELETE takes a body; one that is sent anyway is ignored and not read.
  app.addHttpMethod('DELETE', { hasBody: false, overrideExisting: true });
  return app as unknown as FastifyInstance<Server>;
}

function addHooks(app: FastifyInstance, parts: HttpParts): void {
  const { config, access, activity, logger, metrics, tls } = parts;
  const crossOrigin = createCrossOrigin(config.http.corsOrigins);
  const bodies = new BodyBytes(BODIES_PER_TENANT * config.limits.scanBodyBytes);
  const restrictions = securityHeaders({ isTls: tls !== undefined });
  app.addHook('onRequest', async (request, reply) => {
    observeStart(request, reply, parts);
    if (!READS.has(request.method)) activity.note();
    reply.headers(restrictions);
    reply.header('x-request-id', request.id);
    reply.header('cache-control', 'no-store');
    refuseClearText(request.headers, config);
    const { operation, web } = request.routeOptions.config;
    if (web !== 'page') crossOrigin.allow(request, reply);
    if (web) return undefined;
    request.caller = await access.admit(request, reply);
    // Before the body is read: an unknown route accepts none.
    if (!operation && crossOrigin.answerPreflight(request, reply)) return reply;
    if (!operation) return refuseUnknownRoute(request, reply);
    if (!operation.body) return undefined;
    refuseEncodedBody(request.headers);
    bodies.hold(request, reply);
    return undefined;
  });
  app.addHook('onSend', (request, _reply, _payload, done) => {
    // The rest of a rejected body is discarded as it arrives.
    if (!request.raw.complete) bodies.release(request);
    done();
  });
  app.addHook('onResponse', async (request, reply) => observeEnd(request, reply, parts));
  app.setErrorHandler(async (error, request, reply) => {
    const refusal = await access
      .reviewRefusal(request, reply, error)
      .then(() => toServiceError(error), toServiceError);
    noteRefusal(request.raw, refusal.code);
    metrics.observeError({ operation: operationNameOf(request), code: refusal.code });
    const { operation } = request.routeOptions.config;
    if (operation && isDeviceEvent(operation)) parts.onEventsRefused(refusal.code);
    return sendError(request, reply, { refusal, logger });
  });
  app.setNotFoundHandler(refuseUnknownRoute);
}

/** The label of metrics and log lines. It has few values: never the path that a client sent. */
function operationNameOf({ routeOptions: { config } }: FastifyRequest): string {
  return config.operation?.operationId ?? config.web ?? 'unknown';
}

function observeStart(request: FastifyRequest, reply: FastifyReply, parts: HttpParts): void {
  const { config, tracer, accessLog } = parts;
  const { method, headers } = request;
  const route = routeOf(request);
  request.span = tracer.start(route === undefined ? method : `${method} ${route}`, {
    kind: 'server',
    parent: parseTraceparent(headers.traceparent?.toString()),
    attributes: { 'http.request.method': method, 'http.route': route, 'tps.request.id': request.id },
  });
  const start = accessLog && beginAccess(request, config.rateLimit.trustProxy);
  if (!start && tracer === NO_TRACER) return;
  // The hook `onResponse` does not run when the client leaves before the end.
  reply.raw.once('close', () => {
    const { statusCode: status, raw } = reply;
    const error = raw.writableFinished ? (status >= 500 ? String(status) : undefined) : 'aborted';
    request.span.end({ attributes: { 'http.response.status_code': status }, error });
    if (start) accessLog?.write(toAccessEntry(request, reply, start));
  });
}

function observeEnd(request: FastifyRequest, reply: FastifyReply, { metrics, logger }: HttpParts): void {
  const { authenticated: caller, span } = request;
  const { statusCode: status } = reply;
  const operation = operationNameOf(request);
  metrics.observe({ operation, status, seconds: reply.elapsedTime / 1000 });
  logger[levelOf(status)](
    {
      requestId: request.id,
      operation,
      status,
      ms: Math.round(reply.elapsedTime * 10) / 10,
      ...(status >= 400 ? toLogFields(request) : {}),
      ...(caller ? { tokenId: caller.tokenId, tenantId: caller.tenantId } : {}),
      ...(span.context ? { traceId: span.context.traceId } : {}),
    },
    'request completed',
  );
}

function refuseUnknownRoute(request: FastifyRequest, reply: FastifyReply): never {
  const methods = methodsAt(request.url);
  if (methods.length === 0) throw new ServiceError('not_found', 'This path does not exist');
  reply.header('allow', methods.join(', '));
  throw new ServiceError('method_not_allowed', `${request.method} is not allowed at this path`);
}

/**
 * A path that cannot be decoded does not exist. The router would respond to it itself, without our hooks and
 * headers.
 */
function toDecodableUrl({ url = '/' }: { readonly url?: string | undefined }): string {
  try {
    if (url.includes('%')) decodeURI(url.split('?', 1)[0] ?? '');
    return url;
  } catch {
    return '/%25';
  }
}

function levelOf(status: number): 'debug' | 'info' | 'error' {
  if (status >= 500) return 'error';
  return status >= 400 ? 'info' : 'debug';
}
