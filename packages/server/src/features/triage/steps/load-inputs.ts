import {
  type DeviceStatus,
  type IncidentCategory,
  type IncidentStatus,
  MAX_INPUT_REFS,
  type Platform,
  type Resolution,
  type ScanResult,
  type Severity,
} from '@tps/contract';
import type { Steps } from '../../../platform/concurrency/fair-turns.ts';
import { parseTimestamp } from '../../../platform/time.ts';
import { StepFailureError, type StepResult, workflowStep } from '../../jobs/index.ts';
import { knownThreatOf } from '../../scan/index.ts';
import { isForeign, toCaseEvent } from '../case/case-event.ts';
import type { CaseDevice, CaseEvent, CaseFile, CaseIncident, CaseScan, Cut } from '../case/case-file.ts';
import { MAX_MEMBERS } from '../case/case-file.ts';
import type { IncidentRow } from '../case/case-read-model.ts';
import { FreeTexts } from '../case/free-text.ts';
import { gatherInputs, type InputFacts } from '../case/gather-inputs.ts';
import { by, groupBy } from '../case/order.ts';

const MAX_MESSAGE_LENGTH = 300;

/** Loads the case: the inputs and everything that belongs to them. */
export const loadInputs = workflowStep<InputFacts>({
  type: 'load_inputs',
  gather: (queries, { tenantId, inputRefs }) =>
    gatherInputs(queries, tenantId, inputRefs.slice(0, MAX_INPUT_REFS)),
  *run(facts, { tenantId, inputRefs }): Steps<StepResult> {
    requireInputs(facts, inputRefs);
    return { output: yield* toCaseFile(facts, { tenantId, inputRefs }), guardrail: 'not_applicable' };
  },
});

/** @throws StepFailureError `input_missing` that names the inputs deleted since the job was created */
function requireInputs(facts: InputFacts, inputRefs: readonly string[]): void {
  const found = new Set([
    ...facts.incidents.map((incident) => incident.incident_id),
    ...facts.alerts.map((alert) => alert.alert_id),
    ...facts.threats.map((threat) => threat.threatId),
    ...facts.events.map((event) => event.event_id),
    ...facts.scans.map((scan) => scan.scan_id),
  ]);
  const missing = inputRefs.slice(0, MAX_INPUT_REFS).filter((ref) => !found.has(ref));
  if (missing.length > 0)
    throw new StepFailureError('input_missing', `These inputs no longer exist: ${missing.join(', ')}`);
}

function* toCaseFile(
  facts: InputFacts,
  { tenantId, inputRefs }: { tenantId: string; inputRefs: readonly string[] },
): Steps<CaseFile> {
  const texts = new FreeTexts();
  const cuts: Cut[] = [...facts.cuts];
  const incidents = facts.incidents
    .map((row) => toIncident(row, facts, texts))
    .sort(by((incident) => incident.incidentId));
  const scans = facts.scans.map((scan) => toScan(scan, texts)).sort(by((scan) => scan.scanId));
  // Devices before events and in a fixed order, because earlier texts can use up the limit on texts.
  const devices = [...facts.devices].sort(by((row) => row.device_id)).map((row) => toDevice(row, texts));
  yield;
  const { events, foreignRefs } = yield* toEvents(facts, { tenantId, inputRefs, texts, cuts });
  if (texts.skipped() > 0)
    cuts.push({ what: 'texts', kept: texts.shown(), of: texts.shown() + texts.skipped(), isDetail: true });
  const threats = facts.threats
    .map(({ description: _, indicators: __, ...threat }) => threat)
    .sort(by((threat) => threat.threatId));
  const times = [
    ...events.map((event) => event.atMs),
    ...threats.flatMap((threat) => [threat.detectedAtMs, threat.lastSeenAtMs]),
    ...incidents.map((incident) => incident.lastEventAtMs),
    ...scans.map((scan) => scan.scannedAtMs),
  ];
  return {
    inputRefs: [...new Set(inputRefs)].sort(),
    incidents,
    alerts: facts.alerts
      .map((row) => ({
        alertId: row.alert_id,
        incidentId: row.incident_id,
        threatId: row.threat_id,
        deviceId: row.device_id,
      }))
      .sort(by((alert) => alert.alertId)),
    threats,
    events,
    devices,
    scans,
    fromMs: Math.min(...times),
    toMs: Math.max(...times),
    cuts: cuts.sort(by((cut) => cut.what)),
    redactedRefs: texts.redactedRefs(),
    foreignRefs,
  };
}

/** Keeps the newest root events, named ones first, each with its newest correction. */
function* toEvents(
  facts: InputFacts,
  parts: { tenantId: string; inputRefs: readonly string[]; texts: FreeTexts; cuts: Cut[] },
): Steps<{ events: CaseEvent[]; foreignRefs: string[] }> {
  const { tenantId, inputRefs, texts, cuts } = parts;
  const groups = groupBy(facts.events, (row) => row.corrects_event_id ?? row.event_id);
  const isNamed = (rows: InputFacts['events']) => rows.some((row) => inputRefs.includes(row.event_id));
  const newest = (rows: InputFacts['events']) => Math.max(...rows.map((row) => row.position));
  const ranked = [...groups.values()].sort(
    (a, b) => Number(isNamed(b)) - Number(isNamed(a)) || newest(b) - newest(a),
  );
  if (ranked.length > MAX_MEMBERS) cuts.push({ what: 'events', kept: MAX_MEMBERS, of: ranked.length });
  const kept = ranked.slice(0, MAX_MEMBERS).flatMap((rows) => {
    const inOrder = [...rows].sort((a, b) => a.position - b.position);
    return inOrder.length > 2 ? [inOrder[0], inOrder.at(-1)] : inOrder;
  });
  const rows = kept.flatMap((row) => row ?? []);
  const events: CaseEvent[] = [];
  for (const row of rows) {
    events.push(toCaseEvent(row, texts));
    yield;
  }
  return {
    events: events.sort((a, b) => a.atMs - b.atMs || a.position - b.position),
    foreignRefs: rows.flatMap((row) => (isForeign(row, tenantId) ? [row.event_id] : [])).sort(),
  };
}

function toIncident(row: IncidentRow, { members }: InputFacts, texts: FreeTexts): CaseIncident {
  const own = members.filter(({ incidentId }) => incidentId === row.incident_id);
  const ofKind = (prefix: string) =>
    own.flatMap(({ memberId }) => (memberId.startsWith(prefix) ? [memberId] : [])).sort();
  return {
    incidentId: row.incident_id,
    category: row.category as IncidentCategory,
    severity: row.severity as Severity,
    status: row.status as IncidentStatus,
    resolution: row.resolution as Resolution | null,
    message: texts.take(row.incident_id, row.message, MAX_MESSAGE_LENGTH),
    correlationKey: row.correlation_key,
    createdAtMs: row.created_at,
    lastEventAtMs: row.last_event_at,
    revision: row.version - row.changed_by_people,
    deviceIds: ofKind('dev_'),
    threatIds: ofKind('thr_'),
  };
}

function toDevice(row: InputFacts['devices'][number], texts: FreeTexts): CaseDevice {
  return {
    deviceId: row.device_id,
    name: texts.takeOptional(row.device_id, row.name, 80),
    platform: row.platform as Platform,
    status: row.status as DeviceStatus,
    agentVersion: toVersion(row, texts),
    revokedAtMs: row.revoked_at,
  };
}

function toScan(scan: ScanResult, texts: FreeTexts): CaseScan {
  const known = scan.findings.map(knownThreatOf);
  const knownThreatIds = known.flatMap((threatId) => threatId ?? []);
  return {
    scanId: scan.scan_id,
    status: scan.status,
    verdict: scan.verdict,
    threatType: texts.take(scan.scan_id, scan.threat_type, 80),
    category: scan.threat_category,
    confidence: scan.confidence,
    details: texts.take(scan.scan_id, scan.details, MAX_MESSAGE_LENGTH),
    scannedAtMs: parseTimestamp(scan.scanned_at) ?? 0,
    knownThreatIds: known.length > 0 && knownThreatIds.length === known.length ? knownThreatIds : null,
  };
}

/** A version with four numbers would be redacted as an IP address. */
function toVersion({ device_id, agent_version }: InputFacts['devices'][number], texts: FreeTexts) {
  const isPlain = agent_version !== null && /^[0-9]{1,6}(?:\.[0-9]{1,6}){1,3}$/.test(agent_version);
  return isPlain ? agent_version : texts.takeOptional(device_id, agent_version, 64);
}
