import type { Queries } from '../../../database/index.ts';
import type { TenantId } from '../../../platform/tenant-id.ts';
import { alertStore } from '../../alerts/index.ts';
import { type AuditRecord, auditStore, SERVICE } from '../../audit/index.ts';
import { describeStatus, type IncidentRecord, incidentStore } from '../../incidents/index.ts';
import { enqueueNotices, type NotedChange, toIncidentCauses } from '../../notices/index.ts';
import { type Counts, countMilestones } from '../../statistics/index.ts';
import { threatStore } from '../../threats/index.ts';
import type { SequencedEvent } from '../ingest/sequence-events.ts';
import type { DerivationSettings } from './derivation-settings.ts';
import type {
  CorrectionContext,
  DerivationContext,
  DerivedChanges,
  StatusChange,
} from './derivation-state.ts';
import { type DerivedLinks, derive } from './derive.ts';
import { deriveCorrection } from './derive-correction.ts';
import { loadContext, loadCorrected } from './load-context.ts';

/** What statistics count of what was derived. */
export interface DerivedCounts {
  readonly alertCounts: Counts<'event_statistics'>;
  readonly incidentCounts: readonly Counts<'incident_statistics'>[];
}

/** The result of deriving and saving some events. */
export interface DerivedSegment extends DerivedCounts {
  /** One per event, in order. */
  readonly links: readonly DerivedLinks[];
  readonly statusChanges: readonly StatusChange[];
}

/**
 * Derives consecutive new events of one tenant inside their transaction: reads what they may affect, derives, and
 * writes the changes. The events are either one correction or any number of other events. Returns the links of
 * each, the incidents whose status changed, and what statistics count.
 */
export async function deriveAndSave(
  tx: Queries,
  tenantId: TenantId,
  { segment, settings }: { segment: readonly SequencedEvent[]; settings: DerivationSettings },
): Promise<DerivedSegment> {
  const events = segment.map((sequenced) => sequenced.feedEvent);
  const rootId = segment[0]?.prepared.event.corrects_event_id;
  const [correction] = events;
  if (rootId !== undefined && correction !== undefined) {
    const replaced = await loadCorrected(tx, tenantId, { rootId, correction });
    const concerned = [correction, replaced.effective];
    const context = await loadContext(tx, tenantId, { events: concerned, settings });
    const { changes, links } = deriveCorrection(correction, replaced, { context, settings });
    const incidents = pairIncidents(changes, context, replaced);
    await save(tx, tenantId, { changes, incidents });
    return {
      links: [links],
      statusChanges: changes.statusChanges,
      ...countChanges(changes, context, { incidents, replaced }),
    };
  }
  const context = await loadContext(tx, tenantId, { events, settings });
  const { changes, links } = derive(events, context, settings);
  const incidents = pairIncidents(changes, context);
  await save(tx, tenantId, { changes, incidents });
  return { links, statusChanges: changes.statusChanges, ...countChanges(changes, context, { incidents }) };
}

/** An incident before and after. */
interface IncidentPair extends NotedChange {
  readonly before: IncidentRecord | undefined;
  readonly after: IncidentRecord;
}

/** Returns each changed incident with its state before. */
function pairIncidents(
  { incidents }: DerivedChanges,
  context: DerivationContext,
  replaced?: CorrectionContext,
): IncidentPair[] {
  const known = [...context.incidents, ...(replaced?.incident ? [replaced.incident] : [])];
  const before = new Map(known.map((incident) => [incident.incidentId, incident]));
  return incidents.map((after) => ({ before: before.get(after.incidentId), after }));
}

/** Counts the alerts and incidents that are new, and the milestones of known incidents. */
function countChanges(
  { alerts }: DerivedChanges,
  context: DerivationContext,
  { incidents, replaced }: { incidents: readonly IncidentPair[]; replaced?: CorrectionContext },
): DerivedCounts {
  const knownAlerts = new Set([...context.alerts, replaced?.alert].map((alert) => alert?.alertId));
  const alertCounts: Counts<'event_statistics'> = {};
  for (const { alertId, category } of alerts) {
    if (!knownAlerts.has(alertId))
      alertCounts[`alerts_${category}`] = (alertCounts[`alerts_${category}`] ?? 0) + 1;
  }
  return {
    alertCounts,
    incidentCounts: incidents.map(({ before, after }) => countMilestones(before, after)),
  };
}

async function save(
  tx: Queries,
  tenantId: TenantId,
  { changes, incidents }: { changes: DerivedChanges; incidents: readonly IncidentPair[] },
): Promise<void> {
  await threatStore.saveMany(tx, tenantId, changes.threats);
  await threatStore.saveSightings(tx, tenantId, changes.sightings);
  await alertStore.saveMany(tx, tenantId, changes.alerts);
  await incidentStore.saveMany(tx, tenantId, changes.incidents);
  await incidentStore.addMembers(tx, tenantId, changes.members);
  await incidentStore.addTimeline(tx, tenantId, changes.timeline);
  const nowMs = Math.max(0, ...incidents.map(({ after }) => after.updatedAtMs));
  await enqueueNotices(tx, tenantId, { causes: toIncidentCauses(incidents), nowMs });
}

/** Records in the audit log that the service has resolved or reopened an incident. */
export async function recordStatusChange(
  tx: Queries,
  tenantId: TenantId,
  { before, after, eventId, atMs }: StatusChange,
): Promise<void> {
  const { status, resolution, version } = after;
  const record: AuditRecord = {
    tenantId,
    actor: SERVICE,
    action: 'incident.update',
    resource: { type: 'incident', id: after.incidentId },
    outcome: 'success',
    requestId: null,
    detail: `${describeStatus(before, after)}, because of the correction ${eventId}`,
    fields: { status, resolution, version, event_id: eventId },
  };
  await auditStore.append(tx, record, atMs);
}
