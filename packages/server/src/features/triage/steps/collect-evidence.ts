import type { Action, IncidentCategory, IncidentStatus, Platform, Resolution } from '@tps/contract';
import type { Steps } from '../../../platform/concurrency/fair-turns.ts';
import { type StepResult, workflowStep } from '../../jobs/index.ts';
import {
  isBroken,
  isForeign,
  isHarmful,
  isWithdrawn,
  toCaseEvent,
  toObservations,
} from '../case/case-event.ts';
import type { CaseEvent, CaseFile, Cut } from '../case/case-file.ts';
import type {
  Contradiction,
  DeviceHistory,
  Evidence,
  OtherDevice,
  PolicyEvidence,
} from '../case/evidence.ts';
import { FreeTexts } from '../case/free-text.ts';
import {
  type EvidenceFacts,
  gatherEvidence,
  indicatorKeysOf,
  lookupEnd,
  MAX_KEYS,
  MAX_OTHER_DEVICES,
} from '../case/gather-evidence.ts';
import { by, countBy, groupBy } from '../case/order.ts';
import { outputOf } from '../outputs.ts';

const MAX_LISTED = 20;
const MAX_HISTORY_KEYS = 300;

/** Collects the context: other events of the devices, other devices with the same indicators, policies and history. */
export const collectEvidence = workflowStep<EvidenceFacts>({
  type: 'collect_evidence',
  gather: (queries, context) => gatherEvidence(queries, context.tenantId, outputOf(context, 'load_inputs')),
  *run(facts, context): Steps<StepResult> {
    const file = outputOf(context, 'load_inputs');
    return { output: yield* toEvidence(facts, file, context.tenantId), guardrail: 'not_applicable' };
  },
});

function* toEvidence(facts: EvidenceFacts, file: CaseFile, tenantId: string): Steps<Evidence> {
  const texts = new FreeTexts();
  // Built only once: a case can name tens of thousands of indicators.
  const keys = new Set(indicatorKeysOf(file));
  const past: CaseEvent[] = [];
  const histories: DeviceHistory[] = [];
  for (const { deviceId, rows, isCut } of facts.histories) {
    yield;
    const events = rows.map((row) => toCaseEvent(row));
    past.push(...events);
    histories.push(toHistory(deviceId, events, { file, keys, isCut }));
  }
  yield;
  const others = toOtherDevices(facts, { file, keys });
  yield;
  return {
    histories: histories.sort(by((history) => history.deviceId)),
    others: others.slice(0, MAX_OTHER_DEVICES),
    otherCount: others.length,
    policies: toPolicies(facts, { file, texts }),
    earlier: toEarlier(facts, file),
    sameIndicatorFalse: toSameIndicatorFalse(facts, keys),
    withdrawnElsewhere: findWithdrawnElsewhere(facts, file),
    isLookupCut: facts.isSightingsCut || facts.skippedKeys > 0,
    contradictions: findContradictions(file, past),
    historyKeys: newestKeys(past),
    cuts: toCuts(facts),
    redactedRefs: texts.redactedRefs(),
    foreignRefs: facts.histories
      .flatMap(({ rows }) => rows)
      .flatMap((row) => (isForeign(row, tenantId) ? [row.event_id] : []))
      .sort(),
  };
}

function toCuts({ histories, skippedDevices, isSightingsCut, sightings, skippedKeys }: EvidenceFacts): Cut[] {
  const looked = histories.length;
  return [
    ...(skippedDevices > 0 ? [{ what: 'device histories', kept: looked, of: looked + skippedDevices }] : []),
    ...(isSightingsCut
      ? [{ what: 'sightings of the indicators', kept: sightings.length, of: sightings.length + 1 }]
      : []),
    ...(skippedKeys > 0 ? [{ what: 'indicators', kept: MAX_KEYS, of: MAX_KEYS + skippedKeys }] : []),
  ];
}

function toHistory(
  deviceId: string,
  events: readonly CaseEvent[],
  { file, keys, isCut }: { file: CaseFile; keys: ReadonlySet<string>; isCut: boolean },
): DeviceHistory {
  const own = new Set(file.events.map((event) => event.eventId));
  const categories = new Set(file.events.map((event) => event.category));
  const newestFirst = [...events].sort((a, b) => b.position - a.position);
  const count = (action: Action) => events.filter((event) => event.action === action).length;
  const related = toObservations(newestFirst)
    .filter((observation) => isHarmful(observation) && !own.has(observation.root.eventId))
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
      .slice(0, MAX_LISTED),
    related: related.slice(0, MAX_LISTED),
    relatedCount: related.length,
  };
}

function toOtherDevices(
  facts: EvidenceFacts,
  { file, keys }: { file: CaseFile; keys: ReadonlySet<string> },
): OtherDevice[] {
  const own = new Set(file.devices.map((device) => device.deviceId));
  const platforms = new Map(
    facts.otherDevices.map((device) => [device.device_id, device.platform as Platform]),
  );
  const read = facts.otherEvents.map((row) => toCaseEvent(row));
  const same = toObservations(read).filter(({ current }) => current.keys.some((key) => keys.has(key)));
  const counts = countBy(same, ({ current }) => `${current.action} ${current.deviceId}`);
  const countOf = (deviceId: string, action: Action) => counts.get(`${action} ${deviceId}`) ?? 0;
  const harmful = groupBy(same.filter(isHarmful), ({ current }) => current.deviceId);
  const untilMs = lookupEnd(file);
  const elsewhere = facts.sightings.filter((sighting) => !own.has(sighting.device_id));
  return [...groupBy(elsewhere, (sighting) => sighting.device_id)]
    .map(([deviceId, seen]) => {
      // A sighting has only its newest time; if that is after the end of the case, an earlier one may be hidden.
      const inTime = seen.filter((sighting) => sighting.last_seen_at <= untilMs);
      const decided = (harmful.get(deviceId) ?? []).map(({ current }) => current);
      const keysSeen = [
        ...inTime.map((sighting) => sighting.correlation_key),
        ...decided.flatMap((event) => event.keys.filter((key) => keys.has(key))),
      ];
      const threatIds = [
        ...inTime.map((sighting) => sighting.threat_id),
        ...decided.flatMap((event) => event.threatId ?? []),
      ];
      return {
        deviceId,
        platform: platforms.get(deviceId) ?? null,
        indicators: new Set(keysSeen).size,
        lastSeenAtMs: Math.max(
          0,
          ...inTime.map((sighting) => sighting.last_seen_at),
          ...decided.map((event) => event.atMs),
        ),
        threatIds: [...new Set(threatIds)].sort().slice(-MAX_LISTED),
        blocked: countOf(deviceId, 'block'),
        warned: countOf(deviceId, 'warn'),
      };
    })
    .filter(({ indicators }) => indicators > 0)
    .sort((a, b) => b.lastSeenAtMs - a.lastSeenAtMs || (a.deviceId < b.deviceId ? -1 : 1));
}

/**
 * Finds the devices on which an indicator is still active that was corrected to allow in the case. A device that has
 * corrected its own event no longer has the sighting.
 */
function findWithdrawnElsewhere(facts: EvidenceFacts, file: CaseFile): string[] {
  const taken = toObservations(file.events).filter(isWithdrawn);
  const keys = new Set(taken.flatMap(({ root, current }) => [...root.keys, ...current.keys]));
  const standing = facts.sightings.filter((sighting) => keys.has(sighting.correlation_key));
  return [...new Set(standing.map((sighting) => sighting.device_id))].sort();
}

function toPolicies(
  facts: EvidenceFacts,
  { file, texts }: { file: CaseFile; texts: FreeTexts },
): PolicyEvidence[] {
  const known = new Map(facts.policies.map((policy) => [policy.policy_id, policy]));
  const resolved = groupBy(facts.precedents, ({ event }) => event.policy_id);
  return [...countBy(file.events, (event) => event.policyId)]
    .map(([policyId, events]): PolicyEvidence => {
      const row = known.get(policyId);
      const idsOf = (wanted: boolean) => {
        const own = (resolved.get(policyId) ?? []).filter(({ isFalse }) => isFalse === wanted);
        return [...new Set(own.map(({ incidentId }) => incidentId))].sort().reverse();
      };
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
              updatedAtMs: row.updated_at,
            }
          : null,
        events,
        falseIncidents: idsOf(true),
        trueIncidents: idsOf(false),
      };
    })
    .sort(by((policy) => policy.policyId));
}

function toEarlier(facts: EvidenceFacts, file: CaseFile): Evidence['earlier'] {
  const own = new Set(file.incidents.map((incident) => incident.incidentId));
  return facts.earlier
    .filter((row) => !own.has(row.incident_id) && row.created_at <= lastOpenedAt(file))
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

/** Earlier incidents are those opened before the last one of the case. */
function lastOpenedAt(file: CaseFile): number {
  if (file.incidents.length === 0) return Number.MAX_SAFE_INTEGER;
  return Math.max(...file.incidents.map((incident) => incident.createdAtMs));
}

/** Requires several devices: anyone who holds a single one could otherwise clear an indicator for the whole tenant. */
function toSameIndicatorFalse(facts: EvidenceFacts, keys: ReadonlySet<string>): string[] {
  const same = facts.precedents.filter(
    (each) => each.isFalse && !each.isWithdrawn && each.event.keys.some((key) => keys.has(key)),
  );
  if (new Set(same.map(({ event }) => event.device_id)).size < 2) return [];
  return [...new Set(same.map(({ incidentId }) => incidentId))].sort().reverse();
}

/** Collects keys from the newest events up to a limit: sorting all keys of 2000 events takes 0.2 s. */
function newestKeys(past: readonly CaseEvent[]): string[] {
  const keys = new Set<string>();
  for (const event of [...past].sort((a, b) => b.position - a.position)) {
    if (keys.size >= MAX_HISTORY_KEYS) break;
    for (const key of event.keys) keys.add(key);
  }
  return [...keys].slice(0, MAX_HISTORY_KEYS).sort();
}

function findContradictions(file: CaseFile, past: readonly CaseEvent[]): Contradiction[] {
  const all = new Map([...past, ...file.events].map((event) => [event.eventId, event]));
  const harmful = toObservations(file.events).filter(isHarmful);
  const byKey = new Map(harmful.flatMap(({ current }) => current.keys.map((key) => [key, current.eventId])));
  const allowed = toObservations([...all.values()]).filter(
    // A correction to allow does not contradict the earlier decision: it replaces it.
    ({ root, current }) => root.action === 'allow' && current.action === 'allow',
  );
  return allowed
    .flatMap(({ current }) => {
      const harmfulId = current.keys.map((key) => byKey.get(key)).find((id) => id !== undefined);
      return harmfulId === undefined ? [] : [{ allowId: current.eventId, harmfulId }];
    })
    .sort(by((contradiction) => contradiction.allowId))
    .slice(0, MAX_LISTED);
}
