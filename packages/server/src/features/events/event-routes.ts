import { getEvent, listEvents } from '@tps/contract';
import type { Database } from '../../database/index.ts';
import type { CursorCodec } from '../../platform/cursors.ts';
import { type Route, route } from '../../platform/route.ts';
import { notFound } from '../../platform/service-error.ts';
import { findBody } from './event-store.ts';
import { readFeedPage } from './feed.ts';

/** Reading events. They come in through `features/ingest`. */
export function eventRoutes(parts: { database: Database; cursors: CursorCodec }): Route[] {
  return [
    route(listEvents, async (exchange) => ({ status: 200, json: await readFeedPage(exchange, parts) })),

    route(getEvent, async ({ tenantId, id }) => {
      const json = await findBody(parts.database.read, tenantId, id);
      if (json === undefined) throw notFound('event');
      return { status: 200, json };
    }),
  ];
}
