import type { TimelineDocument } from '@tps/contract';
import { toObservations } from '../case/case-event.ts';
import type { CaseEvent } from '../case/case-file.ts';
import type { ClassificationBasis } from '../triage-results.ts';
import { percent, toSubject } from '../wording.ts';

/** A dated entry of the case. */
export interface Moment {
  readonly atMs: number;
  readonly kind: TimelineDocument['moments'][number]['kind'];
  readonly id: string;
  readonly deviceId: string | null;
  /** Written by the service. */
  readonly sentence: string;
  /** Text from the device, or null. */
  readonly said: string | null;
}

const VERBS = { allow: 'allowed', warn: 'only warned', block: 'blocked' } as const;
const MAX_ELSEWHERE = 20;

/** Lists the entries of the case, oldest first, by the time of the device's decision. */
export function timelineOf({ file, evidence }: ClassificationBasis): Moment[] {
  const roots = new Set(toObservations(file.events).map(({ root }) => root.eventId));
  return [
    ...file.events.map((event) => toMoment(event, roots.has(event.eventId))),
    ...evidence.histories.flatMap(({ deviceId, related }) =>
      related.map(
        (event): Moment => ({
          atMs: event.atMs,
          kind: 'related_event',
          id: event.eventId,
          deviceId,
          sentence: `${toSubject(event.category)}: ${VERBS[event.action]}, before this case${event.sharesIndicator ? ', with the same indicator' : ''}`,
          said: null,
        }),
      ),
    ),
    ...evidence.others.slice(0, MAX_ELSEWHERE).map(
      (other): Moment => ({
        atMs: other.lastSeenAtMs,
        kind: 'seen_elsewhere',
        id: other.threatIds.at(-1) ?? other.deviceId,
        deviceId: other.deviceId,
        sentence: `Same indicator last seen on a device outside this case${describeOutcome(other)}`,
        said: null,
      }),
    ),
    ...file.incidents.map(
      (incident): Moment => ({
        atMs: incident.createdAtMs,
        kind: 'incident_opened',
        id: incident.incidentId,
        deviceId: null,
        sentence: `Incident opened: ${toSubject(incident.category)}, current severity ${incident.severity}`,
        said: null,
      }),
    ),
    ...file.scans.map(
      (scan): Moment => ({
        atMs: scan.scannedAtMs,
        kind: 'scan',
        id: scan.scanId,
        deviceId: null,
        sentence: `Content scanned: ${scan.status === 'completed' ? scan.verdict : 'no verdict'}`,
        said: scan.details,
      }),
    ),
  ].sort((a, b) => a.atMs - b.atMs || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0));
}

function toMoment(event: CaseEvent, isRoot: boolean): Moment {
  const chain =
    event.chain === 'gap' || event.chain === 'fork' ? `; the event chain has a ${event.chain} here` : '';
  const what = `${toSubject(event.category)}: ${VERBS[event.action]}`;
  const isCorrection = event.corrects !== null && !isRoot;
  return {
    atMs: event.atMs,
    kind: isCorrection ? 'correction' : 'event',
    id: event.eventId,
    deviceId: event.deviceId,
    sentence: isCorrection
      ? `Correction of ${event.corrects}: now ${VERBS[event.action]}, severity ${event.severity}${chain}`
      : `${what}, severity ${event.severity}, confidence ${percent(event.confidence)}, policy ${event.policyId}${chain}`,
    said: isCorrection ? (event.correctionReason ?? event.description) : event.description,
  };
}

export function describeOutcome({ blocked, warned }: { blocked: number; warned: number }): string {
  const parts = [
    ...(blocked > 0 ? [`${blocked} blocked`] : []),
    ...(warned > 0 ? [`**${warned} only warned**`] : []),
  ];
  return parts.length === 0 ? '' : ` (${parts.join(', ')})`;
}
