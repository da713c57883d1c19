import type { AdmittedRequest } from '../../../platform/http/route.ts';
import { toRefusal } from '../../../platform/service-error.ts';
import type { TenantId } from '../../../platform/tenant-id.ts';
import type { RequestDatabase } from '../../authority/index.ts';
import type { DerivationSettings } from '../derive/derivation-settings.ts';
import { appendEvents } from './append-events.ts';
import { type StorableSubmission, toStorable } from './storable-event.ts';
import type { Submission, SubmissionOutcome } from './submission.ts';

/** What one transaction stored. Plain data, because it is sent between threads. */
export interface AppendedGroup {
  /** The outcome of each submission, in order. */
  readonly outcomes: SubmissionOutcome[];
  /** The webhooks for which deliveries were stored, by tenant. */
  readonly due: [TenantId, string[]][];
}

/** Appends submissions in one transaction, tenant by tenant. Those whose credential has ended are refused. */
export function appendGroup(
  submissions: readonly Submission[],
  { database, nowMs, settings }: { database: RequestDatabase; nowMs: number; settings: DerivationSettings },
): Promise<AppendedGroup> {
  const group = submissions.map((submission) => ({ ...submission, storable: toStorable(submission) }));
  const requests = submissions.map(({ request }) => request);
  return database.groupTransaction(requests, async (tx, refusalOf) => {
    const outcomes = new Map<StorableSubmission, SubmissionOutcome>();
    const admitted: typeof group = [];
    for (const submission of group) {
      const refusal = refusalOf(submission.request);
      if (refusal) outcomes.set(submission.storable, { kind: 'refused', error: toRefusal(refusal) });
      else admitted.push(submission);
    }
    const due: [TenantId, string[]][] = [];
    for (const [tenantId, ofTenant] of byTenant(admitted)) {
      const result = await appendEvents(tx, tenantId, {
        submissions: ofTenant,
        nowMs,
        settings,
      });
      for (const [submission, outcome] of result.outcomes) outcomes.set(submission, outcome);
      due.push([tenantId, result.webhookIds]);
    }
    return { outcomes: group.map(({ storable }) => outcomeOf(storable, outcomes)), due };
  });
}

function outcomeOf(
  submission: StorableSubmission,
  outcomes: ReadonlyMap<StorableSubmission, SubmissionOutcome>,
): SubmissionOutcome {
  const outcome = outcomes.get(submission);
  if (!outcome) throw new Error('a submission has no outcome');
  return outcome;
}

/** Sorted by tenant, so that two nodes that write for the same tenants take their locks in the same order. */
function byTenant(
  submissions: readonly { request: AdmittedRequest; storable: StorableSubmission }[],
): [TenantId, StorableSubmission[]][] {
  const groups = new Map<TenantId, StorableSubmission[]>();
  for (const { request, storable } of submissions) {
    const group = groups.get(request.tenantId);
    if (group) group.push(storable);
    else groups.set(request.tenantId, [storable]);
  }
  return [...groups].sort(([a], [b]) => (a < b ? -1 : 1));
}
