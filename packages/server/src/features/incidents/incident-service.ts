import type { IncidentChange } from '@tps/contract';
import { MAX_TAGS } from '@tps/contract/vocabulary';
import type { Queries } from '../../database/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { AdmittedRequest } from '../../platform/http/route.ts';
import { createId } from '../../platform/identifiers.ts';
import { notFound, ServiceError } from '../../platform/service-error.ts';
import type { TenantId } from '../../platform/tenant-id.ts';
import { alertStore } from '../alerts/index.ts';
import { type ActingRequest, actorOf, auditStore } from '../audit/index.ts';
import type { RequestDatabase } from '../authority/index.ts';
import { feedHeadStore } from '../feed/index.ts';
import { enqueueNotices, toIncidentCauses } from '../notices/index.ts';
import { countMilestones, statisticsStore } from '../statistics/index.ts';
import { threatStore } from '../threats/index.ts';
import { resolveAssignee } from './assignees/resolve-assignee.ts';
import {
  COMMENT_ADDED,
  describeStatus,
  type IncidentRecord,
  isUnresolved,
  mergeTags,
  resolvedAt,
} from './incident.ts';
import * as incidentStore from './incident-store.ts';
import { threatStatusAfter, transition } from './incident-transition.ts';

/** An incident before and after a change; the same record twice if nothing changed. */
export interface ChangedIncident {
  readonly before: IncidentRecord;
  readonly after: IncidentRecord;
}

/** Changes to incidents by people. */
export class IncidentService {
  readonly #database: RequestDatabase;
  readonly #clock: Clock;

  constructor({ database, clock }: { database: RequestDatabase; clock: Clock }) {
    this.#database = database;
    this.#clock = clock;
  }

  /**
   * Applies a person's change and its effects on the incident's threats and alerts, in one transaction.
   * @throws ServiceError `not_found`, `version_mismatch`, `invalid_field`, `invalid_state_transition`
   */
  update(
    tenantId: TenantId,
    incidentId: string,
    wanted: { change: IncidentChange; ifMatch: string | undefined; request: AdmittedRequest },
  ): Promise<ChangedIncident> {
    return this.#database.transaction(wanted.request, async (tx) => {
      // Derivation may change the same incident at the same time: this lock serialises the two.
      await feedHeadStore.lock(tx, tenantId);
      return changeIncident(tx, tenantId, incidentId, { ...wanted, nowMs: this.#clock.now() });
    });
  }
}

/**
 * Changes an incident in the name of the caller. Requires the lock on the end of the tenant's feed.
 * @throws ServiceError `not_found`, `version_mismatch`, `invalid_field`, `invalid_state_transition`
 */
export async function changeIncident(
  tx: Queries,
  tenantId: TenantId,
  incidentId: string,
  wanted: { change: IncidentChange; ifMatch?: string | undefined; request: ActingRequest; nowMs: number },
): Promise<ChangedIncident> {
  const { ifMatch, request, nowMs } = wanted;
  const before = await incidentStore.find(tx, tenantId, incidentId);
  if (!before) throw notFound('incident');
  refuseStale(before, ifMatch);
  const change = await resolveChange(tx, tenantId, wanted);
  const after = applyChange(before, change, nowMs);
  const messages = describeChange(before, after, change.comment);
  if (messages.length === 0) return { before, after: before };

  await incidentStore.saveMany(tx, tenantId, [after]);
  const counts = countMilestones(before, after);
  await statisticsStore.add(tx, 'incident_statistics', [{ tenantId, atMs: nowMs, counts }]);
  await enqueueNotices(tx, tenantId, { causes: toIncidentCauses([{ before, after }]), nowMs });
  if (isUnresolved(before) && !isUnresolved(after)) await endDerived(tx, tenantId, after);
  await incidentStore.addTimeline(tx, tenantId, [
    {
      incidentId,
      entryId: createId('itl', nowMs),
      atMs: nowMs,
      kind: 'changed',
      actor: actorOf(request).id,
      message: messages.join('; '),
      comment: change.comment ?? null,
    },
  ]);
  await auditStore.appendFor(
    tx,
    request,
    {
      tenantId,
      action: 'incident.update',
      resource: { type: 'incident', id: incidentId },
      detail: describeChange(before, after, undefined).join('; ') || COMMENT_ADDED,
      fields: { ...change, version: after.version },
    },
    nowMs,
  );
  return { before, after };
}

/** Replaces `me` by the person. */
async function resolveChange(
  tx: Queries,
  tenantId: TenantId,
  { change, request }: { change: IncidentChange; request: ActingRequest },
): Promise<IncidentChange> {
  const { assignee } = change;
  if (assignee === undefined || assignee === null) return change;
  return { ...change, assignee: await resolveAssignee(tx, tenantId, { assignee, request }) };
}

export function etagOf({ version }: IncidentRecord): string {
  return `"${version}"`;
}

function refuseStale(incident: IncidentRecord, ifMatch: string | undefined): void {
  if (ifMatch === undefined || ifMatch === '*') return;
  const accepted = ifMatch.split(',').map((tag) => tag.trim());
  if (!accepted.includes(etagOf(incident))) {
    throw new ServiceError(
      'version_mismatch',
      `The incident is at version ${incident.version}; read it again and retry`,
    );
  }
}

function applyChange(incident: IncidentRecord, change: IncidentChange, nowMs: number): IncidentRecord {
  const next = transition(incident, change);
  const assignee = change.assignee === undefined ? incident.assignee : change.assignee;
  const isTaken = next.status !== incident.status || (assignee !== null && assignee !== incident.assignee);
  const resolvedAtMs = resolvedAt(incident, next, nowMs);
  return {
    ...incident,
    ...next,
    assignee,
    severity: change.severity ?? incident.severity,
    tags: tagsAfter(incident, change),
    version: incident.version + 1,
    updatedAtMs: nowMs,
    acknowledgedAtMs: incident.acknowledgedAtMs ?? (isTaken ? nowMs : null),
    resolvedAtMs,
    firstResolvedAtMs: incident.firstResolvedAtMs ?? resolvedAtMs,
  };
}

function tagsAfter(incident: IncidentRecord, change: IncidentChange): readonly string[] {
  const after = mergeTags(incident.tags, change);
  if (after.length <= MAX_TAGS) return after;
  throw new ServiceError('invalid_field', `add_tags: an incident has at most ${MAX_TAGS} tags`);
}

/** Describes what changed, one part per member. Empty if nothing did. */
function describeChange(
  before: IncidentRecord,
  after: IncidentRecord,
  comment: string | undefined,
): string[] {
  return [
    ...(before.status === after.status ? [] : [describeStatus(before, after)]),
    ...(before.severity === after.severity ? [] : [`Severity from ${before.severity} to ${after.severity}`]),
    ...(before.assignee === after.assignee
      ? []
      : [after.assignee === null ? 'Unassigned' : `Assigned to ${after.assignee}`]),
    ...(JSON.stringify(before.tags) === JSON.stringify(after.tags)
      ? []
      : [`Tags: ${after.tags.join(', ') || 'none'}`]),
    ...(comment === undefined ? [] : [`Comment: ${comment}`]),
  ];
}

/** Ends the threats and alerts of a resolved incident. */
async function endDerived(tx: Queries, tenantId: TenantId, incident: IncidentRecord): Promise<void> {
  const { incidentId, resolution, updatedAtMs: nowMs } = incident;
  await alertStore.resolveAlertsOfIncident(tx, tenantId, { incidentId, nowMs });
  const status = threatStatusAfter(resolution);
  if (status !== null) await threatStore.endThreatsOfIncident(tx, tenantId, { incidentId, status });
}
