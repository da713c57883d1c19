import {
  createDataRequest,
  type DataRequest,
  getDataRequest,
  listDataRecords,
  listDataRequests,
  listErasedEvents,
} from '@tps/contract';
import { oncePerKey } from '../../database/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { CursorCodec } from '../../platform/http/cursors.ts';
import { readPage, toCursor, toPageRequest } from '../../platform/http/page.ts';
import { type Route, route } from '../../platform/http/route.ts';
import { notFound, ServiceError } from '../../platform/service-error.ts';
import type { TenantId } from '../../platform/tenant-id.ts';
import { toTimestamp } from '../../platform/time.ts';
import type { RequestDatabase } from '../authority/index.ts';
import { erasedEventStore } from '../feed/index.ts';
import { type DataRequestRecord, subjectOf, toDataRequest } from './data-request.ts';
import type { DataRequestService } from './data-request-service.ts';
import * as dataRequestStore from './data-request-store.ts';
import { readRecords } from './read-records.ts';

interface Parts {
  readonly database: RequestDatabase;
  readonly clock: Clock;
  readonly cursors: CursorCodec;
  readonly dataRequests: DataRequestService;
}

export function dataRequestRoutes(parts: Parts): Route[] {
  const { database, clock, cursors } = parts;
  const { read } = database;
  /** @throws ServiceError `not_found` */
  const get = async (tenantId: TenantId, id: string): Promise<DataRequestRecord> => {
    const request = await dataRequestStore.find(read, tenantId, id);
    if (!request) throw notFound('data request');
    return request;
  };
  return [
    route(listDataRequests, async ({ tenantId, query }) => ({
      status: 200,
      body: await readPage({
        cursors,
        request: { tenantId, route: listDataRequests.path, query },
        read: (page) => dataRequestStore.list(read, tenantId, page),
        keyOf: (request) => [request.requestId],
        toItem: toDataRequest,
      }),
    })),

    createRoute(parts),

    route(getDataRequest, async ({ tenantId, id }) => ({
      status: 200,
      body: toDataRequest(await get(tenantId, id)),
    })),

    route(listDataRecords, async ({ tenantId, id, query }) => {
      const request = await get(tenantId, id);
      const subject = subjectOf(request);
      const hasExpired = request.expiresAtMs !== null && request.expiresAtMs <= clock.now();
      if (request.kind !== 'export' || subject === undefined || hasExpired)
        throw new ServiceError('invalid_state_transition', 'Only an export that has not expired has records');
      // A cursor belongs to one request.
      const list = { tenantId, route: `${listDataRecords.path}#${id}`, query };
      const { records, next } = await readRecords(read, request, {
        subject,
        ...toPageRequest(cursors, list),
      });
      const cursor = next === undefined ? null : toCursor(cursors, list, next);
      return { status: 200, body: { data: records, has_more: cursor !== null, next_cursor: cursor } };
    }),

    route(listErasedEvents, async ({ tenantId, id, query }) => {
      const { requestId } = await get(tenantId, id);
      const body = await readPage({
        cursors,
        request: { tenantId, route: `${listErasedEvents.path}#${id}`, query },
        read: ({ after, limit }) =>
          erasedEventStore.listOfRequest(read, tenantId, {
            requestId,
            after: Number(after?.[0] ?? 0),
            limit,
          }),
        keyOf: ({ position }) => [position],
        toItem: ({ position, receivedAtMs, eventHash, chainHash }) => ({
          position,
          received_at: toTimestamp(receivedAtMs),
          event_hash: Buffer.from(eventHash).toString('hex'),
          chain_hash: Buffer.from(chainHash).toString('hex'),
        }),
      });
      return { status: 200, body };
    }),
  ];
}

function createRoute({ database, clock, dataRequests }: Parts): Route {
  return route(createDataRequest, async (exchange) => {
    const accepted = dataRequests.accept(exchange.body());
    const reply = await database.transaction(exchange, async (tx) => {
      const head = await dataRequests.lock(tx, exchange.tenantId);
      return oncePerKey(tx, {
        exchange,
        nowMs: clock.now(),
        work: async () => {
          const request = await dataRequests.create(tx, { ...accepted, head }, exchange);
          const location = `/data-requests/${request.requestId}`;
          return { status: 202, location, body: toDataRequest(request) };
        },
        // A deletion removes responses that name its subject, and with them the key.
        forRepeat: ({ body }) => ({ ...(body as DataRequest), subject: null }),
      });
    });
    dataRequests.wake();
    return reply;
  });
}
