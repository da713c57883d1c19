import { getAlert, listAlerts } from '@tps/contract';
import type { CursorCodec } from '../../platform/http/cursors.ts';
import { readPage } from '../../platform/http/page.ts';
import { type Route, route } from '../../platform/http/route.ts';
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
      const filter: alertStore.AlertFilter = {
        severity: query.severity,
        status: query.status,
        deviceId: query.device_id,
        incidentId: query.incident_id,
      };
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

    route(getAlert, async ({ tenantId, id }) => {
      const alert = await alertStore.find(database.read, tenantId, id);
      if (!alert) throw notFound('alert');
      return { status: 200, body: toAlert(alert, tenantId) };
    }),
  ];
}
