import { createView, deleteView, getView, listViews, updateView } from '@tps/contract';
import type { CursorCodec } from '../../platform/http/cursors.ts';
import { readPage } from '../../platform/http/page.ts';
import { requestedChange } from '../../platform/http/requested-change.ts';
import { type AdmittedRequest, type Route, route } from '../../platform/http/route.ts';
import { notFound } from '../../platform/service-error.ts';
import { actorOf } from '../audit/index.ts';
import type { RequestDatabase } from '../authority/index.ts';
import { type SavedViewRecord, toSavedView } from './saved-view.ts';
import * as savedViewStore from './saved-view-store.ts';
import type { ViewService } from './view-service.ts';

export function viewRoutes(parts: {
  database: RequestDatabase;
  cursors: CursorCodec;
  views: ViewService;
}): Route[] {
  const { database, cursors, views } = parts;
  const toBody = (view: SavedViewRecord, request: AdmittedRequest) =>
    toSavedView(view, request.tenantId, actorOf(request));
  return [
    route(listViews, async (exchange) => {
      const { tenantId, query } = exchange;
      const caller = actorOf(exchange);
      // A cursor belongs to one list, and each caller has another one.
      const body = await readPage({
        cursors,
        request: { tenantId, route: `${listViews.path}#${caller.id}`, query },
        read: (request) =>
          savedViewStore.list(database.read, tenantId, { caller, page: query.page, request }),
        keyOf: (view) => [view.viewId],
        toItem: (view) => toBody(view, exchange),
      });
      return { status: 200, body };
    }),

    route(createView, async (exchange) => {
      const view = await views.create(exchange.body(), exchange);
      return { status: 201, location: `/views/${view.viewId}`, body: toBody(view, exchange) };
    }),

    route(getView, async (exchange) => {
      const { tenantId, id: viewId } = exchange;
      const view = await savedViewStore.find(database.read, tenantId, { viewId, caller: actorOf(exchange) });
      if (!view) throw notFound('view');
      return { status: 200, body: toBody(view, exchange) };
    }),

    route(updateView, async (exchange) => {
      const view = await views.update(exchange.id, requestedChange(exchange.body()), exchange);
      return { status: 200, body: toBody(view, exchange) };
    }),

    route(deleteView, async (exchange) => {
      await views.remove(exchange.id, exchange);
      return { status: 204 };
    }),
  ];
}
