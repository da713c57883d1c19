import type { ReadQueries } from '../../../database/index.ts';
import { ServiceError } from '../../../platform/service-error.ts';
import type { TenantId } from '../../../platform/tenant-id.ts';
import { toTimestamp } from '../../../platform/time.ts';
import { changeIncident, transition } from '../../incidents/index.ts';
import {
  type Approval,
  type RunContext,
  StepFailureError,
  type StepResult,
  workflowStep,
} from '../../jobs/index.ts';
import { findIncidents, type IncidentRow } from '../case/case-read-model.ts';
import { outputOf } from '../outputs.ts';
import type { Proposal, Recommendation } from '../triage-results.ts';
import { VERDICT_WORDS } from '../verdict-words.ts';

const MAX_COMMENT_LENGTH = 4000;

type IncidentState = Pick<Parameters<typeof transition>[0], 'status' | 'resolution'>;

/**
 * Changes the incidents as approved, in the reviewer's name. The review has already called `findApprovalObstacle`: an
 * obstacle found here arose in the milliseconds since, and fails the job, for example with `incident_changed`.
 */
export const applyDecision = workflowStep<null>({
  type: 'apply_decision',
  gather: async () => null,
  run: (_, context): StepResult => ({
    output: { incident_ids: proposalsOf(context).map((proposal) => proposal.incident_id) },
    guardrail: 'not_applicable',
  }),
  async apply(tx, _, context) {
    const { approval, tenantId, nowMs } = context;
    if (approval === null)
      throw new StepFailureError('not_approved', 'The recommendation has not been approved');
    const recommendation = outputOf(context, 'draft_recommendation');
    const rows = await readRows(tx, tenantId, proposalsOf(context));
    for (const proposal of proposalsOf(context)) {
      const row = rows.get(proposal.incident_id);
      if (!row) throw new StepFailureError('input_missing', `${proposal.incident_id} no longer exists`);
      if (isDone(row, proposal)) continue;
      if (hasChanged(row, proposal))
        throw new StepFailureError('incident_changed', newEventsSentence(proposal));
      const refusal = findIllegalMove(row, proposal);
      if (refusal !== undefined) throw new StepFailureError('invalid_state_transition', refusal);
      const change = { ...proposal.change, comment: commentOf(recommendation, approval) };
      await changeIncident(tx, tenantId, proposal.incident_id, { change, request: approval.request, nowMs });
    }
  },
});

/** Returns why an approval comes too late: the incidents have changed since they were triaged. */
export async function findApprovalObstacle(
  queries: ReadQueries,
  context: Pick<RunContext, 'tenantId' | 'inputRefs' | 'outputs'>,
): Promise<string | undefined> {
  const proposals = proposalsOf(context);
  const rows = await readRows(queries, context.tenantId, proposals);
  for (const proposal of proposals) {
    const row = rows.get(proposal.incident_id);
    if (!row) return `The incident ${proposal.incident_id} no longer exists. Cancel the job.`;
    if (isDone(row, proposal)) continue;
    if (hasChanged(row, proposal)) return newEventsSentence(proposal);
    const refusal = findIllegalMove(row, proposal);
    if (refusal !== undefined) return refusal;
  }
  return undefined;
}

function proposalsOf(context: Pick<RunContext, 'outputs'>): Proposal[] {
  return outputOf(context, 'draft_recommendation').proposals.filter(({ change }) => change !== null);
}

async function readRows(
  queries: ReadQueries,
  tenantId: TenantId,
  proposals: readonly Proposal[],
): Promise<Map<string, IncidentRow>> {
  const incidentIds = proposals.map((proposal) => proposal.incident_id);
  const rows = await findIncidents(queries, tenantId, incidentIds);
  return new Map(rows.map((row) => [row.incident_id, row]));
}

/** Whether the incident is already in the proposed state. */
function isDone(row: IncidentRow, { change }: Proposal): boolean {
  return row.status === change?.status && row.resolution === (change.resolution ?? null);
}

/**
 * Whether events have arrived that the proposal does not cover. Only a resolution becomes outdated by them: an incident
 * can be moved to in_progress while events arrive.
 */
function hasChanged(row: IncidentRow, { basis, change }: Proposal): boolean {
  if (change?.resolution === undefined) return false;
  const revision = row.version - row.changed_by_people;
  return revision !== basis.revision || toTimestamp(row.last_event_at) !== basis.last_event_at;
}

function newEventsSentence({ incident_id, basis }: Proposal): string {
  return `Events have joined ${incident_id} or were corrected since the evidence was collected (last event then: ${basis.last_event_at}). Use amend to run the triage again.`;
}

/** Checks the change without the approval's comment, because a comment is enough to reopen a resolved incident. */
function findIllegalMove(row: IncidentRow, proposal: Proposal): string | undefined {
  try {
    transition(row as IncidentState, proposal.change ?? {});
    return undefined;
  } catch (failure) {
    if (!(failure instanceof ServiceError)) throw failure;
    return `${proposal.incident_id} can no longer be changed as recommended: ${failure.message}. Use amend to run the triage again.`;
  }
}

function commentOf({ verdict, score }: Recommendation, { comment }: Approval): string {
  const text = `Triage: ${VERDICT_WORDS[verdict].toLowerCase()} (${score} of 100), approved${comment === undefined ? '' : `: ${comment}`}`;
  return text.length <= MAX_COMMENT_LENGTH ? text : `${text.slice(0, MAX_COMMENT_LENGTH - 1)}…`;
}
