import type { ReadQueries } from '../../../database/index.ts';
import type { TenantId } from '../../../platform/tenant-id.ts';
import type { Findings } from './finding.ts';
import type { Removals } from './recorded-removals.ts';
import { verifyCorrections } from './verify-corrections.ts';
import { verifyAlerts, verifyThreats } from './verify-derived.ts';
import { verifyIncidents } from './verify-incidents.ts';
import { verifyLinks } from './verify-links.ts';
import { verifyMembers, verifyMembership } from './verify-members.ts';
import { verifyTimeline } from './verify-timeline.ts';

type WorldKind =
  | 'events and what they led to'
  | 'threats'
  | 'alerts'
  | 'incidents'
  | 'members of incidents'
  | 'timeline entries';

/** Compares all that is derived from the events of a tenant, in both directions. */
export async function verifyWorld(
  queries: ReadQueries,
  tenantId: TenantId,
  removals: Removals,
): Promise<[WorldKind, Findings][]> {
  const membership = await verifyMembership(queries, tenantId, removals);
  const corrections = await verifyCorrections(queries, tenantId, removals);
  return [
    ['events and what they led to', await verifyLinks(queries, tenantId, removals)],
    ['threats', await verifyThreats(queries, tenantId, removals)],
    ['alerts', await verifyAlerts(queries, tenantId, removals)],
    ['alerts', { ...membership, checked: 0 }],
    ['incidents', await verifyIncidents(queries, tenantId, removals)],
    ['members of incidents', await verifyMembers(queries, tenantId, removals)],
    ['timeline entries', await verifyTimeline(queries, tenantId, removals)],
    ['timeline entries', { ...corrections, checked: 0 }],
  ];
}
