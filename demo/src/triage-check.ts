import type { Client, Incident, Job } from '@tps/client';
import { SEVERITIES, THREAT_CATEGORIES } from '@tps/contract';
import type { Check } from './check-results.ts';

const WAIT_MS = 15_000;
const COMMENT = 'Read the report; the evidence supports it';

export interface TriageResults {
  readonly incident: Incident;
  /** The report as the reviewer read it: Markdown. */
  readonly report: string;
  readonly checks: readonly Check[];
}

/**
 * Triages the incident with the highest severity, as an analyst would: starts a job, waits for it to ask for a review,
 * reads the report and approves it. Returns undefined when no threat has led to an incident.
 */
export async function triageOne(
  client: Client,
  { incidentIds, signal }: { incidentIds: readonly string[]; signal: AbortSignal },
): Promise<TriageResults | undefined> {
  const before = await chooseIncident(client, incidentIds);
  if (!before) return undefined;
  const { job_id } = await client.jobs.create({ workflow_id: 'incident_triage_v1', input_refs: [before.id] });
  const waitOptions = { pollMs: 50, signal: AbortSignal.any([signal, AbortSignal.timeout(WAIT_MS)]) };
  const waiting = await client.jobs.waitFor(job_id, waitOptions);
  const untouched = await client.incidents.get(before.id);
  const { data: artifacts } = await client.jobs.artifacts(job_id).page();
  const report = artifacts.find(({ kind }) => kind === 'triage_report')?.content ?? '';
  await client.jobs.review(job_id, { decision: 'approve', comment: COMMENT });
  const ended = await client.jobs.waitFor(job_id, { ...waitOptions, until: ['completed'] });
  const incident = await client.incidents.get(before.id);
  const checks = [
    checkReview({ waiting, ended, before: untouched, after: incident }),
    await checkCitations(client, report),
  ];
  return { incident, report, checks };
}

/** The open incident of a threat with the highest severity; among those, the one with the most alerts. */
async function chooseIncident(client: Client, ids: readonly string[]): Promise<Incident | undefined> {
  const incidents = await Promise.all(ids.map((id) => client.incidents.get(id)));
  const candidates = incidents.filter(
    ({ category, status }) => status === 'open' && THREAT_CATEGORIES.some((threat) => threat === category),
  );
  const rank = ({ severity }: Incident) => SEVERITIES.indexOf(severity);
  return candidates.sort((a, b) => rank(b) - rank(a) || b.alert_ids.length - a.alert_ids.length)[0];
}

function checkReview(parts: { waiting: Job; ended: Job; before: Incident; after: Incident }): Check {
  const { waiting, ended, before, after } = parts;
  const holds =
    waiting.status === 'waiting_review' &&
    ended.status === 'completed' &&
    before.status === 'open' &&
    after.status !== 'open';
  const change = `${before.status} to ${after.status}${after.resolution === null ? '' : ` as ${after.resolution}`}`;
  return {
    holds,
    text: holds
      ? `A triage job waited for review and was approved: its incident went from ${change}.`
      : `A triage job went from ${waiting.status} to ${ended.status}, its incident from ${change}.`,
  };
}

/** Reads everything that the report cites. */
async function checkCitations(client: Client, report: string): Promise<Check> {
  const cited = new Set(report.match(/\b(?:inc|alr|thr|evt)_[A-Za-z0-9_-]*[A-Za-z0-9]/g));
  const nouns = { inc: 'incidents', alr: 'alerts', thr: 'threats', evt: 'events' } as const;
  const missing: string[] = [];
  for (const id of cited) {
    const noun = nouns[id.slice(0, 3) as keyof typeof nouns];
    await client[noun].get(id).catch(() => missing.push(id));
  }
  return {
    holds: cited.size > 0 && missing.length === 0,
    text:
      missing.length === 0
        ? `Its report cites ${cited.size} incidents, alerts, threats and events; the service returns each of them.`
        : `Its report cites what the service does not return: ${missing.join(', ')}.`,
  };
}
