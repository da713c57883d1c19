import {
  countEvents,
  getEvent,
  getEventContext,
  listEvents,
  streamEvents,
  submitEvent,
  submitEvents,
} from '@tps/contract';
import type { CursorCodec } from '../../platform/http/cursors.ts';
import { type Route, route } from '../../platform/http/route.ts';
import { notFound } from '../../platform/service-error.ts';
import type { RequestDatabase } from '../authority/index.ts';
import { eventStore, feedStore } from '../feed/index.ts';
import { readEventContext } from './context/read-event-context.ts';
import type { EventService } from './event-service.ts';
import { readFeedPage, spanOf, toFeedFilter } from './feed-page.ts';
import type { EventStreams } from './stream/event-streams.ts';

export function eventRoutes(parts: {
  database: RequestDatabase;
  cursors: CursorCodec;
  events: EventService;
  streams: EventStreams;
}): Route[] {
  const { database, events, streams } = parts;
  return [
    route(submitEvent, async (exchange) => {
      const { kind, body: json, eventId } = await events.submitOne(exchange);
      return kind === 'stored'
        ? { status: 201, json, location: `/events/${eventId}` }
        : { status: 200, json };
    }),

    route(submitEvents, async (exchange) => ({
      status: 200,
      body: { results: await events.submitMany(exchange) },
    })),

    route(listEvents, async (exchange) => ({ status: 200, json: await readFeedPage(exchange, parts) })),

    route(streamEvents, async (exchange) => ({ status: 200, stream: await streams.openFor(exchange) })),

    route(countEvents, async ({ tenantId, query }) => {
      const { read } = database;
      const { interval } = query;
      const filter = toFeedFilter(query);
      const span = await spanOf({ read, tenantId, filter });
      return { status: 200, body: await feedStore.countOverTime(read, tenantId, { span, filter, interval }) };
    }),

    route(getEvent, async ({ tenantId, id }) => {
      const json = await eventStore.findBody(database.read, tenantId, id);
      if (json === undefined) throw notFound('event');
      return { status: 200, json };
    }),

    route(getEventContext, async ({ tenantId, id }) => {
      const body = await readEventContext(database.read, tenantId, id);
      if (!body) throw notFound('event');
      return { status: 200, body };
    }),
  ];
}
