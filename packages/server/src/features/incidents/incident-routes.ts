import { countIncidents, getIncident, type Incident, listIncidents, updateIncident } from '@tps/contract';
import type { CursorCodec } from '../../platform/http/cursors.ts';
import { readPage } from '../../platform/http/page.ts';
import { requestedChange } from '../../platform/http/requested-change.ts';
import { type Exchange, type Reply, type Route, route } from '../../platform/http/route.ts';
import { toAnyOf, toTimeRange } from '../../platform/list-filters.ts';
import { notFound } from '../../platform/service-error.ts';
import type { TenantId } from '../../platform/tenant-id.ts';
import type { RequestDatabase } from '../authority/index.ts';
import type { IncidentRecord } from './incident.ts';
import { describeIncidents } from './incident-details.ts';
import { etagOf, type IncidentService } from './incident-service.ts';
import * as incidentStore from './incident-store.ts';

export function incidentRoutes(parts: {
  database: RequestDatabase;
  cursors: CursorCodec;
  incidents: IncidentService;
}): Route[] {
  const { database, cursors, incidents } = parts;
  const describe = (tenantId: TenantId, records: readonly IncidentRecord[]): Promise<Incident[]> =>
    describeIncidents(database.read, tenantId, records);
  const replyWith = async (tenantId: TenantId, record: IncidentRecord): Promise<Reply> => {
    const [body] = await describe(tenantId, [record]);
    return { status: 200, body, etag: etagOf(record) };
  };

  return [
    route(listIncidents, async ({ tenantId, query }) => {
      const { sort } = query;
      const filter = toFilter(query);
      const page = await readPage({
        cursors,
        request: { tenantId, route: listIncidents.path, query },
        read: (page) => incidentStore.list(database.read, tenantId, { filter, sort, page }),
        keyOf: (incident) => incidentStore.positionOf(incident, sort),
        toItem: (incident) => incident,
      });
      return { status: 200, body: { ...page, data: await describe(tenantId, page.data) } };
    }),

    route(countIncidents, async ({ tenantId, query }) => {
      const filter = toFilter(query);
      const { interval } = query;
      return {
        status: 200,
        body: await incidentStore.countOverTime(database.read, tenantId, { filter, interval }),
      };
    }),

    route(getIncident, async ({ tenantId, id }) => {
      const incident = await incidentStore.find(database.read, tenantId, id);
      if (!incident) throw notFound('incident');
      return replyWith(tenantId, incident);
    }),

    route(updateIncident, async (exchange) => {
      const change = requestedChange(exchange.body());
      const incident = await incidents.update(exchange.tenantId, exchange.id, {
        change,
        ifMatch: exchange.header('if-match'),
        request: exchange,
      });
      return replyWith(exchange.tenantId, incident);
    }),
  ];
}

function toFilter(query: Exchange<typeof countIncidents>['query']): incidentStore.IncidentFilter {
  return {
    severity: toAnyOf(query.severity),
    status: toAnyOf(query.status),
    category: toAnyOf(query.category),
    assignee: toAnyOf(query.assignee),
    tag: toAnyOf(query.tag),
    created: toTimeRange(query),
  };
}
