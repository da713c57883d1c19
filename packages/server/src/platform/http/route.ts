import type { BodyOf, Operation, QueryOf, Scope } from '@tps/contract';
import type { SignedMessage } from '@tps/signatures';
import type { TenantId } from '../tenant-id.ts';

/** Who calls: the token that authenticated. `tenantId` is null for an operator. */
export interface Caller {
  readonly tokenId: string;
  readonly tenantId: TenantId | null;
  readonly scopes: readonly Scope[];
}

/** One request to one operation, after authentication, scope, rate limit and tenant were settled. */
export interface Exchange<O extends Operation> {
  readonly operationId: string;
  readonly caller: Caller;
  readonly tenantId: TenantId;
  readonly requestId: string;
  /** `{id}` of the path; empty for paths without. Already of the right form. */
  readonly id: string;
  readonly query: QueryOf<O>;
  /** The request as a device signs it. */
  readonly message: SignedMessage;
  readonly rawBody: Buffer;
  /**
   * The operation's `bulkyMember` as it stands between its quotes in `rawBody`, unchecked, escapes and all. The parsed body
   * has a placeholder in its place.
   */
  readonly bulk: Buffer | undefined;
  readonly header: (name: string) => string | undefined;
  /** The parsed body before it was checked. Only what must look inside a request that is not yet trusted uses it. */
  readonly uncheckedBody: unknown;
  /** Checks the body against the operation's schema and returns it. Throws `missing_field` or `invalid_field`. */
  body(): BodyOf<O>;
}

/** What a handler answers. `json` is sent as it is; `body` is serialised. */
export interface Reply {
  readonly status: number;
  readonly body?: unknown;
  readonly json?: string;
  readonly location?: string;
  /** Of an operation that takes `If-None-Match`, left out means a digest of what is sent. */
  readonly etag?: string;
}

export interface Route<O extends Operation = Operation> {
  readonly operation: O;
  handle(exchange: Exchange<O>): Promise<Reply>;
}

/** Ties a handler to its operation, so that body and query are typed by the contract. */
export function route<const O extends Operation>(
  operation: O,
  handle: (exchange: Exchange<O>) => Promise<Reply>,
): Route {
  // A list of routes holds many kinds of exchange; each handler is only ever given that of its own operation.
  return { operation, handle: handle as Route['handle'] };
}
