import { submitEvent, submitEvents } from '@tps/contract';
import { type Route, route } from '../../platform/route.ts';
import type { IngestService } from './ingest-service.ts';

export function ingestRoutes(ingest: IngestService): Route[] {
  return [
    route(submitEvent, async (exchange) => {
      const outcome = await ingest.submitOne(exchange, () => exchange.body());
      const { event_id: eventId } = exchange.body();
      return outcome.kind === 'stored'
        ? { status: 201, json: outcome.body, location: `/events/${eventId}` }
        : { status: 200, json: outcome.body };
    }),

    route(submitEvents, async (exchange) => ({
      status: 200,
      body: { results: await ingest.submitMany(exchange, () => exchange.body()) },
    })),
  ];
}
