import { adoptHoldings, type HoldingKind, listHoldings } from '@tps/contract';
import type { CursorCodec } from '../../platform/http/cursors.ts';
import { readPage } from '../../platform/http/page.ts';
import { type Route, route } from '../../platform/http/route.ts';
import type { RequestDatabase } from '../authority/index.ts';
import { compareKeys, type HoldingRoot } from './holding.ts';
import type { Holdings } from './holdings.ts';

export function holdingRoutes(parts: {
  database: RequestDatabase;
  cursors: CursorCodec;
  holdings: Holdings;
}): Route[] {
  const { database, cursors, holdings } = parts;
  return [
    route(listHoldings, async ({ tenantId, query, caller }) => {
      const root = toRoot(query);
      return {
        status: 200,
        body: await readPage({
          cursors,
          request: { tenantId, route: listHoldings.path, query },
          // One person or client has few holdings, and the end of the list depends on all of them.
          read: async ({ after, limit }) => {
            const last = after && { kind: String(after[0]) as HoldingKind, id: String(after[1]) };
            if (!root) return holdings.listAll(tenantId, { after: last, limit, caller });
            const all = await holdings.list(tenantId, root, caller);
            return all.filter((one) => !last || compareKeys(one, last) > 0).slice(0, limit);
          },
          keyOf: ({ kind, id }) => [kind, id],
          toItem: (holding) => holding,
        }),
      };
    }),

    route(adoptHoldings, async (exchange) => {
      const { items } = exchange.body();
      const awaitEnd = await database.transaction(exchange, (tx, caller) =>
        holdings.secure(tx, items, { ...exchange, caller }),
      );
      // Until then, the present owners stay: what they set up meanwhile belongs to them.
      await awaitEnd();
      const data = await database.transaction(exchange, (tx, caller) =>
        holdings.adopt(tx, items, { ...exchange, caller }),
      );
      return { status: 200, body: { data } };
    }),
  ];
}

/** Returns undefined for everything in the tenant. */
function toRoot(query: { owner_id?: string; client_id?: string }): HoldingRoot | undefined {
  const { owner_id: ownerId, client_id: clientId } = query;
  if (ownerId !== undefined) return { ownerId, clientId };
  return clientId === undefined ? undefined : { clientId };
}
