import type { Readable } from 'node:stream';
import type { BodyOf, BoundCredential, Operation, QueryOf, Scope } from '@tps/contract';
import type { SignedMessage } from '@tps/signatures';
import type { TenantId } from '../tenant-id.ts';
import type { TraceContext } from '../tracing/trace-context.ts';

/** The authenticated token that makes the request. `tenantId` is null for an operator. */
export interface Caller {
  readonly tokenId: string;
  readonly tenantId: TenantId | null;
  readonly scopes: readonly Scope[];
  /** Null if the token does not expire. */
  readonly expiresAtMs: number | null;
  /** The purpose that the credential is bound to; undefined for a token. It may call only what is open to it. */
  readonly boundTo?: BoundCredential | undefined;
  /** The only device that a device credential reaches. Undefined for all other credentials. */
  readonly deviceId?: string | undefined;
  /** The client, grant and person behind an access token of OAuth. Undefined for all other credentials. */
  readonly issued?: IssuedTo | undefined;
}

export interface IssuedTo {
  readonly clientId: string;
  /** Null for the client credentials grant, like the account. The session of the person for a token of the console. */
  readonly grantId: string | null;
  readonly accountId: string | null;
  /** SHA-256 thumbprint of the key that requests must prove (DPoP); null for a bearer token. */
  readonly keyThumbprint: string | null;
  /** When the person last proved who they are. Only for clients of the service itself. */
  readonly authenticatedAtMs: number | null;
}

/** One request to one operation, after authentication, scope check, rate limit and choice of the tenant. */
export interface Exchange<O extends Operation> {
  readonly operationId: string;
  readonly caller: Caller;
  readonly tenantId: TenantId;
  readonly requestId: string;
  /** Parent of the spans of this request. Undefined if it is not traced. */
  readonly trace?: TraceContext | undefined;
  /** `{id}` of the path; empty for paths without one. Its form is already validated. */
  readonly id: string;
  readonly query: QueryOf<O>;
  /** The request as the device signed it. */
  readonly message: SignedMessage;
  readonly rawBody: Buffer;
  /**
   * The raw bytes of the operation's `largeMember`, between its quotes in `rawBody`: unchecked, including escapes.
   * The parsed body has a placeholder instead.
   */
  readonly rawMember: Buffer | undefined;
  readonly header: (name: string) => string | undefined;
  /**
   * The raw bytes of each item of the operation's `listMember`, unchecked. The parsed body has a placeholder for each.
   * Throws as `body` does.
   */
  rawItems(): readonly Buffer[];
  /** The parsed body before validation. Only for code that must look into a request that is not trusted yet. */
  readonly uncheckedBody: unknown;
  /**
   * Validates the body against the operation's schema and returns it. Throws `missing_field` or `invalid_field`. The body of
   * a request that a device signed is parsed here: call it when the signature is verified.
   */
  body(): BodyOf<O>;
}

/** The part of a request that its changes need: who makes it, and for which tenant. */
export type AdmittedRequest = Pick<Exchange<Operation>, 'caller' | 'tenantId' | 'requestId' | 'trace'>;

/** What a handler returns. `json` is sent as is; `body` is serialised. */
export interface Reply {
  readonly status: number;
  readonly body?: unknown;
  readonly json?: string;
  /** The service's own path of what was created, without the prefix of a proxy. */
  readonly location?: string;
  /** The language of the body, if the request's `Accept-Language` has chosen it. */
  readonly language?: string;
  /** For an operation that accepts `If-None-Match`. Defaults to a digest of what is sent. */
  readonly etag?: string;
}

/** What a handler returns for an operation that streams. Destroying the stream releases what it holds. */
export interface StreamReply {
  readonly status: number;
  readonly stream: Readable;
}

type ReplyOf<O extends Operation> = O extends { streams: true } ? StreamReply : Reply;

export interface Route<O extends Operation = Operation> {
  readonly operation: O;
  handle(exchange: Exchange<O>): Promise<Reply | StreamReply>;
}

/** Binds a handler to its operation, so that the contract types body and query. */
export function route<const O extends Operation>(
  operation: O,
  handle: (exchange: Exchange<O>) => Promise<ReplyOf<O>>,
): Route {
  // A list of routes holds many exchange types; each handler only receives the one of its operation.
  return { operation, handle: handle as Route['handle'] };
}
