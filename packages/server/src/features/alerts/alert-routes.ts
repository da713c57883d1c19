import { countAlerts, getAlert, listAlerts } from '@tps/contract';
import type { CursorCodec } from '../../platform/http/cursors.ts';
import { readPage } from '../../platform/http/page.ts';
import { type Exchange, type Route, route } from '../../platform/http/route.ts';
import { toAnyOf, toTimeRange } from '../../platform/list-filters.ts';
import { notFound } from '../../platform/service-error.ts';
import type { RequestDatabase } from '../authority/index.ts';
import { toAlert } from './alert.ts';
import * as alertStore from './alert-store.ts';

export function alertRoutes({
  database,
  cursors,
}: {
  database: RequestDatabase;
  cursors: CursorCodec;
}): Route[] {
  return [
    route(listAlerts, async ({ tenantId, query }) => {
      const filter = toFilter(query);
      return {
        status: 200,
        body: await readPage({
          cursors,
          request: { tenantId, route: listAlerts.path, query },
          read: (page) => alertStore.list(database.read, tenantId, { filter, page }),
          keyOf: (alert) => [alert.alertId],
          toItem: (alert) => toAlert(alert, tenantId),
        }),
      };
    }),

    route(countAlerts, async ({ tenantId, query }) => {
      const { interval } = query;
      const counts = await alertStore.countOverTime(database.read, tenantId, {
        filter: toFilter(query),
        interval,
      });
      return { status: 200, body: counts };
    }),

    route(getAlert, async ({ tenantId, id }) => {
      const alert = await alertStore.find(database.read, tenantId, id);
      if (!alert) throw notFound('alert');
      return { status: 200, body: toAlert(alert, tenantId) };
    }),
  ];
}

function toFilter(query: Exchange<typeof countAlerts>['query']): alertStore.AlertFilter {
  return {
    severity: toAnyOf(query.severity),
    status: toAnyOf(query.status),
    category: toAnyOf(query.threat_category),
    deviceId: toAnyOf(query.device_id),
    incidentId: toAnyOf(query.incident_id),
    threatId: toAnyOf(query.threat_id),
    created: toTimeRange(query),
  };
}
