import { LRUCache } from 'lru-cache';
import { isFromClient } from '../../../platform/http/request-id.ts';
import type { TenantId } from '../../../platform/tenant-id.ts';
import { formatTraceparent, type TraceContext } from '../../../platform/tracing/trace-context.ts';

/** The request that brought an event. */
export interface RequestOrigin {
  readonly requestId: string;
  readonly trace: TraceContext | undefined;
}

/** About 300 bytes each. */
const MAX_ORIGINS = 10_000;

/**
 * Remembers which request brought an event, so that its deliveries continue the trace and have the request id of the
 * client. In memory: deliveries of another node, or after a restart, begin their own trace.
 */
export class RequestOrigins {
  readonly #byEvent = new LRUCache<string, RequestOrigin>({ max: MAX_ORIGINS });

  /** Remembers nothing if there is nothing to pass on. */
  remember(tenantId: TenantId, eventId: string, origin: RequestOrigin): void {
    if (!origin.trace && !isFromClient(origin.requestId)) return;
    this.#byEvent.set(`${tenantId} ${eventId}`, origin);
  }

  find(tenantId: TenantId, eventId: string): RequestOrigin | undefined {
    return this.#byEvent.get(`${tenantId} ${eventId}`);
  }
}

/** Returns the headers of an attempt that say what it belongs to. */
export function toOriginHeaders(
  trace: TraceContext | undefined,
  origin: RequestOrigin | undefined,
): Record<string, string> {
  return {
    ...(trace && { traceparent: formatTraceparent(trace) }),
    ...(origin && isFromClient(origin.requestId) && { 'x-request-id': origin.requestId }),
  };
}
