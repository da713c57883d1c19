import { countThreats, getThreat, listThreats } from '@tps/contract';
import type { Clock } from '../../platform/clock.ts';
import type { CursorCodec } from '../../platform/http/cursors.ts';
import { readPage } from '../../platform/http/page.ts';
import { type Exchange, type Route, route } from '../../platform/http/route.ts';
import { toAnyOf, toTimeRange } from '../../platform/list-filters.ts';
import { notFound } from '../../platform/service-error.ts';
import type { RequestDatabase } from '../authority/index.ts';
import { type ThreatWindows, toThreat } from './threat.ts';
import * as threatStore from './threat-store.ts';

export function threatRoutes(parts: {
  database: RequestDatabase;
  cursors: CursorCodec;
  clock: Clock;
  windows: ThreatWindows;
}): Route[] {
  const { database, cursors, clock, windows } = parts;
  return [
    route(listThreats, async ({ tenantId, query }) => {
      const nowMs = clock.now();
      const filter = toFilter(query, nowMs - windows.spanMs);
      const page = await readPage({
        cursors,
        request: { tenantId, route: listThreats.path, query },
        read: (page) => threatStore.list(database.read, tenantId, { filter, page }),
        keyOf: (threat) => [threat.threatId],
        toItem: (threat) => toThreat(threat, nowMs, windows),
      });
      return {
        status: 200,
        body: { ...page, total_count: await threatStore.count(database.read, tenantId, filter) },
      };
    }),

    route(countThreats, async ({ tenantId, query }) => {
      const { interval } = query;
      const filter = toFilter(query, clock.now() - windows.spanMs);
      return {
        status: 200,
        body: await threatStore.countOverTime(database.read, tenantId, { filter, interval }),
      };
    }),

    route(getThreat, async ({ tenantId, id }) => {
      const threat = await threatStore.find(database.read, tenantId, id);
      if (!threat) throw notFound('threat');
      return { status: 200, body: toThreat(threat, clock.now(), windows) };
    }),
  ];
}

function toFilter(
  query: Exchange<typeof countThreats>['query'],
  quietSinceMs: number,
): threatStore.ThreatFilter {
  return {
    detected: toTimeRange(query),
    severity: toAnyOf(query.severity),
    status: toAnyOf(query.status),
    deviceId: toAnyOf(query.device_id),
    category: toAnyOf(query.threat_category),
    incidentId: toAnyOf(query.incident_id),
    indicator: toAnyOf(query.indicator),
    quietSinceMs,
  };
}
