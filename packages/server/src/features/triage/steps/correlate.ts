import type { IncidentStatus, Resolution, Severity } from '@tps/contract';
import type { ReadQueries } from '../../../database/index.ts';
import type { TenantId } from '../../../platform/tenant-id.ts';
import { type StepResult, workflowStep } from '../../jobs/index.ts';
import { isHarmful, toObservations } from '../case/case-event.ts';
import type { CaseFile } from '../case/case-file.ts';
import type { Evidence } from '../case/evidence.ts';
import * as evidenceReadModel from '../case/evidence-read-model.ts';
import { DAY_MS, indicatorKeysOf, lookupEnd } from '../case/gather-evidence.ts';
import { by } from '../case/order.ts';
import { outputOf } from '../outputs.ts';
import type { Correlation } from '../triage-results.ts';

const MAX_CAMPAIGNS = 50;
const CAMPAIGN_DAYS = 7;
const HOUR_MS = 60 * 60_000;
const BURST_MINUTES = 15;

interface CampaignFacts {
  readonly incidents: Awaited<ReturnType<typeof evidenceReadModel.listIncidentsAbout>>;
  readonly devices: Map<string, number>;
}

/** Finds the campaigns that the case belongs to, its duration, its spread and its rate. */
export const correlate = workflowStep<CampaignFacts>({
  type: 'correlate',
  gather: (queries, context) =>
    gatherCampaigns(queries, context.tenantId, {
      file: outputOf(context, 'load_inputs'),
      evidence: outputOf(context, 'collect_evidence'),
    }),
  run(facts, context): StepResult {
    const file = outputOf(context, 'load_inputs');
    return {
      output: toCorrelation(facts, { file, evidence: outputOf(context, 'collect_evidence') }),
      guardrail: 'not_applicable',
    };
  },
});

async function gatherCampaigns(
  queries: ReadQueries,
  tenantId: TenantId,
  { file, evidence }: { file: CaseFile; evidence: Evidence },
): Promise<CampaignFacts> {
  const keys = new Set([...indicatorKeysOf(file), ...evidence.historyKeys]);
  const found = await evidenceReadModel.listIncidentsAbout(queries, tenantId, {
    correlationKeys: [...keys],
    untilMs: lookupEnd(file),
    limit: MAX_CAMPAIGNS,
  });
  const fromMs = file.fromMs - CAMPAIGN_DAYS * DAY_MS;
  const incidents = found.filter((row) => row.category === 'campaign' && row.last_event_at >= fromMs);
  const incidentIds = incidents.map((row) => row.incident_id);
  return { incidents, devices: await evidenceReadModel.countDevices(queries, tenantId, incidentIds) };
}

function toCorrelation(
  { incidents, devices }: CampaignFacts,
  { file, evidence }: { file: CaseFile; evidence: Evidence },
): Correlation {
  const harmful = toObservations(file.events).filter(isHarmful);
  const related = evidence.histories.flatMap((history) => history.related);
  const times = [...harmful.map(({ root }) => root.atMs), ...related.map(({ atMs }) => atMs)].sort(
    (a, b) => a - b,
  );
  const own = new Set(indicatorKeysOf(file));
  const platforms = [...file.devices, ...evidence.others].flatMap(({ platform }) => platform ?? []);
  const first = times[0] ?? null;
  const last = times.at(-1) ?? null;
  const hours = first === null || last === null ? 0 : Math.max(1, (last - first) / HOUR_MS);
  return {
    campaigns: incidents
      .map((row) => ({
        incidentId: row.incident_id,
        status: row.status as IncidentStatus,
        resolution: row.resolution as Resolution | null,
        severity: row.severity as Severity,
        devices: devices.get(row.incident_id) ?? 0,
        sharesIndicator: own.has(row.correlation_key),
      }))
      .sort(by((campaign) => campaign.incidentId)),
    firstSeenMs: first,
    lastSeenMs: last,
    devices: new Set(harmful.map(({ current }) => current.deviceId)).size,
    otherDevices: evidence.otherCount,
    platforms: [...new Set(platforms)].sort(),
    harmful: harmful.length,
    related: evidence.histories.reduce((sum, history) => sum + history.relatedCount, 0),
    perHour: hours === 0 ? 0 : Math.round((times.length / hours) * 10) / 10,
    burst: burstOf(times, BURST_MINUTES * 60_000),
  };
}

/** Returns the highest number of times within one window. `times` must be ascending. */
function burstOf(times: readonly number[], windowMs: number): number {
  let max = 0;
  let start = 0;
  for (const [end, time] of times.entries()) {
    while (time - (times[start] ?? time) > windowMs) start += 1;
    max = Math.max(max, end - start + 1);
  }
  return max;
}
