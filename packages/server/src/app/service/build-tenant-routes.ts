import type { Database } from '../../database/index.ts';
import { auditRoutes } from '../../features/audit/audit-routes.ts';
import { objectAuditRoutes } from '../../features/audit/object-audit-routes.ts';
import type { RequestDatabase } from '../../features/authority/index.ts';
import { dataRequestRoutes } from '../../features/data-requests/data-request-routes.ts';
import { DataRequestService } from '../../features/data-requests/data-request-service.ts';
import { RetentionService } from '../../features/maintenance/index.ts';
import { settingsRoutes } from '../../features/settings/settings-routes.ts';
import { DeletionRequests } from '../../features/tenants/index.ts';
import { viewRoutes } from '../../features/views/view-routes.ts';
import { ViewService } from '../../features/views/view-service.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Config } from '../../platform/config/config.ts';
import type { CursorCodec } from '../../platform/http/cursors.ts';
import type { Route } from '../../platform/http/route.ts';

/** Returns the routes about a tenant itself: its history, its settings, its deletion, and what its people save. */
export function buildTenantRoutes(parts: {
  config: Config;
  database: Database;
  requests: RequestDatabase;
  clock: Clock;
  cursors: CursorCodec;
  version: string;
  /** Wakes what carries out data requests. */
  wakeDataRequests: () => void;
}): Route[] {
  const { config, database, requests, clock, cursors, version } = parts;
  const { read } = requests;
  const wake = parts.wakeDataRequests;
  return [
    ...auditRoutes({ read, cursors }),
    ...objectAuditRoutes({ read, cursors }),
    ...settingsRoutes({
      ...{ database: requests, config, version },
      retention: new RetentionService({ database, clock, config: config.retention }),
      deletions: new DeletionRequests({ database: requests, clock }),
    }),
    ...dataRequestRoutes({
      ...{ database: requests, clock, cursors },
      dataRequests: new DataRequestService({ clock, wake }),
    }),
    ...viewRoutes({ database: requests, cursors, views: new ViewService({ database: requests, clock }) }),
  ];
}
