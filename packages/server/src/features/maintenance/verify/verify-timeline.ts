import type { ReadQueries } from '../../../database/index.ts';
import type { Row } from '../../../database/tables/index.ts';
import { timeOfId } from '../../../platform/identifiers.ts';
import type { TenantId } from '../../../platform/tenant-id.ts';
import { correctionMessage } from '../../events/index.ts';
import type { FeedEvent } from '../../feed/index.ts';
import { MONITORING, timelineEntryOf } from '../../incidents/index.ts';
import { type DerivedKind, problemsOf, verifyKind } from './derived-kind.ts';
import * as derivedReadModel from './derived-read-model.ts';
import type { Findings } from './finding.ts';
import { type IncidentHistory, isEntryOf, toHistory } from './incident-history.ts';
import * as incidentReadModel from './incident-read-model.ts';
import type { Removals } from './recorded-removals.ts';
import { pagesOf, rowsWith } from './rows-read-model.ts';
import { group, toEvent } from './verify-derived.ts';
import { findIncidents } from './verify-members.ts';

type Entry = Row<'incident_timeline'>;

const ERASED = '[erased]';
const CORRECTION = /^Event (\S+) corrected to \w+, severity \w+, by ([^\s.]+)/;
const OPENED = /^Opened by event (\S+)$/;

/** Compares the timeline entries of the service with its events, and those of people with the audit log. */
export function verifyTimeline(
  queries: ReadQueries,
  tenantId: TenantId,
  removals: Removals,
): Promise<Findings> {
  const kind: DerivedKind<Entry> = {
    isWhole: true,
    idOf: keyOfEntry,
    find: async (keys) => {
      const values = keys.map((key) => key.split(' ')[0] ?? '');
      const found = await rowsWith(queries, 'incident_timeline', { tenantId, column: 'incident_id', values });
      return found.filter((entry) => keys.includes(keyOfEntry(entry)));
    },
    async compare(entries) {
      const parts = await readParts(queries, tenantId, { entries, removals });
      return problemsOf(entries, (entry) => [keyOfEntry(entry), whyDiffers(entry, parts)]);
    },
  };
  const key = ['incident_id', 'entry_id'] as const;
  return verifyKind(queries, tenantId, {
    kind,
    pages: pagesOf(queries, 'incident_timeline', { tenantId, key }),
  });
}

function keyOfEntry({ incident_id: incidentId, entry_id: entryId }: Entry): string {
  return `${incidentId} ${entryId}`;
}

interface TimelineParts {
  readonly incidents: ReadonlyMap<string, { readonly category: string }>;
  readonly historyOf: (incidentId: string) => IncidentHistory;
  readonly events: ReadonlyMap<string, FeedEvent>;
  readonly firstMs: number;
  readonly removals: Removals;
}

async function readParts(
  queries: ReadQueries,
  tenantId: TenantId,
  { entries, removals }: { entries: readonly Entry[]; removals: Removals },
): Promise<TimelineParts> {
  const ids = entries.map((entry) => entry.incident_id);
  const changes = group(
    await incidentReadModel.listChanges(queries, tenantId, ids),
    (entry) => entry.resource_id,
  );
  const eventIds = entries.flatMap((entry) => eventIdOf(entry) ?? []);
  const events = await derivedReadModel.listEvents(queries, tenantId, eventIds);
  return {
    removals,
    incidents: await findIncidents(queries, tenantId, ids),
    historyOf: (incidentId) => toHistory(changes.get(incidentId) ?? []),
    events: new Map(events.map((event) => [event.event_id, toEvent(tenantId, event)])),
    firstMs: await derivedReadModel.findFirstWhole(queries, tenantId),
  };
}

/** Returns the event that an entry of the service is about. */
function eventIdOf({ kind, message }: Entry): string | undefined {
  return kind === 'opened' ? OPENED.exec(message)?.[1] : CORRECTION.exec(message)?.[2];
}

function whyDiffers(entry: Entry, parts: TimelineParts): string | undefined {
  const { incident_id: incidentId, entry_id: entryId } = entry;
  const name = `timeline entry ${entryId} of incident ${incidentId}`;
  const incident = parts.incidents.get(incidentId);
  // After a deletion on request, entries follow their incident in another transaction.
  if (!incident)
    return parts.removals.isDeleting ? undefined : `${name} belongs to an incident that is missing`;
  if (entry.at !== timeOfId(entryId)) return `the time of ${name} differs from its id`;
  if (entry.actor !== 'service') return isRecorded(entry, parts) ? undefined : `${name} has no audit entry`;
  if ((entry.comment ?? null) !== null) return `the service wrote no comment in ${name}`;
  if (incident.category === MONITORING)
    return ['opened', 'changed'].includes(entry.kind) ? undefined : `${name} is of an unknown kind`;
  return isOfEvent(entry, parts) ? undefined : `${name} does not follow from an event`;
}

/** Whether the audit log has the change by a person. */
function isRecorded(entry: Entry, { historyOf, removals }: TimelineParts): boolean {
  if (entry.at < removals.knownSinceMs) return true;
  return (
    entry.kind === 'changed' &&
    historyOf(entry.incident_id).changes.some((change) => isEntryOf(entry, change))
  );
}

function isOfEvent(entry: Entry, { events, firstMs, removals, historyOf }: TimelineParts): boolean {
  const { kind, message, incident_id: incidentId } = entry;
  if (message.includes(ERASED)) return true;
  if (kind !== 'opened' && kind !== 'correction') return false;
  const event = events.get(eventIdOf(entry) ?? '');
  if (!event) return entry.at < firstMs || entry.at < removals.deletedBeforeMs;
  const expected = timelineEntryOf(incidentId, event, { kind, message });
  if (expected.entryId !== entry.entry_id) return false;
  if (kind === 'opened') return true;
  const text = correctionMessage(CORRECTION.exec(message)?.[1] ?? '', event);
  const moved = historyOf(incidentId).corrected.get(event.eventId);
  if (moved === undefined && entry.at < removals.knownSinceMs) return message.startsWith(text);
  return message === (moved === undefined ? text : `${text}. ${moved}`);
}
