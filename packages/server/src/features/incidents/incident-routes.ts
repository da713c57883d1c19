import {
  changeIncidents,
  countIncidents,
  getIncident,
  type Incident,
  listIncidentAssignees,
  listIncidents,
  listSimilarIncidents,
  updateIncident,
} from '@tps/contract';
import { changeInBulk } from '../../platform/http/bulk.ts';
import type { CursorCodec } from '../../platform/http/cursors.ts';
import { readPage } from '../../platform/http/page.ts';
import { requestedChange } from '../../platform/http/requested-change.ts';
import { type Caller, type Exchange, type Reply, type Route, route } from '../../platform/http/route.ts';
import { toAnyOf, toTimeRange } from '../../platform/list-filters.ts';
import { notFound } from '../../platform/service-error.ts';
import type { TenantId } from '../../platform/tenant-id.ts';
import type { RequestDatabase } from '../authority/index.ts';
import * as assigneeReadModel from './assignees/assignee-read-model.ts';
import { resolveAssignees } from './assignees/resolve-assignee.ts';
import { changeOneOf } from './bulk-change.ts';
import type { IncidentRecord } from './incident.ts';
import { describeIncidents } from './incident-details.ts';
import { etagOf, type IncidentService } from './incident-service.ts';
import * as incidentStore from './incident-store.ts';
import { listSimilar } from './similar/similar-incidents.ts';

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
    route(listIncidents, async ({ tenantId, query, caller }) => {
      const { sort } = query;
      const filter = toFilter(query, caller);
      const page = await readPage({
        cursors,
        request: { tenantId, route: listIncidents.path, query },
        read: (page) => incidentStore.list(database.read, tenantId, { filter, sort, page }),
        keyOf: (incident) => incidentStore.positionOf(incident, sort),
        toItem: (incident) => incident,
      });
      return { status: 200, body: { ...page, data: await describe(tenantId, page.data) } };
    }),

    route(countIncidents, async ({ tenantId, query, caller }) => {
      const filter = toFilter(query, caller);
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
      const { after } = await incidents.update(exchange.tenantId, exchange.id, {
        change,
        ifMatch: exchange.header('if-match'),
        request: exchange,
      });
      return replyWith(exchange.tenantId, after);
    }),

    route(changeIncidents, async (exchange) => {
      const { tenantId } = exchange;
      const bulk = exchange.body();
      return {
        status: 200,
        body: await changeInBulk({
          cursors,
          request: { tenantId, route: changeIncidents.path },
          selection: bulk,
          list: (filter, page) =>
            incidentStore.list(database.read, tenantId, { filter: toFilter(filter, exchange.caller), page }),
          keyOf: (incident) => [incident.incidentId],
          idOf: (incident) => incident.incidentId,
          change: changeOneOf(incidents, bulk, exchange),
        }),
      };
    }),

    ...relatedRoutes({ database, cursors }),
  ];
}

function relatedRoutes({ database, cursors }: { database: RequestDatabase; cursors: CursorCodec }): Route[] {
  return [
    route(listIncidentAssignees, async ({ tenantId, query }) => ({
      status: 200,
      body: await readPage({
        cursors,
        request: { tenantId, route: listIncidentAssignees.path, query },
        read: (page) => assigneeReadModel.list(database.read, tenantId, page),
        keyOf: (assignee) => [assignee.account_id],
        toItem: (assignee) => assignee,
      }),
    })),

    route(listSimilarIncidents, async ({ tenantId, id }) => {
      const incident = await incidentStore.find(database.read, tenantId, id);
      if (!incident) throw notFound('incident');
      return { status: 200, body: { data: await listSimilar(database.read, tenantId, incident) } };
    }),
  ];
}

/** Reads the filters of a list. `me` stands for the person who asks. */
function toFilter(
  query: Exchange<typeof countIncidents>['query'],
  caller: Caller,
): incidentStore.IncidentFilter {
  return {
    severity: toAnyOf(query.severity),
    status: toAnyOf(query.status),
    category: toAnyOf(query.category),
    assignee: resolveAssignees(toAnyOf(query.assignee), caller),
    tag: toAnyOf(query.tag),
    resolution: toAnyOf(query.resolution),
    deviceId: toAnyOf(query.device_id),
    created: toTimeRange(query),
  };
}
