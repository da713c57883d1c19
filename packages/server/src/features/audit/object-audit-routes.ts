import { listAuditOfDevice, listAuditOfIncident, listAuditOfPolicy, listAuditOfWebhook } from '@tps/contract';
import type { ReadQueries } from '../../database/index.ts';
import type { CursorCodec } from '../../platform/http/cursors.ts';
import { type Route, route } from '../../platform/http/route.ts';
import { notFound } from '../../platform/service-error.ts';
import type { TenantId } from '../../platform/tenant-id.ts';
import { deviceStore } from '../devices/index.ts';
import { incidentStore } from '../incidents/index.ts';
import { policyStore } from '../policies/index.ts';
import { webhookStore } from '../webhooks/index.ts';
import { readAuditOf } from './list-audit.ts';

const OBJECTS = [
  { operation: listAuditOfIncident, find: incidentStore.find },
  { operation: listAuditOfDevice, find: deviceStore.find },
  { operation: listAuditOfPolicy, find: policyStore.find },
  { operation: listAuditOfWebhook, find: webhookStore.find },
] as const;

type Find = (queries: ReadQueries, tenantId: TenantId, id: string) => Promise<object | undefined>;

/** Returns the routes that list what happened to one object: those who may read it may read its history too. */
export function objectAuditRoutes(parts: { read: ReadQueries; cursors: CursorCodec }): Route[] {
  return OBJECTS.map(({ operation, find }) =>
    route(operation, async ({ tenantId, id, query }) => {
      const findObject: Find = find;
      if (!(await findObject(parts.read, tenantId, id))) throw notFound(operation.id);
      const request = { tenantId, route: `${operation.path}#${id}`, query };
      return { status: 200, body: await readAuditOf(parts, request, { resourceId: id }) };
    }),
  );
}
