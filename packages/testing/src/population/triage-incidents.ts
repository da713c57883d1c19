import type { Client, Incident, IncidentChange } from '@tps/client';
import type { Dice } from './random.ts';
import { COMMENTS } from './texts.ts';

const WORKFLOW = 'incident_triage_v1';
const RESOLUTIONS = [
  'true_positive',
  'false_positive',
  'benign_expected',
  'duplicate',
  'inconclusive',
] as const;
const JOB_WAIT_MS = 60_000;

/** A person who works on incidents. */
export interface Analyst {
  readonly accountId: string;
  readonly client: Client;
}

/** Works on the incidents that are open, as an analyst would on one day. The newest stay as they are. */
export async function workOnIncidents(
  { accountId, client }: Analyst,
  { dice, keepOpen, pause }: { dice: Dice; keepOpen: number; pause: () => void },
): Promise<void> {
  const open: Incident[] = [];
  for await (const incident of client.incidents.list({ status: 'open' })) open.push(incident);
  for (const { id } of open.slice(keepOpen)) {
    for (const change of planChanges(dice, accountId)) {
      pause();
      await client.incidents.update(id, change);
    }
  }
}

/** Takes an incident over, and then resolves it, closes it, lets it wait, or is not done yet. */
function planChanges(dice: Dice, assignee: string): IncidentChange[] {
  const comment = () => dice.pick(COMMENTS);
  const start: IncidentChange = {
    status: 'in_progress',
    assignee,
    tags: [dice.pick(TAGS)],
    comment: comment(),
  };
  const chance = dice.next();
  if (chance < 0.15) return [{ status: 'closed', resolution: 'false_positive', comment: comment() }];
  if (chance < 0.25) return [start];
  if (chance < 0.35) return [start, { status: 'on_hold', comment: comment() }];
  const resolved: IncidentChange = {
    status: 'resolved',
    resolution: dice.pick(RESOLUTIONS),
    comment: comment(),
  };
  return chance < 0.7 ? [start, resolved] : [start, resolved, { status: 'closed' }];
}

const TAGS = ['campaign', 'accounting', 'needs-call', 'vip', 'night shift'] as const;

/** Lets jobs triage the newest open incidents: some are approved, one is rejected, one cancelled, and some wait. */
export async function triageIncidents(analysts: readonly Analyst[], waiting: number): Promise<void> {
  const [first, second = first] = analysts;
  if (first === undefined || second === undefined) return;
  const { data } = await first.client.incidents.list({ status: 'open', limit: waiting + 4 }).page();
  const ids = data.map(({ id }) => id);
  const jobs: string[] = [];
  for (const id of ids) {
    const { job_id } = await first.client.jobs.create({ workflow_id: WORKFLOW, input_refs: [id] });
    const signal = AbortSignal.timeout(JOB_WAIT_MS);
    await first.client.jobs.waitFor(job_id, { pollMs: 20, signal });
    jobs.push(job_id);
  }
  const [approved, alsoApproved, rejected, cancelled] = jobs;
  const review = second.client.jobs.review;
  if (approved)
    await review(approved, { decision: 'approve', comment: 'Read the report; the evidence supports it' });
  if (alsoApproved) await review(alsoApproved, { decision: 'approve' });
  if (rejected)
    await review(rejected, { decision: 'reject', comment: 'The device belongs to our own test lab' });
  if (cancelled) await second.client.jobs.cancel(cancelled, { comment: 'Handled by telephone' });
}
