import type { ReadQueries } from '../../../database/index.ts';
import type { TenantId } from '../../../platform/tenant-id.ts';
import { timelineEntryOf } from '../../incidents/index.ts';
import { type DerivedKind, verifyKind } from './derived-kind.ts';
import * as derivedReadModel from './derived-read-model.ts';
import type { Findings } from './finding.ts';
import type { Removals } from './recorded-removals.ts';
import { rowsWith } from './rows-read-model.ts';
import { eventIdsOf, toEvent } from './verify-derived.ts';
import { findIncidents, isBeingPurged } from './verify-members.ts';

type LinkedEvent = derivedReadModel.LinkedEvent;

/** Checks that each correction of an event whose alert was in an incident is in the timeline of that incident. */
export function verifyCorrections(
  queries: ReadQueries,
  tenantId: TenantId,
  removals: Removals,
): Promise<Findings> {
  const kind: DerivedKind<LinkedEvent> = {
    isWhole: true,
    idOf: (event) => event.event_id,
    find: (ids) => derivedReadModel.listEvents(queries, tenantId, ids),
    async compare(corrections) {
      const problems: [string, string | undefined][] = [];
      for (const correction of corrections)
        problems.push([correction.event_id, await whyUnnoted(queries, tenantId, { correction, removals })]);
      return new Map(problems.flatMap(([id, problem]) => (problem === undefined ? [] : [[id, problem]])));
    },
  };
  const pages = derivedReadModel.pagesOfEvents(queries, tenantId, { isCorrection: true });
  return verifyKind(queries, tenantId, { kind, pages });
}

async function whyUnnoted(
  queries: ReadQueries,
  tenantId: TenantId,
  { correction, removals }: { correction: LinkedEvent; removals: Removals },
): Promise<string | undefined> {
  const { position, received_at: atMs, corrects_event_id: rootId } = correction;
  if (atMs < removals.purgedBeforeMs) return undefined;
  const family = await derivedReadModel.listFamily(queries, tenantId, rootId ?? '');
  const replaced = family.filter((event) => event.position < position).at(-1);
  if (replaced?.alert_id == null) return undefined;
  const [alert] = await derivedReadModel.findAlerts(queries, tenantId, [replaced.alert_id]);
  if (!alert) return undefined;
  const before = { eventIds: eventIdsOf(alert), position };
  // Before its first event of high severity, the alert was in no incident.
  if (!(await derivedReadModel.hasSevereBefore(queries, tenantId, before))) return undefined;
  const members = await rowsWith(queries, 'incident_members', {
    tenantId,
    column: 'member_id',
    values: [alert.alert_id],
  });
  const ids = members.map((member) => member.incident_id);
  const expected = ids.map((incidentId) => {
    const noted = timelineEntryOf(incidentId, toEvent(tenantId, correction), {
      kind: 'correction',
      message: '',
    });
    return noted.entryId;
  });
  const entries = await rowsWith(queries, 'incident_timeline', {
    tenantId,
    column: 'incident_id',
    values: ids,
  });
  const hasEntry = entries.some((entry) => expected.includes(entry.entry_id));
  const gone = [...(await findIncidents(queries, tenantId, ids)).values()].some((incident) =>
    isBeingPurged(incident, removals),
  );
  if (hasEntry || gone || ids.length === 0) return undefined;
  return `no timeline notes the correction by event ${position}, although its alert was in an incident`;
}
