import type { BodyOf, changeIncidents } from '@tps/contract';
import type { ChangeOne } from '../../platform/http/bulk.ts';
import type { AdmittedRequest } from '../../platform/http/route.ts';
import { ServiceError } from '../../platform/service-error.ts';
import type { IncidentRecord } from './incident.ts';
import type { IncidentService } from './incident-service.ts';

type IncidentBulk = BodyOf<typeof changeIncidents>;

/** The members that a person can change, and that an undo restores. */
const UNDOABLE = ['status', 'resolution', 'severity', 'assignee', 'tags'] as const;

/** What the result of an incident shows beside its status. */
interface IncidentOutcome {
  readonly version: number;
  readonly previous?: Partial<Pick<IncidentRecord, (typeof UNDOABLE)[number]>>;
}

/** Returns what changes one incident of a bulk request, as PATCH does. @throws ServiceError `invalid_field` */
export function changeOneOf(
  incidents: IncidentService,
  { ids, versions, change }: IncidentBulk,
  request: AdmittedRequest,
): ChangeOne<IncidentOutcome> {
  if (versions !== undefined && versions.length !== ids?.length) {
    throw new ServiceError('invalid_field', 'versions must have as many items as ids');
  }
  return async (id, index) => {
    const version = versions?.[index];
    const ifMatch = version === undefined ? undefined : `"${version}"`;
    const { before, after } = await incidents.update(request.tenantId, id, { change, ifMatch, request });
    const changed = UNDOABLE.filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]));
    if (changed.length === 0) return { version: after.version };
    return {
      version: after.version,
      previous: Object.fromEntries(changed.map((name) => [name, before[name]])),
    };
  };
}
