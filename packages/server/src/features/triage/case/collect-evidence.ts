import type { Action, IncidentCategory, IncidentStatus, Platform, Resolution } from '@tps/contract';
import { type StepResult, workflowStep } from '../../workflow/index.ts';
import { outputOf } from '../outputs.ts';
import { findingsOf, isBroken, isHarmful, toCaseEvent } from './case-event.ts';
import type { CaseEvent, CaseFile, Cut } from './case-file.ts';
import type { Contradiction, DeviceHistory, Evidence, OtherDevice, PolicyEvidence } from './evidence.ts';
import { FreeTexts } from './free-text.ts';
import {
  type EvidenceFacts,
  gatherEvidence,
  indicatorKeysOf,
  MOST_OTHER_DEVICES,
} from './gather-evidence.ts';
import { by, countBy, groupBy } from './order.ts';

const MOST_LISTED = 20;
const MOST_HISTORY_KEYS = 300;

/** Looks around the case: what else these devices saw, who else saw the same, and what is known of policies and past. */
export const collectEvidence = workflowStep<EvidenceFacts>({
  type: 'collect_evidence',
  gather: (queries, context) => gatherEvidence(queries, context.tenantId, outputOf(context, 'load_inputs')),
  run(facts, context): StepResult {
    const file = outputOf(context, 'load_inputs');
    return { output: toEvidence(facts, file, context.tenantId), guardrail: 'not_applicable' };
  },
});

function toEvidence(facts: EvidenceFacts, file: CaseFile, tenantId: string): Evidence {
  const texts = new FreeTexts();
  const read = facts.histories.map(({ deviceId, rows, isCut }) => {
    const events = rows.map((row) => toCaseEvent(row, texts));
    return { deviceId, isCut, events };
  });
  const past = read.flatMap(({ events }) => events.map(({ event }) => event));
  const others = toOtherDevices(facts, file);
  return {
    histories: read
      .map(({ deviceId, events, isCut }) =>
        toHistory(
          deviceId,
          events.map(({ event }) => event),
          { file, isCut },
        ),
      )
      .sort(by((history) => history.deviceId)),
    others: others.slice(0, MOST_OTHER_DEVICES),
    otherCount: others.length,
    policies: toPolicies(facts, { file, texts }),
    earlier: toEarlier(facts, file),
    sameIndicatorFalse: toSameIndicatorFalse(facts, file),
    contradictions: findContradictions(file, past),
    historyKeys: [...new Set(past.flatMap((event) => event.keys))].sort().slice(0, MOST_HISTORY_KEYS),
    cuts: toCuts(facts),
    redactedRefs: texts.redactedRefs(),
    foreignRefs: read
      .flatMap(({ events }) => events)
      .flatMap(({ event, tenantIds }) => (tenantIds.some((id) => id !== tenantId) ? [event.eventId] : []))
      .sort(),
  };
}

function toCuts({ histories, skippedDevices, isSightingsCut, sightings }: EvidenceFacts): Cut[] {
  const looked = histories.length;
  return [
    ...(skippedDevices > 0
      ? [{ what: 'devices whose past was looked at', kept: looked, of: looked + skippedDevices }]
      : []),
    ...(isSightingsCut
      ? [{ what: 'sightings of the indicators', kept: sightings.length, of: sightings.length + 1 }]
      : []),
  ];
}

function toHistory(
  deviceId: string,
  events: readonly CaseEvent[],
  { file, isCut }: { file: CaseFile; isCut: boolean },
): DeviceHistory {
  const own = new Set(file.events.map((event) => event.eventId));
  const keys = new Set(indicatorKeysOf(file));
  const categories = new Set(file.events.map((event) => event.category));
  const newestFirst = [...events].sort((a, b) => b.position - a.position);
  const count = (action: Action) => events.filter((event) => event.action === action).length;
  const related = findingsOf(newestFirst)
    .filter((finding) => isHarmful(finding) && !own.has(finding.root.eventId))
    .map(({ current }) => ({
      eventId: current.eventId,
      atMs: current.atMs,
      action: current.action,
      category: current.category,
      sharesIndicator: current.keys.some((key) => keys.has(key)),
    }))
    .filter(({ sharesIndicator, category }) => sharesIndicator || categories.has(category))
    .reverse();
  return {
    deviceId,
    looked: events.length,
    isCut,
    counts: { allow: count('allow'), warn: count('warn'), block: count('block') },
    corrections: events.filter((event) => event.corrects !== null).length,
    chain: Object.fromEntries([...countBy(events, (event) => event.chain)].sort()),
    broken: newestFirst
      .filter(isBroken)
      .map((event) => event.eventId)
      .slice(0, MOST_LISTED),
    related: related.slice(0, MOST_LISTED),
    relatedCount: related.length,
  };
}

function toOtherDevices(facts: EvidenceFacts, file: CaseFile): OtherDevice[] {
  const own = new Set(file.devices.map((device) => device.deviceId));
  const platforms = new Map(
    facts.otherDevices.map((device) => [device.device_id, device.platform as Platform]),
  );
  const keys = new Set(indicatorKeysOf(file));
  const read = facts.otherEvents.map((row) => toCaseEvent(row, new FreeTexts()).event);
  const same = findingsOf(read).filter(({ current }) => current.keys.some((key) => keys.has(key)));
  const countOf = (deviceId: string, action: Action) =>
    same.filter(({ current }) => current.deviceId === deviceId && current.action === action).length;
  const elsewhere = facts.sightings.filter((sighting) => !own.has(sighting.device_id));
  return [...groupBy(elsewhere, (sighting) => sighting.device_id)]
    .map(([deviceId, seen]) => ({
      deviceId,
      platform: platforms.get(deviceId) ?? null,
      indicators: new Set(seen.map((sighting) => sighting.correlation_key)).size,
      lastSeenAtMs: Math.max(...seen.map((sighting) => sighting.last_seen_at)),
      threatIds: [...new Set(seen.map((sighting) => sighting.threat_id))].sort().slice(-MOST_LISTED),
      blocked: countOf(deviceId, 'block'),
      warned: countOf(deviceId, 'warn'),
    }))
    .sort((a, b) => b.lastSeenAtMs - a.lastSeenAtMs || (a.deviceId < b.deviceId ? -1 : 1));
}

function toPolicies(
  facts: EvidenceFacts,
  { file, texts }: { file: CaseFile; texts: FreeTexts },
): PolicyEvidence[] {
  const known = new Map(facts.policies.map((policy) => [policy.policy_id, policy]));
  const misled = groupBy(
    facts.falseAlarms,
    ({ event }) => toCaseEvent(event, new FreeTexts()).event.policyId,
  );
  return [...countBy(file.events, (event) => event.policyId)]
    .map(([policyId, events]): PolicyEvidence => {
      const row = known.get(policyId);
      const falseIncidents = (misled.get(policyId) ?? []).map(({ incidentId }) => incidentId);
      return {
        policyId,
        current: row
          ? {
              name: texts.take(policyId, row.name, 120),
              version: row.version,
              action: row.action as Action,
              threshold: row.confidence_threshold,
              isEnabled: row.enabled === 1,
              isArchived: row.archived_at !== null,
            }
          : null,
        events,
        falseIncidents: [...new Set(falseIncidents)].sort().reverse(),
      };
    })
    .sort(by((policy) => policy.policyId));
}

function toEarlier(facts: EvidenceFacts, file: CaseFile): Evidence['earlier'] {
  const own = new Set(file.incidents.map((incident) => incident.incidentId));
  return facts.earlier
    .filter((row) => !own.has(row.incident_id) && row.created_at <= lastBegunAt(file))
    .map((row) => ({
      incidentId: row.incident_id,
      deviceId: row.correlation_key,
      category: row.category as IncidentCategory,
      status: row.status as IncidentStatus,
      resolution: row.resolution as Resolution | null,
      createdAtMs: row.created_at,
    }))
    .sort((a, b) => (a.incidentId < b.incidentId ? 1 : -1));
}

/** Incidents count as earlier when they had begun before the last one of the case did. */
function lastBegunAt(file: CaseFile): number {
  if (file.incidents.length === 0) return Number.MAX_SAFE_INTEGER;
  return Math.max(...file.incidents.map((incident) => incident.createdAtMs));
}

function toSameIndicatorFalse(facts: EvidenceFacts, file: CaseFile): string[] {
  const keys = new Set(indicatorKeysOf(file));
  const same = facts.falseAlarms.filter(({ event }) =>
    toCaseEvent(event, new FreeTexts()).event.keys.some((key) => keys.has(key)),
  );
  return [...new Set(same.map(({ incidentId }) => incidentId))].sort().reverse();
}

function findContradictions(file: CaseFile, past: readonly CaseEvent[]): Contradiction[] {
  const all = new Map([...past, ...file.events].map((event) => [event.eventId, event]));
  const harmful = findingsOf(file.events).filter(isHarmful);
  const byKey = new Map(harmful.flatMap(({ current }) => current.keys.map((key) => [key, current.eventId])));
  const allowed = findingsOf([...all.values()]).filter(
    // An allow that takes an earlier decision back is no contradiction: it says which of the two is right.
    ({ root, current }) => root.action === 'allow' && current.action === 'allow',
  );
  return allowed
    .flatMap(({ current }) => {
      const harmfulId = current.keys.map((key) => byKey.get(key)).find((id) => id !== undefined);
      return harmfulId === undefined ? [] : [{ allowId: current.eventId, harmfulId }];
    })
    .sort(by((contradiction) => contradiction.allowId))
    .slice(0, MOST_LISTED);
}
