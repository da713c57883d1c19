import { type ArtifactKind, STEP_TYPES, type StepType, TRIAGE_WORKFLOW } from '@tps/contract';
import { createId } from '../../../../platform/identifiers.ts';
import { incidentStore } from '../../../incidents/index.ts';
import { type ArtifactDraft, type Workflow, type WorkflowStep, workflowStep } from '../workflow.ts';

export const OWN_STEPS = STEP_TYPES.filter((type) => type !== 'review_gate' && type !== 'review_decision');

/** What a test makes a step do. Each may be set and changed while the workflow runs. */
export interface StepScript {
  /** Awaited before the facts are there. */
  gather?: () => Promise<void>;
  run?: () => void;
  apply?: () => void;
}

export interface RecordingWorkflow {
  readonly workflow: Workflow;
  /** Every step that was begun, in order. */
  readonly begun: StepType[];
  readonly scripts: Partial<Record<StepType, StepScript>>;
  /** Refuses approvals with this sentence. */
  obstacle: string | undefined;
}

/**
 * Makes a workflow that thinks nothing and leaves a mark: each step adds an entry to the timeline of the first input,
 * in the transaction that records it, so that it can be counted how often it took effect.
 */
export function recordingWorkflow(): RecordingWorkflow {
  const begun: StepType[] = [];
  const scripts: Partial<Record<StepType, StepScript>> = {};
  const recording: RecordingWorkflow = {
    begun,
    scripts,
    obstacle: undefined,
    workflow: {
      id: TRIAGE_WORKFLOW,
      steps: OWN_STEPS.map((type) => recordingStep(type, { begun, scripts })),
      refuseApproval: async () => recording.obstacle,
    },
  };
  return recording;
}

function recordingStep(
  type: StepType,
  { begun, scripts }: Pick<RecordingWorkflow, 'begun' | 'scripts'>,
): WorkflowStep {
  return workflowStep<null>({
    type,
    async gather() {
      begun.push(type);
      await scripts[type]?.gather?.();
      return null;
    },
    run(_facts, { outputs, inputRefs }) {
      scripts[type]?.run?.();
      const before = Object.keys(outputs).filter((name) => (OWN_STEPS as string[]).includes(name));
      const isPublishing = type === 'publish_artifacts';
      return {
        output: { type, before: before.sort() },
        guardrail: type === 'guardrail_check' ? 'passed' : 'not_applicable',
        ...(isPublishing
          ? { artifacts: [draft('recommendation', inputRefs), draft('triage_report', inputRefs)] }
          : {}),
      };
    },
    async apply(tx, _result, { tenantId, inputRefs, nowMs, approval }) {
      scripts[type]?.apply?.();
      const [incidentId = ''] = inputRefs;
      await incidentStore.addTimeline(tx, tenantId, [
        {
          ...{ incidentId, entryId: createId('itl', nowMs), atMs: nowMs, kind: 'changed', message: type },
          actor: approval?.request.caller.tokenId ?? 'nobody',
        },
      ]);
    },
  });
}

function draft(kind: ArtifactKind, inputRefs: readonly string[]): ArtifactDraft {
  return kind === 'triage_report'
    ? { kind, mediaType: 'text/markdown', content: `# Grüße an ${inputRefs.join(', ')}\n` }
    : { kind, mediaType: 'application/json', content: JSON.stringify({ about: inputRefs }) };
}
