import type { Client, Incident, Job } from '@tps/client';
import { SEVERITIES, THREAT_CATEGORIES } from '@tps/contract';
import type { Finding } from './check-results.ts';

const WITHIN_MS = 15_000;
const COMMENT = 'Read the report; the evidence bears it out';

export interface TriageResults {
  readonly incident: Incident;
  /** The report as the reviewer read it, Markdown. */
  readonly report: string;
  readonly findings: readonly Finding[];
}

/**
 * Has the gravest incident triaged, as an analyst would: starts a job, waits until it waits for a review, reads the
 * report, approves it, and looks where the incident is then. Nothing when there is no incident of a threat.
 */
export async function triageOne(
  client: Client,
  { incidents, signal }: { incidents: ReadonlyMap<string, Incident>; signal: AbortSignal },
): Promise<TriageResults | undefined> {
  const chosen = await chooseIncident(client, incidents);
  if (!chosen) return undefined;
  const { job_id } = await client.jobs.create({ workflow_id: 'incident_triage_v1', input_refs: [chosen.id] });
  const waitWith = { pollMs: 50, signal: AbortSignal.any([signal, AbortSignal.timeout(WITHIN_MS)]) };
  const waiting = await client.jobs.waitFor(job_id, waitWith);
  const beforeReview = await client.incidents.get(chosen.id);
  const { data: artifacts } = await client.jobs.artifacts(job_id).page();
  const report = artifacts.find(({ kind }) => kind === 'triage_report')?.content ?? '';
  await client.jobs.review(job_id, { decision: 'approve', comment: COMMENT });
  const ended = await client.jobs.waitFor(job_id, { ...waitWith, until: ['completed'] });
  const incident = await client.incidents.get(chosen.id);
  return {
    incident,
    report,
    findings: [
      judgeCourse({ waiting, ended, before: beforeReview, after: incident }),
      await judgeCitations(client, report),
    ],
  };
}

/** The gravest that no one has resolved, and among those the one with the most alerts. */
async function chooseIncident(
  client: Client,
  incidents: ReadonlyMap<string, Incident>,
): Promise<Incident | undefined> {
  const all = await Promise.all([...incidents.keys()].map((id) => client.incidents.get(id)));
  const ofThreats = all.filter(
    ({ category, status }) => status === 'open' && THREAT_CATEGORIES.some((threat) => threat === category),
  );
  const rank = ({ severity }: Incident) => SEVERITIES.indexOf(severity);
  return ofThreats.sort((a, b) => rank(b) - rank(a) || b.alert_ids.length - a.alert_ids.length)[0];
}

function judgeCourse(parts: { waiting: Job; ended: Job; before: Incident; after: Incident }): Finding {
  const { waiting, ended, before, after } = parts;
  const holds =
    waiting.status === 'waiting_review' &&
    ended.status === 'completed' &&
    before.status === 'open' &&
    after.status !== 'open';
  const moved = `${before.status} to ${after.status}${after.resolution === null ? '' : ` as ${after.resolution}`}`;
  return {
    holds,
    text: holds
      ? `A triage waited for review and was approved: its incident went from ${moved}.`
      : `A triage went from ${waiting.status} to ${ended.status}, its incident from ${moved}.`,
  };
}

/** Reads back everything the report names: what it says must rest on what is there. */
async function judgeCitations(client: Client, report: string): Promise<Finding> {
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
        ? `Its report cites ${cited.size} incidents, alerts, threats and events; each can be read back.`
        : `Its report cites what cannot be read back: ${missing.join(', ')}.`,
  };
}
