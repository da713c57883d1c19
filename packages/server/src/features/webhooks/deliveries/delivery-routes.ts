import {
  countDeadLetters,
  countDeliveries,
  deleteDeadLetter,
  listDeadLetters,
  listDeliveries,
  recoverWebhook,
  replayDeadLetter,
  testWebhook,
} from '@tps/contract';
import type { CursorCodec } from '../../../platform/http/cursors.ts';
import { readPage } from '../../../platform/http/page.ts';
import { type Exchange, type Route, route } from '../../../platform/http/route.ts';
import { toAnyOf, toTimeRange } from '../../../platform/list-filters.ts';
import { notFound } from '../../../platform/service-error.ts';
import { toTimestamp } from '../../../platform/time.ts';
import type { RequestDatabase } from '../../authority/index.ts';
import * as webhookStore from '../webhook-store.ts';
import * as deadLetterReadModel from './dead-letter-read-model.ts';
import { toDeadLetter, toDelivery } from './delivery.ts';
import type { DeliveryService } from './delivery-service.ts';
import * as deliveryStore from './delivery-store.ts';

export function deliveryRoutes(parts: {
  database: RequestDatabase;
  cursors: CursorCodec;
  deliveries: DeliveryService;
}): Route[] {
  const { database, cursors, deliveries } = parts;
  const { read } = database;
  return [
    route(listDeadLetters, async ({ tenantId, query }) => ({
      status: 200,
      body: await readPage({
        cursors,
        request: { tenantId, route: listDeadLetters.path, query },
        read: (page) => deadLetterReadModel.list(read, tenantId, { filter: toDeadFilter(query), page }),
        keyOf: (entry) => [entry.deliveryId],
        toItem: (entry) => toDeadLetter(entry, tenantId),
      }),
    })),

    route(countDeadLetters, async ({ tenantId, query }) => {
      const { interval } = query;
      const filter = toDeadFilter(query);
      return {
        status: 200,
        body: await deadLetterReadModel.countOverTime(read, tenantId, { filter, interval }),
      };
    }),

    route(replayDeadLetter, async (exchange) => {
      const { entryId, deliveryId } = await deliveries.replay(exchange.tenantId, exchange.body(), exchange);
      return { status: 202, body: { entry_id: entryId, delivery_id: deliveryId } };
    }),

    route(deleteDeadLetter, async (exchange) => {
      await deliveries.acknowledge(exchange.tenantId, exchange.query.entry_id, exchange);
      return { status: 204 };
    }),

    route(testWebhook, async (exchange) => {
      // The body is not used, but unknown members are rejected.
      exchange.body();
      const { deliveryId, eventId } = await deliveries.test(exchange.tenantId, exchange.id, exchange);
      return {
        status: 202,
        body: { delivery_id: deliveryId, webhook_id: exchange.id, event_id: eventId },
      };
    }),

    route(listDeliveries, async ({ tenantId, id, query }) => {
      if (!(await webhookStore.find(read, tenantId, id))) throw notFound('webhook');
      return {
        status: 200,
        body: await readPage({
          cursors,
          request: { tenantId, route: `${listDeliveries.path}#${id}`, query },
          read: (page) => deliveryStore.list(read, tenantId, { filter: toFilter(id, query), page }),
          keyOf: (delivery) => [delivery.deliveryId],
          toItem: (delivery) => toDelivery(delivery, tenantId),
        }),
      };
    }),

    route(countDeliveries, async ({ tenantId, id, query }) => {
      if (!(await webhookStore.find(read, tenantId, id))) throw notFound('webhook');
      const { interval } = query;
      const filter = toFilter(id, query);
      return { status: 200, body: await deliveryStore.countOverTime(read, tenantId, { filter, interval }) };
    }),

    route(recoverWebhook, async (exchange) => {
      const { since } = exchange.body();
      const started = await deliveries.recover(exchange.tenantId, exchange.id, { since, request: exchange });
      return {
        status: 202,
        body: { webhook_id: exchange.id, since: toTimestamp(started.sinceMs), events: started.events },
      };
    }),
  ];
}

function toFilter(
  webhookId: string,
  query: Exchange<typeof countDeliveries>['query'],
): deliveryStore.DeliveryFilter {
  return {
    webhookId,
    status: toAnyOf(query.status),
    eventId: toAnyOf(query.event_id),
    created: toTimeRange(query),
  };
}

/** Reads the filters of the list, which a bulk change has too. */
export function toDeadFilter(
  query: Exchange<typeof countDeadLetters>['query'],
): deadLetterReadModel.DeadLetterFilter {
  return {
    webhookId: toAnyOf(query.webhook_id),
    eventId: toAnyOf(query.event_id),
    failed: toTimeRange(query),
  };
}
