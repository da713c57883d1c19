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
 * Moves the incidents as was approved, in the reviewer's name. The review has asked `findApprovalObstacle` already: what is
 * refused here came in the milliseconds since, and ends the job with `incident_changed`.
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
      throw new StepFailureError('not_approved', 'Nobody has approved the recommendation');
    const recommendation = outputOf(context, 'draft_recommendation');
    const rows = await readRows(tx, tenantId, proposalsOf(context));
    for (const proposal of proposalsOf(context)) {
      const row = rows.get(proposal.incident_id);
      if (!row) throw new StepFailureError('input_missing', `${proposal.incident_id} is not there any more`);
      if (isDone(row, proposal)) continue;
      if (hasChanged(row, proposal))
        throw new StepFailureError('incident_changed', newEventsSentence(proposal));
      const refusal = illegalMove(row, proposal);
      if (refusal !== undefined) throw new StepFailureError('invalid_state_transition', refusal);
      const change = { ...proposal.change, comment: commentOf(recommendation, approval) };
      await changeIncident(tx, tenantId, proposal.incident_id, { change, request: approval.request, nowMs });
    }
  },
});

/** Says why an approval would come too late: the incidents are no longer those that were looked at. */
export async function findApprovalObstacle(
  queries: ReadQueries,
  context: Pick<RunContext, 'tenantId' | 'inputRefs' | 'outputs'>,
): Promise<string | undefined> {
  const proposals = proposalsOf(context);
  const rows = await readRows(queries, context.tenantId, proposals);
  for (const proposal of proposals) {
    const row = rows.get(proposal.incident_id);
    if (!row) return `The incident ${proposal.incident_id} is not there any more; cancel the job.`;
    if (isDone(row, proposal)) continue;
    if (hasChanged(row, proposal)) return newEventsSentence(proposal);
    const refusal = illegalMove(row, proposal);
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

/** Whether somebody has moved it there meanwhile: then there is nothing left to do. */
function isDone(row: IncidentRow, { change }: Proposal): boolean {
  return row.status === change?.status && row.resolution === (change.resolution ?? null);
}

/**
 * Whether events have come that the proposal does not know. Only a resolution closes anything: looking into an incident
 * is right with more events too, and while they keep coming nobody could approve it.
 */
function hasChanged(row: IncidentRow, { basis, change }: Proposal): boolean {
  if (change?.resolution === undefined) return false;
  const revision = row.version - row.changed_by_people;
  return revision !== basis.revision || toTimestamp(row.last_event_at) !== basis.last_event_at;
}

function newEventsSentence({ incident_id, basis }: Proposal): string {
  return `Events have joined ${incident_id} or were corrected since the evidence was collected (last event then: ${basis.last_event_at}); amend runs the triage again.`;
}

/** Without the comment of the approval: that would be enough to reopen what somebody has resolved meanwhile. */
function illegalMove(row: IncidentRow, proposal: Proposal): string | undefined {
  try {
    transition(row as IncidentState, proposal.change ?? {});
    return undefined;
  } catch (failure) {
    if (!(failure instanceof ServiceError)) throw failure;
    return `${proposal.incident_id} can no longer be moved as recommended: ${failure.message}. Amend runs the triage again.`;
  }
}

function commentOf({ verdict, score }: Recommendation, { comment }: Approval): string {
  const text = `Triage: ${VERDICT_WORDS[verdict].toLowerCase()} (${score} of 100), approved${comment === undefined ? '' : `: ${comment}`}`;
  return text.length <= MAX_COMMENT_LENGTH ? text : `${text.slice(0, MAX_COMMENT_LENGTH - 1)}…`;
}
