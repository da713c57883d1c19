import { idForm, type Operation } from '@tps/contract';
import type { SignedMessage } from '@tps/signatures';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type TObject, Type } from 'typebox';
import type { FairTurns } from '../../platform/concurrency/fair-turns.ts';
import type { TenantSlots } from '../../platform/concurrency/tenant-slots.ts';
import type { Config } from '../../platform/config/config.ts';
import type { PublicPaths } from '../../platform/http/public-paths.ts';
import type { Caller, Exchange, Reply, Route } from '../../platform/http/route.ts';
import { compileBodyValidator, compileQueryValidator } from '../../platform/http/validation.ts';
import { notFound, ServiceError } from '../../platform/service-error.ts';
import type { TenantId } from '../../platform/tenant-id.ts';
import type { ResolveTenant } from './access/resolve-tenant.ts';
import { toDeprecationHeaders } from './deprecation-headers.ts';
import { onlyIfChanged } from './only-if-changed.ts';
import { type BodyReader, createBodyReader, type ParsedBody } from './read-body.ts';
import { sendStream } from './send-stream.ts';

const NO_QUERY: TObject = Type.Object({}, { additionalProperties: false });

/** A body with a key, whose members have 6 KB at most: it is parsed before its signature is verified. */
const KEY_BODY_BYTES = 16_384;

export interface MountOptions {
  readonly resolveTenant: ResolveTenant;
  readonly turns: FairTurns;
  readonly slots: TenantSlots;
  readonly bodyLimits: Config['limits'];
  /** The prefix that a proxy in front adds to every path; part of what clients sign. */
  readonly paths: PublicPaths;
}

/** Serves one operation: validates the request against the contract, calls the feature, sends its reply. */
export function mountRoute(app: FastifyInstance, route: Route, options: MountOptions): void {
  const { operation } = route;
  const validateQuery = compileQueryValidator(operation.query ?? NO_QUERY);
  const schema = operation.envelope ?? operation.body;
  const validateBody = schema ? compileBodyValidator(schema) : undefined;
  const ownIds = operation.id && idForm(operation.id);
  const reader = createBodyReader(operation);
  const deprecation = toDeprecationHeaders(operation);
  const isConditional = operation.headers?.includes('If-None-Match') ?? false;

  app.route<{ Params: { id?: string } }>({
    method: operation.method,
    url: operation.path.replace('{id}', ':id'),
    config: { operation, reader },
    bodyLimit: bodyLimitOf(operation, options.bodyLimits),
    async onRequest(_request, reply) {
      reply.headers(deprecation);
    },
    async handler(request, reply) {
      const { caller } = request;
      if (!caller) throw new Error(`${operation.operationId} was called without a caller`);
      const id = request.params.id ?? '';
      if (ownIds && !ownIds.test(id)) throw notFound(operation.id ?? 'resource');
      const query = validateQuery(request.query);
      const body = requireBody(request, operation);
      const tenantId = await options.resolveTenant(caller, namedTenant(operation, { query, body }));
      const exchange = toExchange(request, { operation, caller, tenantId, id, query });
      const message = toSignedMessage(request, options.paths);
      const read = lateReader(body, { reader, rawBody: request.rawBody });
      const handle = () =>
        route.handle({
          ...exchange,
          message,
          body: () => validateBody?.(read().value) as never,
          rawItems: () => read().rawItems ?? [],
        });
      const answer = await (isGrouped(operation) ? handle() : options.slots.run(tenantId, handle));
      if ('stream' in answer) return sendStream(request, reply, answer);
      // Megabytes take milliseconds to write, and many answers can be ready in the same turn of the event loop.
      await options.turns.run(tenantId, () => {
        const sent = isConditional ? onlyIfChanged(answer, exchange.header('if-none-match')) : answer;
        send(reply, sent, options.paths);
      });
      return reply;
    },
  });
}

/** Events and scans wait for others to share a transaction or a thread with, fairly between tenants. */
function isGrouped({ signature, bodySize }: Operation): boolean {
  return signature === 'tps-event' || bodySize === 'scan';
}

function bodyLimitOf({ bodySize }: Operation, limits: Config['limits']): number {
  switch (bodySize) {
    case 'key':
      return Math.min(limits.bodyBytes, KEY_BODY_BYTES);
    case 'batch':
      return limits.batchBodyBytes;
    case 'scan':
      return limits.scanBodyBytes;
    default:
      return limits.bodyBytes;
  }
}

/** Returns what parses the body when it is first needed, or returns it if it was parsed on arrival. */
function lateReader(
  body: unknown,
  { reader, rawBody }: { reader: BodyReader; rawBody: Buffer | undefined },
): () => ParsedBody {
  if (!reader.isLate || !rawBody) return () => ({ value: body });
  let parsed: ParsedBody | undefined;
  return () => {
    parsed ??= reader.parse(rawBody);
    return parsed;
  };
}

type ExchangeParts = { operation: Operation; caller: Caller; tenantId: TenantId; id: string; query: unknown };

function toExchange(
  request: FastifyRequest,
  parts: ExchangeParts,
): Omit<Exchange<Operation>, 'message' | 'body' | 'rawItems'> {
  const { operation, caller, tenantId, id, query } = parts;
  return {
    operationId: operation.operationId,
    caller,
    tenantId,
    requestId: request.id,
    trace: request.span.context,
    id,
    query: query as object,
    rawBody: request.rawBody ?? Buffer.alloc(0),
    rawMember: request.rawMember,
    uncheckedBody: request.body,
    header: (name) => headerOf(request, name),
  };
}

/** An omitted optional body counts as an empty object. */
function requireBody(request: FastifyRequest, operation: Operation): unknown {
  if (!operation.body || request.body !== undefined) return request.body;
  if (operation.bodyOptional) return {};
  throw new ServiceError('invalid_json', 'The body is empty; JSON is expected');
}

/** The tenant that the request names: in the body of a write, otherwise in the query. The body is not validated yet. */
function namedTenant(operation: Operation, { query, body }: { query: unknown; body: unknown }): unknown {
  const source = operation.body ? body : query;
  return (Object(source) as { tenant_id?: unknown }).tenant_id;
}

function toSignedMessage(request: FastifyRequest, paths: PublicPaths): SignedMessage {
  const [path = '', ...query] = request.url.split('?');
  return {
    method: request.method,
    path: paths.toPublic(path),
    query: query.length === 0 ? undefined : query.join('?'),
    authority: request.headers.host,
    scheme: request.protocol,
    header: (name) => headerOf(request, name),
  };
}

function headerOf(request: FastifyRequest, name: string): string | undefined {
  const value = request.headers[name];
  return Array.isArray(value) ? value.join(', ') : value;
}

function send(
  reply: FastifyReply,
  { status, body, json, location, language, etag }: Reply,
  paths: PublicPaths,
): FastifyReply {
  reply.code(status);
  if (location !== undefined) reply.header('location', paths.toPublic(location));
  if (etag !== undefined) reply.header('etag', etag);
  if (language !== undefined) {
    reply.header('content-language', language);
    addVary(reply, 'Accept-Language');
  }
  if (status === 204 || status === 304) return reply.send();
  reply.header('content-type', 'application/json; charset=utf-8');
  return reply.send(json ?? JSON.stringify(body));
}

/** Cross-origin requests vary by more. */
function addVary(reply: FastifyReply, name: string): void {
  const others = reply.getHeader('vary');
  reply.header('vary', others === undefined ? name : `${others}, ${name}`);
}
