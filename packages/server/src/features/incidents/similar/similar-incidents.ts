import {
  type IncidentCategory,
  type IncidentStatus,
  MAX_SIMILAR,
  type Resolution,
  type Severity,
  type SimilarIncident,
} from '@tps/contract';
import type { ReadQueries } from '../../../database/index.ts';
import type { TenantId } from '../../../platform/tenant-id.ts';
import { toTimestamp } from '../../../platform/time.ts';
import { indicatorKeyOf } from '../../feed/index.ts';
import type { IncidentRecord } from '../incident.ts';
import * as readModel from './similar-incidents-read-model.ts';

/** What is read of an incident and of its indicators. The newest threats say most about what is going on. */
const MAX_THREATS = 20;
const MAX_KEYS = 200;
const MAX_SIGHTINGS = 500;

type Row = readModel.IncidentRow;

/** Lists the newest incidents that share an indicator or the subject with an incident. */
export async function listSimilar(
  queries: ReadQueries,
  tenantId: TenantId,
  incident: IncidentRecord,
): Promise<SimilarIncident[]> {
  const { incidentId, correlationKey } = incident;
  const lists = await readModel.listIndicators(queries, tenantId, { incidentId, threats: MAX_THREATS });
  const indicators = new Set(lists.flatMap((list) => JSON.parse(list) as string[]));
  const keys = [...indicators].slice(0, MAX_KEYS).map(indicatorKeyOf);
  // A campaign has no indicator as text, but its subject is the key of one.
  const threatIds = await readModel.listThreatsWith(queries, tenantId, {
    keys: [...keys, correlationKey],
    limit: MAX_SIGHTINGS,
  });
  // One more than shown, because the incident itself is among them.
  const limit = MAX_SIMILAR + 1;
  const sharing = await readModel.listWithThreats(queries, tenantId, { threatIds, limit });
  const correlationKeys = [...new Set([correlationKey, ...keys])];
  const about = await readModel.listAbout(queries, tenantId, { correlationKeys, limit });

  const ofIndicator = new Set([
    ...sharing.map((row) => row.incident_id),
    ...about.filter((row) => keys.includes(row.correlation_key)).map((row) => row.incident_id),
  ]);
  const found = new Map([...sharing, ...about].map((row) => [row.incident_id, row]));
  found.delete(incidentId);
  return [...found.values()]
    .sort((a, b) => (a.incident_id < b.incident_id ? 1 : -1))
    .slice(0, MAX_SIMILAR)
    .map((row) =>
      toSimilar(row, [
        ...(ofIndicator.has(row.incident_id) ? (['indicator'] as const) : []),
        ...(row.correlation_key === correlationKey ? (['subject'] as const) : []),
      ]),
    );
}

function toSimilar(row: Row, shared: SimilarIncident['shared']): SimilarIncident {
  return {
    id: row.incident_id,
    category: row.category as IncidentCategory,
    severity: row.severity as Severity,
    status: row.status as IncidentStatus,
    resolution: row.resolution as Resolution | null,
    message: row.message,
    created_at: toTimestamp(row.created_at),
    updated_at: toTimestamp(row.updated_at),
    shared,
  };
}
