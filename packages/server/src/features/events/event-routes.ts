import { getEvent, listEvents, submitEvent, submitEvents } from '@tps/contract';
import type { Database } from '../../database/index.ts';
import type { CursorCodec } from '../../platform/http/cursors.ts';
import { type Route, route } from '../../platform/http/route.ts';
import { notFound } from '../../platform/service-error.ts';
import { eventStore } from '../feed/index.ts';
import type { IngestService } from './event-service.ts';
import { readFeedPage } from './feed-page.ts';

export function eventRoutes(parts: {
  database: Database;
  cursors: CursorCodec;
  events: IngestService;
}): Route[] {
  const { database, events } = parts;
  return [
    route(submitEvent, async (exchange) => {
      const outcome = await events.submitOne(exchange, () => exchange.body());
      const { event_id: eventId } = exchange.body();
      return outcome.kind === 'stored'
        ? { status: 201, json: outcome.body, location: `/events/${eventId}` }
        : { status: 200, json: outcome.body };
    }),

    route(submitEvents, async (exchange) => ({
      status: 200,
      body: { results: await events.submitMany(exchange, () => exchange.body()) },
    })),

    route(listEvents, async (exchange) => ({ status: 200, json: await readFeedPage(exchange, parts) })),

    route(getEvent, async ({ tenantId, id }) => {
      const json = await eventStore.findBody(database.read, tenantId, id);
      if (json === undefined) throw notFound('event');
      return { status: 200, json };
    }),
  ];
}
