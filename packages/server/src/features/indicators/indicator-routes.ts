import {
  checkIndicators,
  getIndicatorBundle,
  getIndicatorKeys,
  importIndicators,
  listIndicatorSources,
  listIndicators,
  type Operation,
  type QueryOf,
  removeIndicators,
} from '@tps/contract';
import type { Clock } from '../../platform/clock.ts';
import type { FairTurns } from '../../platform/concurrency/fair-turns.ts';
import type { CursorCodec } from '../../platform/http/cursors.ts';
import { readPage } from '../../platform/http/page.ts';
import { type Exchange, type Route, route } from '../../platform/http/route.ts';
import { toAnyOf } from '../../platform/list-filters.ts';
import { ServiceError } from '../../platform/service-error.ts';
import { actorOf } from '../audit/index.ts';
import type { RequestDatabase } from '../authority/index.ts';
import type { BundleKey } from './bundle/bundle-key.ts';
import type { BundleLibrary } from './bundle/bundle-library.ts';
import * as check from './check-indicators.ts';
import { toIndicatorKey, toKeyedIndicators } from './indicator-import.ts';
import type { IndicatorChange, IndicatorService } from './indicator-service.ts';
import type { IndicatorFilter } from './indicator-store.ts';
import * as lists from './list-indicators.ts';

export function indicatorRoutes(parts: {
  database: RequestDatabase;
  cursors: CursorCodec;
  indicators: IndicatorService;
  bundles: BundleLibrary;
  bundleKey: BundleKey;
  turns: FairTurns;
  clock: Clock;
}): Route[] {
  const { database, cursors, indicators, bundles, bundleKey, turns, clock } = parts;
  return [
    route(listIndicators, async ({ tenantId, query }) => ({
      status: 200,
      body: await readPage({
        cursors,
        request: { tenantId, route: listIndicators.path, query },
        read: (page) =>
          lists.listIndicators(database, tenantId, { ...toFilter(query, clock.now()), ...page }),
        keyOf: lists.positionOf,
        toItem: lists.toThreatIndicator,
      }),
    })),

    route(importIndicators, async (exchange) => {
      const body = exchange.body();
      const { source, import_id: importId, replace = false } = body;
      const keyed = await toKeyedIndicators(source, body.indicators, {
        turns,
        tenantId: exchange.tenantId,
      });
      const change = changeBy(exchange, source);
      const outcome = await database.transaction(exchange, (tx) =>
        indicators.import(tx, change, { importId, replace, indicators: keyed }),
      );
      const { importId: import_id, ...counts } = outcome;
      return { status: 200, body: { import_id, source, ...counts } };
    }),

    route(checkIndicators, async (exchange) => ({
      status: 200,
      body: { results: await check.checkIndicators(parts, exchange.tenantId, exchange.body().indicators) },
    })),

    route(removeIndicators, async (exchange) => {
      const { source, type, value } = exchange.query;
      const change = changeBy(exchange, source);
      if ((type === undefined) !== (value === undefined))
        throw new ServiceError('invalid_parameter', 'type and value must be given together');
      const key = type === undefined || value === undefined ? undefined : toIndicatorKey(type, value);
      await database.transaction(exchange, (tx) =>
        key ? indicators.removeOne(tx, change, key) : indicators.removeSource(tx, change),
      );
      return { status: 204 };
    }),

    route(listIndicatorSources, async ({ tenantId }) => ({
      status: 200,
      body: { data: await lists.listSources(database, tenantId) },
    })),

    route(getIndicatorBundle, async ({ tenantId, header }) => {
      const { etag, json } = await bundles.get(tenantId, header('if-none-match'));
      return json === undefined ? { status: 304, etag } : { status: 200, etag, json };
    }),

    route(getIndicatorKeys, async () => {
      const { keyid, publicKeyB64 } = await bundleKey.get();
      return { status: 200, body: { keys: [{ keyid, public_key_b64: publicKeyB64 }] } };
    }),
  ];
}

function toFilter(query: QueryOf<typeof listIndicators>, nowMs: number): IndicatorFilter {
  const { source, type, category, validity, value } = query;
  const prefixes = toAnyOf(value);
  return {
    source: toAnyOf(source),
    type: toAnyOf(type),
    category: toAnyOf(category),
    validity: validity === undefined ? undefined : { filter: toAnyOf(validity), nowMs },
    valuePrefix: prefixes && { ...prefixes, values: prefixes.values.map(lists.toValuePrefix) },
  };
}

function changeBy(exchange: Exchange<Operation>, source: string): IndicatorChange {
  const { tenantId: owner, requestId } = exchange;
  return { owner, source, requestId, actor: actorOf(exchange) };
}
