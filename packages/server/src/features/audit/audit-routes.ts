import { countAudit, getAuditEntry, listAudit } from '@tps/contract';
import type { ReadQueries } from '../../database/index.ts';
import type { CursorCodec } from '../../platform/http/cursors.ts';
import { type Exchange, type Route, route } from '../../platform/http/route.ts';
import { toAnyOf, toTimeRange } from '../../platform/list-filters.ts';
import { notFound } from '../../platform/service-error.ts';
import { type AuditSearch, countOverTime, find } from './audit-store.ts';
import { readAuditPage, withNames } from './list-audit.ts';

export function auditRoutes(parts: { read: ReadQueries; cursors: CursorCodec }): Route[] {
  return [
    route(listAudit, async ({ tenantId, query }) => ({
      status: 200,
      body: await readAuditPage(parts, { tenantId, route: listAudit.path, query }, toSearch(query)),
    })),

    route(countAudit, async ({ tenantId, query }) => ({
      status: 200,
      body: await countOverTime(parts.read, tenantId, { filter: toSearch(query), interval: query.interval }),
    })),

    route(getAuditEntry, async ({ tenantId, id }) => {
      const entry = await find(parts.read, tenantId, id);
      if (!entry) throw notFound('audit entry');
      const [body] = await withNames(parts.read, tenantId, [entry]);
      return { status: 200, body };
    }),
  ];
}

function toSearch(query: Exchange<typeof countAudit>['query']): AuditSearch {
  return {
    action: toAnyOf(query.action),
    actorType: toAnyOf(query.actor_type),
    actorId: toAnyOf(query.actor_id),
    resourceType: toAnyOf(query.resource_type),
    resourceId: toAnyOf(query.resource_id),
    outcome: toAnyOf(query.outcome),
    occurred: toTimeRange(query),
  };
}
